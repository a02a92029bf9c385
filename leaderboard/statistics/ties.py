"""Who cannot be told apart from the leader of a board. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.statistics.grid import Grid
from leaderboard.statistics.holm import adjust
from leaderboard.statistics.sign_flip import compare, sign_flip_p

ALPHA = 0.05
# Below, even an agent ahead on every competition has p = 2 / 2**5 > ALPHA: the test could not tell anybody apart.
FEWEST_COMPETITIONS = 6


@dataclass(frozen=True)
class Comparison:
    """An entry against the leader. `differing`: competitions on which their medal rates differ.

    `p_value` by the sign-flip test, `p_adjusted` by Holm over all comparisons of the board.
    """

    differing: int
    p_value: float
    p_adjusted: float

    @property
    def is_tied(self) -> bool:
        return self.p_adjusted > ALPHA


def compare_with_leader(leader: Grid, others: Mapping[int, Grid]) -> dict[int, Comparison]:
    """Every other entry of a board against its leader, all on the same competitions."""
    differences = [compare(leader, grid) for grid in others.values()]
    p_values = [sign_flip_p(each) for each in differences]
    return {
        entry: Comparison(_count(each), p_value, adjusted)
        for entry, each, p_value, adjusted in zip(
            others, differences, p_values, adjust(p_values), strict=True
        )
    }


def _count(differences: Sequence[int]) -> int:
    return sum(difference != 0 for difference in differences)
