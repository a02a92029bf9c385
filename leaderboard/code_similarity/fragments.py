"""The shared fragments as they are kept: some lines of both sides, cut where they are long. Pure."""

from typing import Any, Final

from leaderboard.code_similarity.overlap import Fragment, Overlap

FRAGMENTS: Final = 20
LINES: Final = 60
WIDTH: Final = 300


def keep_fragments(overlap: Overlap, left: str, right: str) -> list[dict[str, Any]]:
    """The largest ones, as plain JSON: `left` and `right` with `from`, `to`, `lines`; and `tokens`."""
    left_lines, right_lines = left.split("\n"), right.split("\n")
    return [
        {
            "left": _side(left_lines, fragment.left),
            "right": _side(right_lines, fragment.right),
            "tokens": fragment.tokens,
        }
        for fragment in _without_repeats(overlap.fragments)[:FRAGMENTS]
    ]


def _side(lines: list[str], span: tuple[int, int]) -> dict[str, Any]:
    first, last = span
    shown = lines[first - 1 : min(last, first + LINES - 1)]
    return {"from": first, "to": last, "lines": [line[:WIDTH] for line in shown]}


def _without_repeats(fragments: tuple[Fragment, ...]) -> list[Fragment]:
    """What lies within a larger fragment on the left says nothing new."""
    kept: list[Fragment] = []
    for each in fragments:
        if not any(one.left[0] <= each.left[0] and each.left[1] <= one.left[1] for one in kept[:FRAGMENTS]):
            kept.append(each)
    return kept
