"""Finding in folders what belongs into a bundle, by the server's own layout."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import ClientError
from .rules import Kind, Layout, is_noise, shown

TOP_KINDS = frozenset({Kind.RUN_CARD, Kind.GRADING_REPORT})


@dataclass(frozen=True)
class FoundFile:
    """A file that goes into the bundle as `name`. `seed` is the folder it lies in, as the layout reads it."""

    name: str
    path: Path
    size: int
    kind: Kind
    seed: str | None
    is_in_run_group: bool


@dataclass(frozen=True)
class LeftOut:
    """A file or folder that does not go into the bundle, and why. `count`: how many files it stands for."""

    name: str
    reason: str
    count: int = 1

    @property
    def looks_like_predictions(self) -> bool:
        return re.search(r"(^|/)submission\.csv(\.gz|\.zst)?$", self.name, re.IGNORECASE) is not None


@dataclass(frozen=True)
class Found:
    files: tuple[FoundFile, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def run_groups(self) -> list[str]:
        return sorted({file.seed for file in self.files if file.is_in_run_group and file.seed})

    @property
    def seeds(self) -> list[str]:
        return sorted({file.seed for file in self.files if file.kind is Kind.SUBMISSION and file.seed})

    @property
    def run_card(self) -> FoundFile | None:
        return next((file for file in self.files if file.kind is Kind.RUN_CARD), None)


@dataclass(frozen=True)
class Wanted:
    """Which of the optional evidence goes in."""

    logs: bool = True
    code: bool = True

    def reason_against(self, kind: Kind) -> str | None:
        if kind is Kind.LOG and not self.logs:
            return "logs are left out, as asked (--no-logs)"
        if kind is Kind.CODE and not self.code:
            return "code is left out, as asked (--no-code)"
        return None


def find_files(folders: Sequence[Path], layout: Layout, wanted: Wanted) -> Found:
    """What of these folders belongs into a bundle, sorted by name, and what does not.

    One folder may hold seeds or run groups, or be a single one; of several, each is a single one.
    Raises ClientError for what is no folder, cannot be read, or is given twice.
    """
    files: list[FoundFile] = []
    left_out: list[LeftOut] = []
    for folder, prefix in _with_prefixes(folders, layout):
        for inner, path in _walk(folder):
            found = _judge(_name(inner, prefix, len(folders), layout), path, layout, wanted)
            files += [found] if isinstance(found, FoundFile) else []
            left_out += [found] if isinstance(found, LeftOut) else []
    return Found(tuple(sorted(files, key=lambda file: file.name)), tuple(_gathered(left_out)))


def _with_prefixes(folders: Sequence[Path], layout: Layout) -> Iterator[tuple[Path, str]]:
    names: set[str] = set()
    for folder in folders:
        if not folder.is_dir():
            raise ClientError(f"{folder} is no folder. Give the folder that holds the seeds or run groups.")
        name = folder.resolve().name
        if name in names:
            raise ClientError(f"Two folders are called '{name}'. Each is one seed: rename one of them.")
        names.add(name)
        yield folder, f"{name}/" if len(folders) > 1 or _is_single(folder, layout) else ""


def _is_single(folder: Path, layout: Layout) -> bool:
    """Whether the folder is a seed or run group itself: its subfolders are competitions, not seeds."""
    parts = [(folder.resolve().name, child.name, "logs", "x") for child in folder.iterdir() if child.is_dir()]
    return any((place := layout.find_place(each)) is not None and place.competition_id for each in parts)


def _walk(folder: Path) -> Iterator[tuple[str, Path]]:
    """Files and links by their path inside, without following any, in the order of their names."""
    for top, subfolders, names in os.walk(folder, onerror=_cannot_read):
        subfolders.sort()
        linked = [name for name in subfolders if Path(top, name).is_symlink()]
        for name in sorted([*names, *linked]):
            path = Path(top, name)
            yield path.relative_to(folder).as_posix(), path


def _name(inner: str, prefix: str, folders: int, layout: Layout) -> str:
    """The name in the bundle. A run card in a single run group's folder belongs to the bundle, not to the group."""
    place = layout.find_place([inner])
    return inner if folders == 1 and place and place.kind in TOP_KINDS else f"{prefix}{inner}"


def _cannot_read(error: OSError) -> None:
    raise ClientError(f"{error.filename} cannot be read: {error.strerror}.")


def _judge(name: str, path: Path, layout: Layout, wanted: Wanted) -> FoundFile | LeftOut:
    parts = name.split("/")
    place = None if is_noise(parts) else layout.find_place(parts)
    if place is None:
        return LeftOut(shown(name), layout.explain(parts, hint=True))
    if place.kind in TOP_KINDS and len(parts) > 1:
        return LeftOut(shown(name), "belongs at the top, beside the seeds or run groups")
    if reason := wanted.reason_against(place.kind):
        return LeftOut(shown(name), reason)
    if not _is_utf8(name):
        return LeftOut(shown(name), "its name is not UTF-8; rename it with plain letters")
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return LeftOut(shown(name), "a link; put the file itself there")
    if not stat.S_ISREG(status.st_mode):
        return LeftOut(shown(name), "neither a file nor a folder")
    return FoundFile(name, path, status.st_size, place.kind, place.seed, place.in_run_group)


def _is_utf8(name: str) -> bool:
    """False for a name that the file system gave as bytes that are no text."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _gathered(left_out: list[LeftOut]) -> Iterator[LeftOut]:
    """Predictions one by one and first; of the others, those of one folder and reason as one."""
    yield from (each for each in left_out if each.looks_like_predictions)
    groups: dict[tuple[str, str], list[LeftOut]] = {}
    for each in left_out:
        if not each.looks_like_predictions:
            groups.setdefault((each.name.rpartition("/")[0], each.reason), []).append(each)
    for (folder, reason), members in groups.items():
        name = members[0].name if len(members) == 1 else f"{folder or '.'}/"
        yield LeftOut(name, reason, len(members))
