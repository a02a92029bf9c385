"""What came of one fault, as a line of the table."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class Outcome:
    """`seconds`: from the fault until every submission had its final status and receipts."""

    site: str
    step: str
    fault: str
    seconds: float
    graded: str
    orphans: int
    wrong: int
    words: str = ""

    @property
    def holds(self) -> bool:
        return not self.words


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    path.write_text(json.dumps([asdict(each) for each in outcomes]))


def read_outcomes(path: Path) -> list[Outcome]:
    return [Outcome(**each) for each in json.loads(path.read_text())] if path.exists() else []


HEADINGS = ("site", "step", "fault", "seconds", "gradings per run", "orphans", "wrong numbers", "outcome")
# Where nobody looks at a terminal, lines may be long.
NARROWEST = 150


def table_of(outcomes: Iterable[Outcome], width: int) -> Table:
    table = Table(title="Faults", title_justify="left", width=max(width, NARROWEST))
    for heading in HEADINGS:
        table.add_column(heading, overflow="fold")
    for each in outcomes:
        mark = Text("as promised", "green") if each.holds else Text("NOT as promised", "bold red")
        numbers = (f"{each.seconds:.1f}", each.graded, str(each.orphans), str(each.wrong))
        table.add_row(each.site, each.step, each.fault, *numbers, mark)
    return table


def faults_of(outcomes: Iterable[Outcome]) -> list[str]:
    """What was not as promised, in words."""
    return [f"{each.site}, {each.step}: {each.words}" for each in outcomes if not each.holds]
