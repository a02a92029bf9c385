"""Scaffolds against llms. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence

from leaderboard.charts.cells import Cell, draw_cells, strength
from leaderboard.charts.chart import MOST_ROWS, Chart, Table, TableRow, fixed, hover
from leaderboard.charts.whisker import Point, Row, llms_text, points_of

Best = dict[tuple[str, str], Point]
MOST_NAMES = 30


def scaffold_grid(rows: Sequence[Row]) -> Chart:
    """The best entry of each scaffold with each set of llms, where either is met more than once."""
    best = _best(points_of(rows))
    scaffolds, llms = _met_twice(best)
    cells = {
        (scaffolds.index(scaffold), llms.index(names)): _cell(point)
        for (scaffold, names), point in best.items()
        if scaffold in scaffolds and names in llms
    }
    alone = len(best) - len(cells)
    return Chart(
        name="scaffolds",
        title="Scaffold against llm",
        note=(
            "Any Medal % of the best entry of each agent with each set of llms. Down a column the llm stays and the "
            "scaffold changes; along a row it is the other way round. Hours and hardware may differ."
        ),
        table=Table(
            ("Agent", "LLMs", "Any Medal %"),
            tuple(
                TableRow((scaffold, names, fixed(point.mean)), point.row["url"])
                for (scaffold, names), point in list(best.items())[:MOST_ROWS]
            ),
            texts=2,
        ),
        figure=draw_cells(scaffolds, llms, cells) if cells else None,
        empty="No agent here stands with two llms, and no llm with two agents.",
        gaps=(f"{alone} more, most of whose agents and llms stand here only once, are not drawn.",)
        if alone and cells
        else (),
    )


def _best(points: Sequence[Point]) -> Best:
    """By agent and llms, best first; undisclosed llms cannot be compared."""
    found: Best = {}
    for point in sorted(points, key=lambda p: -p.mean):
        if point.row["llms"]:
            found.setdefault((point.row["agent"], llms_text(point.row)), point)
    return found


def _met_twice(best: Best) -> tuple[list[str], list[str]]:
    """Agents and llms of the pairs in which either is met again, in the order of their best; the first of them."""
    agents, llms = Counter(agent for agent, _ in best), Counter(names for _, names in best)
    pairs = [pair for pair in best if agents[pair[0]] > 1 or llms[pair[1]] > 1]
    return _first(agent for agent, _ in pairs), _first(names for _, names in pairs)


def _first(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))[:MOST_NAMES]


def _cell(point: Point) -> Cell:
    says = hover(point.row["agent"], llms_text(point.row), f"{fixed(point.mean)} %", point.row["source_text"])
    return Cell(fixed(point.mean, 0), says, "--accent", strength(point.mean / 100))
