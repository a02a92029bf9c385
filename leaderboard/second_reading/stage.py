"""Asking about every piece within the budget, and keeping what the answers can show."""

import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from leaderboard.integrity.checks.base import listed
from leaderboard.integrity.findings.facts import FindingKind
from leaderboard.models import EvidenceReading, Finding, SecondAnswer, SecondReading
from leaderboard.second_reading.answers import Answers, BadAnswer, parse_answers
from leaderboard.second_reading.budget import Purse
from leaderboard.second_reading.endpoint import Endpoint, EndpointError, ask, require_sound
from leaderboard.second_reading.pieces import Piece
from leaderboard.second_reading.prompt import messages_for
from leaderboard.second_reading.questions import BadQuestions, Question, about, parse_questions
from leaderboard.second_reading.signals import PREFIX, signal_of
from leaderboard.second_reading.texts import pieces_of
from submissions.models import Submission

log = logging.getLogger(__name__)
State = SecondReading.State
QUOTES_SHOWN = 10
# Longer than all attempts at one piece of evidence take.
TRIED_AGAIN_WITHIN = timedelta(hours=1)
# An llm that does not keep to the form is asked once more; after so many pieces in vain it is left.
TRIES = 2
IN_VAIN = 3


class CutShort(Exception):
    """Reading ends here; says why, for maintainers."""


@dataclass
class Reading:
    """One going through all pieces."""

    row: SecondReading
    endpoint: Endpoint
    questions: tuple[Question, ...]
    purse: Purse
    ends: float
    in_vain: int = 0


def is_on() -> bool:
    return bool(settings.SECOND_READING_URL)


def read_again(submission: Submission, now: datetime) -> None:
    """Writes answers and findings; nothing where none is wanted.

    Again, it begins anew, with what is left of the budget; not where only what stands beside it is tried again.
    """
    if not _is_wanted(submission) or _was_just_read(submission, now) or not (pieces := pieces_of(submission)):
        return
    row = _begin(submission, len(pieces), now)
    note, started = "", time.monotonic()
    try:
        _read_all(_prepare(row), pieces)
    except (CutShort, EndpointError, BadQuestions) as reason:
        note = str(reason)
        log.warning("the second reading of %s was cut short: %s", submission.public_id, note)
    _end(row, note, now + timedelta(seconds=time.monotonic() - started))


def _is_wanted(submission: Submission) -> bool:
    """Not where answers are public: no quota counts there, so that one team could spend without end."""
    return is_on() and not submission.benchmark.answers_public


def _was_just_read(submission: Submission, now: datetime) -> bool:
    """Whether an attempt at the same evidence has come to its end here already."""
    tried_again = EvidenceReading.objects.filter(submission=submission, attempts__gt=1).exists()
    ended = SecondReading.objects.filter(submission=submission, ended_at__gt=now - TRIED_AGAIN_WITHIN)
    return tried_again and ended.exists()


def _begin(submission: Submission, pieces: int, now: datetime) -> SecondReading:
    """The row, as if nothing had been read; what was spent stays spent."""
    columns = {"state": State.RUNNING, "llm": settings.SECOND_READING_LLM[:200], "pieces": pieces, "note": ""}
    fresh = {"pieces_read": 0, "quotes_dropped": 0, "started_at": now, "ended_at": None}
    with transaction.atomic():
        row, _ = SecondReading.objects.update_or_create(submission=submission, defaults=columns | fresh)
        row.answers.all().delete()
        Finding.objects.filter(submission=submission, code__startswith=PREFIX).delete()
    return row


def _prepare(row: SecondReading) -> Reading:
    endpoint = Endpoint(
        url=settings.SECOND_READING_URL,
        llm=settings.SECOND_READING_LLM,
        key=settings.SECOND_READING_KEY,
        timeout_s=settings.SECOND_READING_TIMEOUT_S,
        retries=settings.SECOND_READING_RETRIES,
    )
    require_sound(endpoint)
    return Reading(
        row=row,
        endpoint=endpoint,
        questions=load_questions(),
        purse=Purse(settings.SECOND_READING_BUDGET_TOKENS, row.tokens),
        ends=time.monotonic() + settings.SECOND_READING_WALL_S,
    )


