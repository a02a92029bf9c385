"""What maintainers see of code that is like other code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from leaderboard.models import CodeComparison, CodeMatch
from submissions.models import Submission

SHOWN = 50


@dataclass(frozen=True)
class CodeShown:
    """`found`: files of this submission like others; `found_later`: files of later ones that are like its own."""

    comparison: CodeComparison
    found: Sequence[CodeMatch]
    found_later: Sequence[CodeMatch]


def code_of(submission: Submission) -> CodeShown | None:
    """None where the bundle has no code, or it was not compared yet."""
    comparison = CodeComparison.objects.filter(submission=submission).first()
    if comparison is None:
        return None
    return CodeShown(
        comparison=comparison,
        found=list(_with_both(CodeMatch.objects.filter(left__submission=submission))[:SHOWN]),
        found_later=list(_with_both(CodeMatch.objects.filter(right__submission=submission))[:SHOWN]),
    )


def _with_both(matches: QuerySet[CodeMatch]) -> QuerySet[CodeMatch]:
    """In a fixed number of queries, without what is large."""
    both = matches.select_related(
        "left__submission__team__organisation", "right__submission__team__organisation"
    )
    large = ("fragments", "left__prints", "right__prints", "left__text", "right__text")
    return both.defer(*large).order_by("-left_share", "pk")


@dataclass(frozen=True)
class Row:
    """A line of both sides in a fragment; the number is None where a side has ended."""

    left: int | None
    left_text: str
    right: int | None
    right_text: str


@dataclass(frozen=True)
class FragmentShown:
    """A fragment line by line. `cut`: how many lines are not shown."""

    left: str
    right: str
    tokens: int
    rows: Sequence[Row]
    cut: int


def fragments_of(match: CodeMatch) -> list[FragmentShown]:
    return [_fragment(each) for each in match.fragments]


def _fragment(stored: dict[str, Any]) -> FragmentShown:
    left, right = stored["left"], stored["right"]
    height = max(len(left["lines"]), len(right["lines"]))
    hidden = max(side["to"] - side["from"] + 1 - len(side["lines"]) for side in (left, right))
    rows = [Row(*_at(left, at), *_at(right, at)) for at in range(height)]
    return FragmentShown(_span(left), _span(right), stored["tokens"], rows, hidden)


def _at(side: dict[str, Any], at: int) -> tuple[int | None, str]:
    if at >= len(side["lines"]):
        return None, ""
    return side["from"] + at, side["lines"][at]


def _span(side: dict[str, Any]) -> str:
    return f"{side['from']}–{side['to']}"
