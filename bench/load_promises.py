"""What was promised of a measurement, what was found, and whether that is enough."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

SHOWN = Console(stderr=True)  # Progress; results alone go to the standard output.


@dataclass(frozen=True)
class Promise:
    """One measured number. `at_least` or `at_most`: the limit; neither: told for comparison alone."""

    what: str
    found: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def is_met(self) -> bool:
        low, high = self.at_least, self.at_most
        return (low is None or self.found >= low) and (high is None or self.found <= high)

    @property
    def asked(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return f"≤ {self.at_most:g}" if self.at_most is not None else ""

    @property
    def verdict(self) -> str:
        return ("met" if self.is_met else "MISSED") if self.asked else ""


def tell(promises: Sequence[Promise], is_json: bool) -> int:
    """Prints them all; the exit code is 1 where one is missed."""
    if is_json:
        for each in promises:
            print(json.dumps({**asdict(each), "is_met": each.is_met}, ensure_ascii=False), flush=True)
    else:
        Console(width=120).print(show(promises))
    return 0 if all(each.is_met for each in promises) else 1


def show(promises: Sequence[Promise]) -> Table:
    table = Table(title=f"On {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name in ("what", "found", "unit", "asked", "", "note"):
        table.add_column(name, justify="right" if name == "found" else "left")
    for each in promises:
        table.add_row(each.what, f"{each.found:,.4g}", each.unit, each.asked, each.verdict, each.note)
    return table
