"""The questions, as data. Pure."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

CODE: Final = re.compile(r"[a-z][a-z-]{1,24}")
ABOUT: Final = {"logs": frozenset({"log"}), "code": frozenset({"code"}), "both": frozenset({"log", "code"})}
FIELDS: Final = frozenset({"code", "about", "title", "ask", "innocent"})


class BadQuestions(Exception):
    """The file cannot be used. Says which question and why, for whoever wrote it."""


@dataclass(frozen=True)
class Question:
    """`kinds`: of evidence it is asked about, `log` or `code`."""

    code: str
    kinds: frozenset[str]
    title: str
    ask: str
    innocent: str


def parse_questions(text: str) -> tuple[Question, ...]:
    """Raises BadQuestions."""
    try:
        rows = tomllib.loads(text).get("question")
    except tomllib.TOMLDecodeError as error:
        raise BadQuestions(f"The questions are no TOML: {error}.") from None
    if not isinstance(rows, list) or not rows:
        raise BadQuestions("The file has no [[question]].")
    questions = tuple(_question(number, row) for number, row in enumerate(rows, 1))
    if len({question.code for question in questions}) < len(questions):
        raise BadQuestions("Two questions have the same code.")
    return questions


def _question(number: int, row: Any) -> Question:
    if (
        not isinstance(row, Mapping)
        or set(row) != FIELDS
        or not all(isinstance(x, str) for x in row.values())
    ):
        raise BadQuestions(f"Question {number} must have {', '.join(sorted(FIELDS))}, each a text.")
    if not CODE.fullmatch(row["code"]):
        raise BadQuestions(
            f"Question {number} has the code {row['code']!r}: small letters and dashes, 25 at most."
        )
    if row["about"] not in ABOUT:
        raise BadQuestions(f"Question {number} is about {row['about']!r}: it takes logs, code or both.")
    return Question(row["code"], ABOUT[row["about"]], row["title"], row["ask"], row["innocent"])


def about(questions: Sequence[Question], kind: str) -> tuple[Question, ...]:
    """Those that are asked about that kind of evidence."""
    return tuple(question for question in questions if kind in question.kinds)
