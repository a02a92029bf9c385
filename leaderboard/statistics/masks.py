"""Competitions left out of a figure because something is known about them. Pure.

Three masks are studied with every snapshot; any other is a part of the competitions, figured when somebody asks.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

# The kind of part that a mask is.
MASKS = "masks"
LEAK = "leak"
KINDS = ("grading", "thresholds", "preparation")
WITHOUT, KIND, CLOSED = "without-", "known-", "closed-from-"
# Any name that some board may have.
NAME = re.compile(rf"{KIND}(?:{'|'.join(KINDS)})|{WITHOUT}[a-z0-9][a-z0-9_-]*|{CLOSED}[0-9]{{4}}")


class Mask(StrEnum):
    """What is left out. `none` leaves nothing out."""

    NONE = "none"
    KNOWN_LEAKS = "known-leaks"
    KNOWN_ISSUES = "known-issues"

    @property
    def label(self) -> str:
        return MASK_LABELS[self]

    def hides(self, kinds: Collection[str]) -> bool:
        """Whether a competition with known issues of those kinds is left out."""
        return {Mask.NONE: False, Mask.KNOWN_LEAKS: LEAK in kinds, Mask.KNOWN_ISSUES: bool(kinds)}[self]


MASK_LABELS = {
    Mask.NONE: "All competitions",
    Mask.KNOWN_LEAKS: "Without known leaks of labels",
    Mask.KNOWN_ISSUES: "Without any known issue",
}


@dataclass(frozen=True)
class About:
    """What masks look at of a competition. `closed_on`: None where it is not known."""

    issues: frozenset[str]
    closed_on: date | None = None


def other_masks(about: Mapping[str, About]) -> Iterator[tuple[str, frozenset[str]]]:
    """Every other mask that leaves some of these competitions out and some in: its name and those that count.

    By kind of issue, by competition with an issue, and by the year in which competitions closed at the earliest; one
    whose closing date is not known is left out there.
    """
    every = frozenset(about)
    for name, counted in _all_others(about):
        if counted and counted != every:
            yield name, counted


def _all_others(about: Mapping[str, About]) -> Iterator[tuple[str, frozenset[str]]]:
    every = frozenset(about)
    for kind in KINDS:
        yield f"{KIND}{kind}", every - {key for key, each in about.items() if kind in each.issues}
    for key in sorted(key for key, each in about.items() if each.issues):
        yield f"{WITHOUT}{key}", every - {key}
    for year in sorted({each.closed_on.year for each in about.values() if each.closed_on}):
        late = (key for key, each in about.items() if each.closed_on and each.closed_on.year >= year)
        yield f"{CLOSED}{year}", frozenset(late)


def may_be_mask(name: str) -> bool:
    """Whether a board might have a mask of that name."""
    return name in list(Mask) or NAME.fullmatch(name) is not None


def say_mask(name: str) -> str:
    """The mask in words, for a choice or a chip."""
    usual = {
        Mask.NONE.value: "all competitions",
        Mask.KNOWN_LEAKS.value: "without known leaks",
        Mask.KNOWN_ISSUES.value: "without known issues",
    }
    if name in usual:
        return usual[name]
    if name.startswith(CLOSED):
        return f"closed in {name.removeprefix(CLOSED)} or later"
    if name.startswith(KIND):
        return f"without known issues of {name.removeprefix(KIND)}"
    return f"without {name.removeprefix(WITHOUT)}"
