"""Checking the CSVs of a bundle as they come out of it, one at a time."""

import importlib.util
import tempfile
from collections.abc import Callable
from pathlib import Path

from .check import CsvCheck
from .errors import ClientError, Fault
from .rules import KeptMember, MemberSink
from .shapes import Shape

EXTRA = ("numpy", "pyarrow", "rapidfuzz")
INSTALL = "checking CSVs needs NumPy, Arrow and RapidFuzz: pip install 'mlebench-leaderboard[csv]'"
NOT_ON_FILE = "its shape is not on file; fetch it once with --fetch"
NOT_THERE = "the site has no answers of it yet"


def can_check() -> bool:
    """Whether the extra `csv` is installed."""
    return all(importlib.util.find_spec(name) for name in EXTRA)


class ShapeChecker:
    """Checks each CSV whose competition has a shape; notes why not for the others, `absent` where there is none."""

    def __init__(self, find_shape: Callable[[str], Shape | None], absent: str = NOT_ON_FILE) -> None:
        self._find_shape, self._absent = find_shape, absent
        self._shapes: dict[str, Shape | None] = {}
        self.csvs: list[CsvCheck] = []
        self.unchecked: dict[str, str] = {}

    def sink(self, member: KeptMember) -> MemberSink | None:
        """Where the bytes of this CSV go; None where they need not be kept."""
        competition = member.competition_id or ""
        if not can_check():
            self.unchecked[competition] = INSTALL
            return None
        shape = self._shape(competition)
        if shape is None:
            self.unchecked[competition] = self._absent
            return None
        return _Spooled(self, member, shape)

    def take(self, member: KeptMember, shape: Shape, path: Path) -> None:
        """Checks a CSV that is whole."""
        from .csv_rules import CannotCheck, find_reasons  # Only now: it needs the extra.

        competition = member.competition_id or ""
        try:
            self.csvs.append(CsvCheck(member.path, find_reasons(competition, shape, path)))
        except CannotCheck as reason:
            self.unchecked[competition] = str(reason)

    def _shape(self, competition: str) -> Shape | None:
        if competition not in self._shapes:
            # One at a time: the shapes of all competitions together are large, and runs come seed by seed.
            if len(self._shapes) > 8:
                self._shapes.clear()
            self._shapes[competition] = self._find_shape(competition)
        return self._shapes[competition]


class _Spooled:
    """A CSV on disk while it is checked."""

    def __init__(self, checker: ShapeChecker, member: KeptMember, shape: Shape) -> None:
        self._checker, self._member, self._shape = checker, member, shape
        self._folder = tempfile.TemporaryDirectory(prefix="mlebench-")
        self._path = Path(self._folder.name) / "submission.csv"
        self._file = self._path.open("wb")

    def write(self, data: bytes, /) -> None:
        self._file.write(data)

    def close(self) -> None:
        self._file.close()
        try:
            self._checker.take(self._member, self._shape, self._path)
        finally:
            self._folder.cleanup()

    def abort(self) -> None:
        self._file.close()
        self._folder.cleanup()


def check_one(
    competition: str, path: Path, shape: Shape | None, absent: str = NOT_ON_FILE
) -> tuple[Fault, ...]:
    """Every reason why a single CSV is invalid. Raises ClientError where it cannot be checked."""
    if not can_check():
        raise ClientError(f"{INSTALL[0].upper()}{INSTALL[1:]}.")
    from .csv_rules import CannotCheck, find_reasons  # Only now: it needs the extra.

    if shape is None:
        raise ClientError(f"{competition} cannot be checked: {absent}.")
    try:
        return find_reasons(competition, shape, path)
    except CannotCheck as reason:
        raise ClientError(f"{competition} cannot be checked: {reason}.") from None
