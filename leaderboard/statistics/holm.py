"""Several comparisons at once. Pure. Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979)."""

from collections.abc import Sequence


def adjust(p_values: Sequence[float]) -> list[float]:
    """The p values by Holm, in the order given: below alpha, they are significant at alpha all together."""
    count, highest = len(p_values), 0.0
    adjusted = [0.0] * count
    for place, at in enumerate(sorted(range(count), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (count - place) * p_values[at]))
        adjusted[at] = highest
    return adjusted
