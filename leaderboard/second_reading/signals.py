"""What is said to maintainers of an llm's reading. Pure."""

from collections.abc import Iterable
from typing import Final

from leaderboard.integrity.checks.base import Severity
from leaderboard.integrity.findings.facts import FindingKind
from leaderboard.second_reading.questions import Question

PREFIX: Final = "second-reading-"


def signals_of(questions: Iterable[Question]) -> tuple[FindingKind, ...]:
    """One for each question."""
    return tuple(map(signal_of, questions))


def signal_of(question: Question) -> FindingKind:
    title = f"Second reading: {question.title[0].lower()}{question.title[1:]}"
    meaning = (
        f"An llm that read logs and code says so, with passages. Innocent: {question.innocent}; or it errs."
    )
    return FindingKind(PREFIX + question.code, title[:120], Severity.NOTICE, meaning)
