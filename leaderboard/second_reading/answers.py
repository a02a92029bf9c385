"""What an llm answered, taken for no more than it can show. Pure."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from leaderboard.second_reading.pieces import Piece

ANSWERS: Final = frozenset({"yes", "no", "unclear"})
QUOTES: Final = 3
SHORTEST, LONGEST = 8, 300
FENCE: Final = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)


class BadAnswer(Exception):
    """Not the JSON that was asked for."""


@dataclass(frozen=True)
class Quote:
    """A passage that stands in the file, and its line."""

    line: int
    text: str


@dataclass(frozen=True)
class Answer:
    """To one question about one piece. A "yes" has at least one quote."""

    question: str
    answer: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True)
class Answers:
    """Of one piece; `dropped` counts quotes that do not stand in it."""

    answers: tuple[Answer, ...]
    dropped: int


def parse_answers(text: str, piece: Piece, codes: Collection[str]) -> Answers:
    """One answer for each of `codes` that was answered; the first counts. Raises BadAnswer."""
    found: dict[str, Answer] = {}
    dropped = 0
    for row in _rows(text):
        if row["question"] in codes and row["question"] not in found:
            quotes = [_find(quote, piece) for quote in row["quotes"][:QUOTES]]
            standing = tuple(quote for quote in quotes if quote is not None)
            dropped += len(quotes) - len(standing)
            found[row["question"]] = _answer(row, standing)
    return Answers(tuple(found.values()), dropped)


def _answer(row: Mapping[str, Any], quotes: tuple[Quote, ...]) -> Answer:
    """A "yes" that shows nothing is no more than unclear."""
    is_shown = row["answer"] != "yes" or bool(quotes)
    return Answer(row["question"], row["answer"] if is_shown else "unclear", quotes)


def _rows(text: str) -> Iterator[Mapping[str, Any]]:
    fenced = FENCE.fullmatch(text)
    try:
        document = json.loads(fenced.group(1) if fenced else text)
    except (ValueError, RecursionError):
        raise BadAnswer("no JSON") from None
    rows = document.get("answers") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        raise BadAnswer("not the object that was asked for")
    yield from rows


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and set(row) == {"question", "answer", "quotes"}
        and isinstance(row["question"], str)
        and isinstance(row["answer"], str)
        and row["answer"] in ANSWERS
        and isinstance(row["quotes"], list)
        and all(isinstance(quote, str) for quote in row["quotes"])
    )


def _find(quote: str, piece: Piece) -> Quote | None:
    """The quote with its line, if it stands in the piece letter by letter; too short ones prove nothing."""
    quote = quote.strip()
    at = piece.text.find(quote) if SHORTEST <= len(quote) <= LONGEST else -1
    return None if at < 0 else Quote(piece.line + piece.text.count("\n", 0, at), quote)
