"""Questions held against the decisions that asked them, and answers against what the submission's events remember.

Text, entry and due date of a question are in the hashed details of its decision.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC

from leaderboard.integrity.chain import Break, hash_record
from leaderboard.models import Decision, Question
from submissions.models import Event

ANSWERED, DIGEST = "answered", "answer_sha256"


def remembering(question: Question, text: str, url: str) -> dict[str, object]:
    """What the event of an answer keeps of it."""
    return {"decision": question.decision_id, DIGEST: digest_answer(text, url)}


def digest_answer(text: str, url: str) -> str:
    """SHA-256 over an answer as it was given."""
    return hash_record({"answer": text, "url": url}, "")


def find_altered_questions() -> Iterator[Break]:
    """Decisions whose question is gone, or is another one now."""
    asked = {question.decision_id: question for question in Question.objects.all()}
    for decision in Decision.objects.filter(kind=Decision.Kind.ASK, supersedes=None).order_by("pk"):
        question = asked.get(decision.pk)
        if question is None or not _agrees(question, decision):
            yield Break(decision.pk, "asked a question that is gone, or says something else now")
    yield from _altered_answers(asked)


def _altered_answers(asked: Mapping[int, Question]) -> Iterator[Break]:
    """Answers from before events kept a digest are not compared."""
    events = Event.objects.filter(kind=ANSWERED, detail__has_key=DIGEST).order_by("pk")
    for detail in events.values_list("detail", flat=True):
        question = asked.get(detail["decision"])
        if question is None or digest_answer(question.answer, question.answer_url) != detail[DIGEST]:
            yield Break(detail["decision"], "asked a question whose answer says something else now")


def _agrees(question: Question, decision: Decision) -> bool:
    said = {"question": question.text, "due_at": question.due_at.astimezone(UTC).isoformat()}
    return question.entry_id == decision.entry_id and said.items() <= decision.details.items()
