"""Asking a team by a numbered decision, and what the team answers. Public together with the entry."""

from datetime import datetime, timedelta

from django.db import transaction

from leaderboard.integrity.deciding import (
    DecisionRefused,
    deciding,
    is_link,
    make_decision,
    refuse_withdrawn,
    remember,
)
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.question_record import ANSWERED, remembering
from leaderboard.models import Decision, Entry, Question
from submissions.models import Submission, User
from submissions.states import record_event

ANSWER_WITHIN = timedelta(days=14)
LONGEST = 5000


class AnswerRefused(Exception):
    """Shown to the team: why the answer was not taken. Nothing was written."""


def ask_team(
    entry: Entry, text: str, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Question:
    """The question, asked by a decision; the team has ANSWER_WITHIN, and the entry stays where it is meanwhile."""
    text, due_at = text.strip(), now + ANSWER_WITHIN
    details = {"question": text, "due_at": due_at.isoformat()}
    verdict = Verdict(Decision.Kind.ASK, entry, grounds, by, now, details=details)
    with deciding(verdict, seen, question__text=text):
        refuse_withdrawn(entry)
        submission_id = _asked(entry, text)
        decision = make_decision(verdict, now)
        question = Question.objects.create(
            decision=decision, entry=entry, text=text, asked_at=now, due_at=due_at
        )
        Submission.objects.filter(pk=submission_id, question_open_at=None).update(question_open_at=now)
        remember(entry, decision, now)
    return question


def _asked(entry: Entry, text: str) -> int:
    """The submission whose team is asked. Raises DecisionRefused where there is nobody to ask, or nothing asked."""
    if not 0 < len(text) <= LONGEST:
        raise DecisionRefused(f"Write what the team should answer, in at most {LONGEST:,} characters.")
    if entry.submission_id is None:
        raise DecisionRefused(
            "This entry was imported: no team here can answer for it. Annotate it or raise a flag instead."
        )
    return entry.submission_id


def answer_question(question: Question, text: str, url: str, by: User, now: datetime) -> None:
    """The team's answer. It is given once; for more, the maintainers ask again."""
    submission = question.entry.submission
    assert submission is not None, "only teams are asked"
    _check_answer(submission, text.strip(), url.strip(), by)
    with transaction.atomic():
        unanswered = Question.objects.filter(pk=question.pk, answered_at=None)
        if not unanswered.update(
            answer=text.strip(), answer_url=url.strip(), answered_at=now, answered_by=by
        ):
            raise AnswerRefused("Somebody of your team has answered this already. Look at the page again.")
        said = remembering(question, text.strip(), url.strip())
        record_event(submission, ANSWERED, at=now, actor=by, detail=said)
        if not Question.objects.filter(entry=question.entry, answered_at=None).exists():
            Submission.objects.filter(pk=submission.pk).update(question_open_at=None)
    question.refresh_from_db()


def _check_answer(submission: Submission, text: str, url: str, by: User) -> None:
    if not submission.team.members.filter(user=by).exists():
        raise AnswerRefused("Only a member of the team that handed it in can answer.")
    if not 0 < len(text) <= LONGEST:
        raise AnswerRefused(f"Write an answer of at most {LONGEST:,} characters.")
    if url and not is_link(url):
        raise AnswerRefused("The link must start with https:// and have at most 500 characters.")
