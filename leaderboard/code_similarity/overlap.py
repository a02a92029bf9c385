"""Two files side by side: how much of each the other has, and which fragments. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from leaderboard.code_similarity.tokens import Lines, Tokens, Values
from leaderboard.code_similarity.winnow import RUN, WINDOW, Places, winnow

# So far apart two shared runs may lie and still be one fragment.
GAP: Final = RUN + WINDOW
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Fragment:
    """Lines of the left file that stand in the right one, from and to, both from 1 and included."""

    left: tuple[int, int]
    right: tuple[int, int]
    tokens: int


@dataclass(frozen=True)
class Overlap:
    """Percent of each file's tokens that the other has too, and how many of the left's. Largest fragments first."""

    left_share: float
    right_share: float
    tokens: int
    fragments: tuple[Fragment, ...]


NOTHING: Final = Overlap(0.0, 0.0, 0, ())


def compare(left: Tokens, right: Tokens) -> Overlap:
    (left_hashes, left_places), (right_hashes, right_places) = winnow(left), winnow(right)
    if not len(left_hashes) or not len(right_hashes):
        return NOTHING
    in_left = _covered(left_places[np.isin(left_hashes, right_hashes)], len(left))
    in_right = _covered(right_places[np.isin(right_hashes, left_hashes)], len(right))
    pairs = _pair(left_hashes, left_places, right_hashes, right_places)
    fragments = [_fragment(group, left.lines, right.lines) for group in _groups(pairs)]
    return Overlap(
        100 * float(in_left.mean()),
        100 * float(in_right.mean()),
        int(in_left.sum()),
        tuple(sorted(fragments, key=lambda each: (-each.tokens, each.left))),
    )


def _covered(places: Places, length: int) -> Flags:
    """Which tokens lie in a shared run."""
    covered = np.zeros(length, dtype=np.bool_)
    for step in range(RUN):
        covered[places + step] = True
    return covered


def _pair(left: Values, left_places: Places, right: Values, right_places: Places) -> list[tuple[int, int]]:
    """Shared runs in order of the left file, each with a place on the right: one that goes on, else the first."""
    where: dict[int, list[int]] = {}
    for value, place in zip(right.tolist(), right_places.tolist(), strict=True):
        where.setdefault(value, []).append(place)
    pairs: list[tuple[int, int]] = []
    for value, place in zip(left.tolist(), left_places.tolist(), strict=True):
        if places := where.get(value):
            pairs.append((place, _next_place(pairs, place, places)))
    return pairs


def _next_place(pairs: list[tuple[int, int]], place: int, places: list[int]) -> int:
    """Of the places on the right the nearest to where the last pair would go on. Few: of a run said often, 50."""
    if not pairs:
        return places[0]
    expected = pairs[-1][1] + place - pairs[-1][0]
    return min(places[:50], key=lambda each: abs(each - expected))


def _groups(pairs: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Pairs that go on side by side."""
    group: list[tuple[int, int]] = []
    for pair in pairs:
        if group and not _goes_on(group[-1], pair):
            yield group
            group = []
        group.append(pair)
    if group:
        yield group


def _goes_on(before: tuple[int, int], pair: tuple[int, int]) -> bool:
    return pair[0] - before[0] <= GAP and 0 <= pair[1] - before[1] <= GAP


def _fragment(group: list[tuple[int, int]], left: Lines, right: Lines) -> Fragment:
    (left_from, right_from), (left_to, right_to) = group[0], group[-1]
    return Fragment(
        _lines(left, left_from, left_to), _lines(right, right_from, right_to), left_to + RUN - left_from
    )


def _lines(lines: Lines, first: int, last: int) -> tuple[int, int]:
    return int(lines[first]), int(lines[last + RUN - 1])
