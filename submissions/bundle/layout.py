"""Where in a bundle a file may lie, and what it is there."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
HOURS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?")
RUN_CARDS = ("run_card.yaml", "run_card.yml", "run_card.json")
GRADING_REPORT = "grading_report.json"
COMPRESSIONS = {"submission.csv": "none", "submission.csv.gz": "gzip", "submission.csv.zst": "zstd"}
NOISE_FOLDERS = {"__MACOSX"}
NOISE_FILES = {".DS_Store", "Thumbs.db", "desktop.ini"}

EXPECTED_LAYOUT = (
    "<seed>/<competition-id>/submission.csv (or .csv.gz, .csv.zst), or the benchmark's own "
    "<run-group>/<competition-id>_<suffix>/submission/submission.csv"
)


class Kind(StrEnum):
    """What a kept file is."""

    SUBMISSION = "submission"
    CHECKPOINT = "checkpoint"
    LOG = "log"
    CODE = "code"
    RUN_CARD = "run_card"
    GRADING_REPORT = "grading_report"


EVIDENCE = {"logs": Kind.LOG, "code": Kind.CODE}


@dataclass(frozen=True, slots=True)
class Place:
    """What the layout says of one path. `top`: the folder that wraps everything, if the path lies in one.

    Evidence that belongs to no single run has neither seed nor competition.
    """

    kind: Kind
    seed: str | None = None
    competition_id: str | None = None
    checkpoint_hours: float | None = None
    compression: str = "none"
    in_run_group: bool = False
    top: str | None = None


@dataclass(frozen=True)
class Layout:
    """The layout of docs/bundle-format.md for a benchmark's competition ids."""

    competitions: frozenset[str]

    def find_place(self, parts: Sequence[str]) -> Place | None:
        """The place of a path, directly or inside one folder that wraps everything; None: nowhere."""
        place = self._find(parts)
        if place is None and len(parts) > 1 and (inner := self._find(parts[1:])):
            place = replace(inner, top=parts[0])
        return place

    def explain(self, parts: Sequence[str], *, hint: bool) -> str:
        """Why a path without a place is ignored; with `hint`, the nearest competition to a misspelt one."""
        if is_noise(parts):
            return "made by the operating system"
        if parts[-1] in COMPRESSIONS:
            return self._explain_submission(parts, hint)
        if self._competition_folder(parts):
            return (
                "beside a competition's files, only submission.csv (or .csv.gz, .csv.zst; in lower case), "
                "checkpoints/<hours>/, logs/ and code/ are read"
            )
        return "not a place of the layout"

    def _find(self, parts: Sequence[str]) -> Place | None:
        match parts:
            case [name] if name in RUN_CARDS:
                return Place(Kind.RUN_CARD)
            case [name] if name == GRADING_REPORT:
                return Place(Kind.GRADING_REPORT)
            case [folder, _, *_] if folder in EVIDENCE:
                return Place(EVIDENCE[folder])
            case [seed, competition, *rest] if competition in self.competitions:
                return _find_in_competition(seed, competition, rest)
            case [group, attempt, *rest] if attempted := self._attempted(attempt):
                return _find_in_attempt(group, attempted, rest)
        return None

    def _attempted(self, folder: str) -> str | None:
        """The competition of a run-group's '<competition-id>_<suffix>': the longest id that fits."""
        cuts = [at for at, character in enumerate(folder) if character == "_" and at < len(folder) - 1]
        return next((folder[:at] for at in reversed(cuts) if folder[:at] in self.competitions), None)

    def _competition_folder(self, parts: Sequence[str]) -> bool:
        return any(part in self.competitions or self._attempted(part) for part in parts[1:3])

    def _explain_submission(self, parts: Sequence[str], hint: bool) -> str:
        folders = [part for part in parts[:-1] if part != "submission"]
        if len(parts) < 3 or not folders:
            return f"predictions belong at {EXPECTED_LAYOUT}"
        name = folders[-1]
        if name in self.competitions or self._attempted(name) or "checkpoints" in folders:
            return f"not a place of the layout; predictions belong at {EXPECTED_LAYOUT}"
        near = _nearest(name[:100], self.competitions) if hint else None
        return "no competition of this benchmark has the id of its folder" + (
            f"; did you mean '{near}'?" if near else ""
        )


def is_noise(parts: Sequence[str]) -> bool:
    """Files that macOS and Windows put beside one's own."""
    return parts[0] in NOISE_FOLDERS or parts[-1] in NOISE_FILES or parts[-1].startswith("._")


def _find_in_competition(seed: str, competition: str, rest: Sequence[str]) -> Place | None:
    match rest:
        case [name] if name in COMPRESSIONS:
            return Place(Kind.SUBMISSION, seed, competition, compression=COMPRESSIONS[name])
        case ["checkpoints", hours, name] if name in COMPRESSIONS and HOURS.fullmatch(hours):
            return Place(Kind.CHECKPOINT, seed, competition, float(hours), COMPRESSIONS[name])
        case [folder, _, *_] if folder in EVIDENCE:
            return Place(EVIDENCE[folder], seed, competition)
    return None


def _find_in_attempt(group: str, competition: str, rest: Sequence[str]) -> Place | None:
    match rest:
        case ["submission", name] if name in COMPRESSIONS:
            return Place(
                Kind.SUBMISSION, group, competition, compression=COMPRESSIONS[name], in_run_group=True
            )
        case [folder, _, *_] if folder in EVIDENCE:
            return Place(EVIDENCE[folder], group, competition, in_run_group=True)
    return None


@lru_cache(maxsize=256)
def _nearest(name: str, competitions: frozenset[str]) -> str | None:
    """Also tried without a run-group suffix, which would hide a small slip."""
    for candidate in dict.fromkeys((name, name.rpartition("_")[0])):
        if found := difflib.get_close_matches(candidate, sorted(competitions), 1, 0.6):
            return found[0]
    return None
