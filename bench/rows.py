"""The table of sizes, `rows.toml`, as values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

TABLE = Path(__file__).with_name("rows.toml")


@dataclass(frozen=True)
class Size:
    """How large one competition is made; the words are explained in `rows.toml`."""

    rows: int
    source: str
    id: str
    given: int = 0
    first: int = 0
    least: int = 24
    classes: int = 0
    objects: int = 0
    height: int = 0
    width: int = 0
    filler: int = 6

    @property
    def is_assumption(self) -> bool:
        return self.source.startswith("assumption")

    def scaled(self, scale: float) -> Size:
        """The same with so many times the rows, never below the least, and images smaller in the same way."""
        side = min(1.0, scale) ** 0.5
        return replace(
            self,
            rows=max(min(self.least, self.rows), round(self.rows * scale)),
            given=round(self.given * scale),
            height=round(self.height * side) if self.rows <= self.least else self.height,
            width=round(self.width * side) if self.rows <= self.least else self.width,
        )


@cache
def sizes() -> Mapping[str, Size]:
    """The size of every competition, by id."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return MappingProxyType({name: Size(**size) for name, size in table.items()})
