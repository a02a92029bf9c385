"""Questions held against the decisions that asked them: text, entry and due date are in the hashed details."""

from collections.abc import Iterator
from datetime import UTC

from leaderboard.integrity.chain import Break
from leaderboard.models import Decision, Question


def find_altered_questions() -> Iterator[Break]:
    """Decisions whose question is gone, or is another one now."""
    asked = {question.decision_id: question for question in Question.objects.all()}
    for decision in Decision.objects.filter(kind=Decision.Kind.ASK, supersedes=None).order_by("pk"):
        question = asked.get(decision.pk)
        if question is None or not _agrees(question, decision):
            yield Break(decision.pk, "asked a question that is gone, or says something else now")


def _agrees(question: Question, decision: Decision) -> bool:
    said = {"question": question.text, "due_at": question.due_at.astimezone(UTC).isoformat()}
    return question.entry_id == decision.entry_id and said.items() <= decision.details.items()
