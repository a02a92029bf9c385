"""Competitions left out of a figure because something is known about them. Pure."""

from collections.abc import Collection
from enum import StrEnum

# The kind of part that a mask is.
MASKS = "masks"
LEAK = "leak"


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
