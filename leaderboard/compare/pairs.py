"""Every two of some entries against each other, on the same competitions. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from leaderboard.statistics.grid import Grid
from leaderboard.statistics.holm import adjust
from leaderboard.statistics.level import ALPHA
from leaderboard.statistics.sign_flip import compare, sign_flip_p
from leaderboard.statistics.split import has_enough


@dataclass(frozen=True)
class Pair:
    """`ahead`, `behind`, `even`: competitions on which the one wins medals more often than the other, less, as often.

    `gap`: its Any Medal less the other's, in percentage points. `p_value`: by the sign-flip test, `p_adjusted` by
    Holm over all pairs; both None where the competitions are too few to tell anybody apart.
    """

    one: int
    other: int
    gap: float
    ahead: int
    behind: int
    even: int
    p_value: float | None
    p_adjusted: float | None

    @property
    def differs(self) -> bool | None:
        """Whether the gap is more than noise; None where that cannot be tested."""
        return None if self.p_adjusted is None else self.p_adjusted <= ALPHA


def compare_pairs(grids: Mapping[int, Grid]) -> list[Pair]:
    """Every pair, in the order given, each on what counts for both. All grids have the same competitions."""
    pairs = list(combinations(grids, 2))
    differences = [compare(grids[one], grids[other]) for one, other in pairs]
    tested = bool(pairs) and all(has_enough(len(each)) for each in differences)
    p_values = [sign_flip_p(each) for each in differences] if tested else []
    adjusted = adjust(p_values).tolist()
    return [
        Pair(
            one=one,
            other=other,
            gap=grids[one].figure().mean - grids[other].figure().mean,
            ahead=sum(part > 0 for part in difference),
            behind=sum(part < 0 for part in difference),
            even=sum(part == 0 for part in difference),
            p_value=p_values[at] if tested else None,
            p_adjusted=adjusted[at] if tested else None,
        )
        for at, ((one, other), difference) in enumerate(zip(pairs, differences, strict=True))
    ]