def load_questions() -> tuple[Question, ...]:
    """Raises BadQuestions."""
    try:
        return parse_questions(settings.SECOND_READING_QUESTIONS.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise BadQuestions(f"The questions cannot be read: {type(error).__name__}.") from None


def _read_all(reading: Reading, pieces: Sequence[Piece]) -> None:
    unread = 0
    for piece in pieces:
        questions = about(reading.questions, piece.kind)
        if not questions:
            continue
        found = _ask_about(reading, piece, questions)
        if found is None:
            unread += 1
        else:
            _record(reading.row, piece, found)
    if unread:
        raise CutShort(f"{unread} pieces got no answer in the form that was asked for.")


def _ask_about(reading: Reading, piece: Piece, questions: Sequence[Question]) -> Answers | None:
    """None where the llm does not keep to the form. Raises CutShort, EndpointError."""
    messages = messages_for(piece, questions, secrets.token_hex(8))
    for _ in range(TRIES):
        if time.monotonic() > reading.ends:
            raise CutShort(f"The {settings.SECOND_READING_WALL_S} s for one submission were over.")
        if not reading.purse.has_for(messages):
            raise CutShort(f"The budget of {reading.purse.budget:,} tokens was spent.")
        reply = ask(reading.endpoint, messages)
        reading.purse.pay(messages, reply.text, reply.tokens)
        # At once, so that a killed worker does not spend the same again and again.
        SecondReading.objects.filter(pk=reading.row.pk).update(tokens=reading.purse.spent)
        try:
            found = parse_answers(reply.text, piece, {question.code for question in questions})
        except BadAnswer:
            continue
        reading.in_vain = 0
        return found
    reading.in_vain += 1
    if reading.in_vain >= IN_VAIN:
        raise CutShort("The llm does not answer in the form that was asked for.")
    return None


def _record(row: SecondReading, piece: Piece, found: Answers) -> None:
    row.pieces_read += 1
    row.quotes_dropped += found.dropped
    with transaction.atomic():
        SecondAnswer.objects.bulk_create(
            SecondAnswer(
                reading=row,
                question=each.question,
                answer=each.answer,
                path=piece.path,
                line=piece.line,
                quotes=[{"line": quote.line, "text": quote.text} for quote in each.quotes],
            )
            for each in found.answers
            if each.answer != "no"
        )
        SecondReading.objects.filter(pk=row.pk).update(
            pieces_read=row.pieces_read, quotes_dropped=row.quotes_dropped
        )


def _end(row: SecondReading, note: str, ended: datetime) -> None:
    """Findings of whatever was read, also where it was cut short."""
    with transaction.atomic():
        SecondReading.objects.filter(pk=row.pk).update(
            state=State.CUT_SHORT if note else State.DONE, note=note, ended_at=ended
        )
        Finding.objects.bulk_create(_findings(row, ended))


def _findings(row: SecondReading, now: datetime) -> list[Finding]:
    """One for each question that was answered yes somewhere, in order of the questions."""
    yes: dict[str, list[SecondAnswer]] = defaultdict(list)
    for answer in row.answers.filter(answer=SecondAnswer.Answer.YES):
        yes[answer.question].append(answer)
    asked = [question for question in (load_questions() if yes else ()) if question.code in yes]
    return [_finding(row, signal_of(question), yes[question.code], now) for question in asked]


def _finding(row: SecondReading, signal: FindingKind, answers: list[SecondAnswer], now: datetime) -> Finding:
    quotes = [{"path": each.path, **quote} for each in answers for quote in each.quotes]
    places = [f"{quote['path']}:{quote['line']}" for quote in quotes]
    return Finding(
        submission_id=row.submission_id,
        code=signal.code,
        title=signal.title,
        severity=signal.severity.value,
        sentence=f"{row.llm} says yes, with passages at {listed(places)}.",
        evidence={"quotes": quotes[:QUOTES_SHOWN]},
        raised_at=now,
    )
