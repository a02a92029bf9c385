"""Medals of agents on competitions. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.charts.cells import STRONGEST, Cell, draw_cells
from leaderboard.charts.chart import Chart, Table, TableRow, hover

MOST_ENTRIES = 24
LETTERS = {"gold": "G", "silver": "S", "bronze": "B"}
BEST_FIRST = tuple(LETTERS)


@dataclass(frozen=True)
class Medals:
    """What an entry won on a competition: over its `seeds` how many of each, by name. `masked`: it does not count."""

    seeds: int
    won: Mapping[str, int]
    masked: bool = False

    @property
    def best(self) -> str:
        return next((medal for medal in BEST_FIRST if self.won.get(medal)), "")

    @property
    def number(self) -> int:
        return sum(self.won.values())

    @property
    def words(self) -> str:
        said = ", ".join(f"{self.won[medal]} {medal}" for medal in BEST_FIRST if self.won.get(medal))
        return f"{said or 'none'} of {self.seeds}{', not counted' if self.masked else ''}"


@dataclass(frozen=True)
class Winner:
    """An entry graded here, with its medals by competition."""

    name: str
    url: str
    medals: Mapping[str, Medals]


def medal_grid(winners: Sequence[Winner], competitions: Sequence[str], left_out: int = 0) -> Chart:
    """Competitions down, entries across in their order on the board. `left_out`: entries beyond these."""
    shown = list(winners[:MOST_ENTRIES])
    gaps = left_out + len(winners) - len(shown)
    return Chart(
        name="medals",
        title="Medals by competition",
        note=(
            "Entries graded here. A letter is the best medal over seeds (G gold, S silver, B bronze), then the seeds "
            "with any medal of all; in brackets: not counted, by decision; an empty place was not attempted."
        ),
        table=Table(
            ("Competition", *(each.name for each in shown)),
            tuple(
                TableRow(
                    (
                        key,
                        *(
                            each.medals[key].words if key in each.medals else "not attempted"
                            for each in shown
                        ),
                    ),
                    f"/competitions/{key}/",
                )
                for key in competitions
            ),
            texts=1 + len(shown),
        ),
        figure=draw_cells(competitions, [each.name for each in shown], dict(_cells(shown, competitions)))
        if shown
        else None,
        empty="No entry on this board was graded here yet. Imported entries carry no results by competition.",
        gaps=(f"The best {len(shown)} are drawn; {gaps} more were graded here.",) if gaps else (),
    )


def _cells(shown: Sequence[Winner], competitions: Sequence[str]) -> Iterator[tuple[tuple[int, int], Cell]]:
    for across, winner in enumerate(shown):
        for down, key in enumerate(competitions):
            if key in winner.medals:
                yield (down, across), _cell(winner, key, winner.medals[key])


def _cell(winner: Winner, competition: str, medals: Medals) -> Cell:
    says = hover(winner.name, competition, medals.words)
    if medals.masked:
        return Cell(f"({medals.number}/{medals.seeds})", says, "--sunken", 1.0)
    if not medals.best:
        return Cell(f"0/{medals.seeds}", says, "--sunken", 1.0)
    text = f"{LETTERS[medals.best]} {medals.number}/{medals.seeds}"
    return Cell(text, says, f"--{medals.best}", STRONGEST + 0.05)
