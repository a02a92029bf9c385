"""What is said to maintainers of an llm's reading. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from leaderboard.integrity.checks.base import Severity
from leaderboard.second_reading.questions import Question

PREFIX: Final = "second-reading-"


@dataclass(frozen=True)
class ReadingSignal:
    """One kind of finding, as docs/findings.md lists it."""

    code: str
    title: str
    severity: Severity
    meaning: str


def signals_of(questions: Iterable[Question]) -> tuple[ReadingSignal, ...]:
    """One for each question."""
    return tuple(map(signal_of, questions))


def signal_of(question: Question) -> ReadingSignal:
    title = f"Second reading: {question.title[0].lower()}{question.title[1:]}"
    meaning = (
        f"An llm that read logs and code says so, with passages. Innocent: {question.innocent}; or it errs."
    )
    return ReadingSignal(PREFIX + question.code, title[:120], Severity.NOTICE, meaning)
