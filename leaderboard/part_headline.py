"""The sentence above a board of whose competitions only a part counts. Pure but for the board it reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.answering import figures_of_part
from leaderboard.boards import Board
from leaderboard.filters import NO_MASK, View
from leaderboard.headline import Headline, count_entries, say_figure, scope_of
from leaderboard.ranking import DECIMALS
from leaderboard.shown import Row
from leaderboard.statistics.masks import CLOSED, say_mask

NOT_KNOWN = (
    "The single runs of these entries are not known here, so nothing can be left out of their figures."
)
# A row with its mean, SEM and number of competitions.
Figured = tuple[Row, Any]


@dataclass(frozen=True)
class PartHeadline:
    """Makes the headline of a board under a mask, or of a category. Equal ones say the same of the same board."""

    mask: str = NO_MASK
    category: str = ""

    def __call__(self, board: Board) -> Headline:
        view = View(mask=self.mask, category=self.category)
        found = ((row, figures_of_part(row, view)) for row in board.rows if row["result"])
        known = [(row, figures) for row, figures in found if figures]
        place = f"{board.track.title} · {scope_of(board)} {self.words} · {_counted(board.rows, known)}"
        if not board.rows:
            return Headline(place, "No entry yet")
        if not board.track.is_ranked:
            return Headline(place, "Shown with a warning, not ranked")
        leaders = _leaders(known)
        if not leaders:
            return self._without_leaders(place, board.rows)
        return Headline(place, _sentence(leaders, self.words), _leader(*leaders[0]))

    def _without_leaders(self, place: str, rows: Sequence[Row]) -> Headline:
        """Why there is no figure, as the rows say it: everything is left out, or nothing can be."""
        if any(_is_emptied(row) for row in rows):
            return Headline(place, f"Nothing counts {self.words}")
        attempted = any(row["result"] for row in rows)
        return Headline(place, f"No figure is known {self.words}", caveat=NOT_KNOWN if attempted else "")

    @property
    def words(self) -> str:
        """What counts, to go on from a figure with."""
        if self.category:
            return f"on {self.category} competitions"
        said = say_mask(self.mask)
        return f"on competitions {said}" if self.mask.startswith(CLOSED) else said


def _is_emptied(row: Row) -> bool:
    """Of a row without a figure: whether its single runs are known here and none of them is left."""
    return bool(row["masks"] if row["result"] else row["masked"])


def _counted(rows: Sequence[Row], known: Sequence[Figured]) -> str:
    entries = count_entries(len(rows))
    return entries if len(known) == len(rows) else f"{entries}, {len(known)} with a figure"


def _leaders(known: Sequence[Figured]) -> list[Figured]:
    """Those on top by the figure as it is printed, of the rows that are ranked at all."""
    ranked = [pair for pair in known if pair[0]["rank"] is not None]
    most = max((_printed(figures) for _, figures in ranked), default=None)
    return [pair for pair in ranked if _printed(pair[1]) == most]


def _printed(figures: Any) -> float:
    return round(float(figures["mean"]), DECIMALS)


def _leader(row: Row, figures: Any) -> Row:
    result = {**row["result"], "any_medal_mean": figures["mean"], "any_medal_sem": figures["sem"]}
    # Intervals were computed for the whole board.
    return {**row, "result": result, "statistics": None}


def _sentence(leaders: Sequence[Figured], words: str) -> str:
    first, figures = leaders[0]
    figure = say_figure(figures["mean"])
    if len(leaders) == 1:
        return f"{first['agent']} leads with {figure} {words}"
    return f"{len(leaders)} entries share the lead with {figure} {words}, {first['agent']} among them"
