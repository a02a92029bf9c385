"""What is printed where: results to the output, everything about the work itself to the error output."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table
from rich.text import Text

from ..errors import Fault

WIDTH_OF_FILES = 160


def plain(value: object) -> str:
    """The value as text that cannot steer a terminal: names and messages come from elsewhere."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in str(value))


class Bar:
    """A bar of bytes on the error output; nothing where that is no terminal."""

    def __init__(self, progress: Progress, title: str, total: int | None) -> None:
        self._progress, self._task = progress, progress.add_task(title, total=total)

    def expect(self, total: int) -> None:
        self._progress.update(self._task, total=total)

    def advance(self, count: int) -> None:
        self._progress.advance(self._task, count)


class Terminal:
    """The two outputs. Nothing printed is read as markup."""

    def __init__(self) -> None:
        self.out = Console(highlight=False, soft_wrap=True)
        if not self.out.is_terminal and "COLUMNS" not in os.environ:
            self.out.width = WIDTH_OF_FILES
        self.err = Console(highlight=False, soft_wrap=True, stderr=True)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.out.print(Text(plain(line)))

    def raw(self, text: str) -> None:
        """Text for another program, as it is."""
        self.out.file.write(text)

    def note(self, *lines: str) -> None:
        for line in lines:
            self.err.print(Text(plain(line), style="dim"))

    def warn(self, line: str) -> None:
        self.err.print(Text(plain(line), style="yellow"))

    def problem(self, line: str) -> None:
        self.err.print(Text(plain(line), style="red"))

    def faults(self, faults: Iterable[Fault], unless: str = "") -> None:
        """Each reason on a line of its own, but not one that was said already."""
        for fault in faults:
            if fault.message != unless:
                self.err.print(Text(plain(f"  {_placed(fault)} [{fault.code}]")))

    def pairs(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Names and values in two columns."""
        rows = [(name, plain(value)) for name, value in pairs]
        width = max((len(name) for name, _ in rows), default=0)
        for name, value in rows:
            self.out.print(Text.assemble((f"{name:<{width}}  ", "dim"), value))

    def table(
        self, headings: Iterable[tuple[str, Any]], rows: Iterable[Iterable[object]], title: str = ""
    ) -> None:
        """`headings`: a title and `left` or `right` for each column. Figures are never broken, words may be."""
        table = Table(title=Text(plain(title)) if title else None, title_justify="left", box=SIMPLE_HEAD)
        for name, side in headings:
            table.add_column(name, justify=side, no_wrap=side == "right", overflow="fold")
        for row in rows:
            table.add_row(*(Text(plain(cell)) for cell in row))
        self.out.print(table, soft_wrap=False)

    @contextmanager
    def bar(self, title: str, total: int | None = None) -> Iterator[Bar]:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(
            *columns, console=self.err, transient=True, disable=not self.err.is_terminal
        ) as progress:
            yield Bar(progress, title, total)


def _placed(fault: Fault) -> str:
    """The sentence, after its place unless it names it."""
    return (
        fault.message
        if not fault.where or fault.where in fault.message
        else f"{fault.where}: {fault.message}"
    )


def count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
