"""What decisions say of masks: which competitions of an entry are shown, but not counted. Pure.

The details of a decision are the record, and its hash covers them. Runs and figures follow from it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

# The keys of a decision's details, whatever its kind: publishing may mask, granting an appeal may lift.
MASKED, UNMASKED = "masked", "unmasked"
# The flag that a mask upholds.
UPHOLDS = "upholds_flag"
Masks = dict[str, int]


def masks_after(decisions: Iterable[tuple[int, Mapping[str, Any]]]) -> Masks:
    """By competition the decision that masks it. `decisions`: number and details, in the order they take effect."""
    standing: Masks = {}
    for number, details in decisions:
        standing |= dict.fromkeys(details.get(MASKED, ()), number)
        for competition in details.get(UNMASKED, ()):
            standing.pop(competition, None)
    return standing


def say_masked(counted: int, masked: int, decisions: Iterable[int]) -> str:
    """How much counts, in words: "72 of 75 counted, 3 masked by decision 42"."""
    return f"{counted} of {counted + masked} counted, {masked} masked by {say_decisions(decisions)}"


def say_decisions(numbers: Iterable[int]) -> str:
    """ "decision 42", or "decisions 42 and 57"."""
    said = [str(number) for number in sorted(set(numbers))]
    return f"decision{'s' * (len(said) > 1)} {' and '.join(filter(None, [', '.join(said[:-1]), said[-1]]))}"
