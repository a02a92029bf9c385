"""Loading human leaderboards: each gives exact cut-offs, as a new version beside the old."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from django.db import transaction

from grading.leaderboard_csv import read_leaderboard
from grading.medals import ROUNDING, Direction, LeaderboardError, Thresholds, thresholds_from_leaderboard
from grading.models import Competition, ThresholdsVersion

FILE_NAME = "leaderboard.csv"
CUTOFFS = ("gold", "silver", "bronze", "median")


class LoadedBoard(StrEnum):
    LOADED = "loaded"
    UNCHANGED = "unchanged"
    MISSING = "missing"
    REFUSED = "refused"


@dataclass(frozen=True)
class LoadedLeaderboard:
    """What became of one competition's leaderboard. `reason` says why it was refused, `notes` what is odd about it."""

    competition_id: str
    loaded: LoadedBoard
    thresholds: ThresholdsVersion | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()


def find_leaderboards(directory: Path) -> dict[str, Path]:
    """Where the benchmark's layout has the leaderboard of each competition known here, whether it is there or not."""
    known = Competition.objects.order_by("pk").values_list("pk", flat=True)
    return {competition: directory / competition / FILE_NAME for competition in known}


def load_leaderboards(
    files: Mapping[str, Path], today: date, keep_order: bool = False, force: bool = False
) -> Iterator[LoadedLeaderboard]:
    """Loads each file for its competition, one result as it goes. Done twice, the second time changes nothing.

    A file with less than half of the teams of the version before is refused, unless `force`.
    """
    competitions = Competition.objects.in_bulk(list(files))
    for competition_id, file in files.items():
        if not file.is_file():
            yield LoadedLeaderboard(competition_id, LoadedBoard.MISSING)
            continue
        try:
            yield _load_one(
                competitions[competition_id], file.read_bytes(), file.name, today, keep_order, force
            )
        except LeaderboardError as error:
            yield LoadedLeaderboard(competition_id, LoadedBoard.REFUSED, reason=str(error))


def _load_one(
    competition: Competition, content: bytes, name: str, today: date, keep_order: bool, force: bool
) -> LoadedLeaderboard:
    direction = Direction.LOWER if competition.lower_is_better else Direction.HIGHER
    digest = hashlib.sha256(content).hexdigest()
    scores = read_leaderboard(content, direction, keep_order)
    source = (
        f"human leaderboard, {len(scores):,} teams, {name} (SHA-256 {digest}), loaded on {today.isoformat()}"
    )
    cutoffs = thresholds_from_leaderboard(scores, direction, source)
    with transaction.atomic():
        Competition.objects.select_for_update().get(pk=competition.pk)
        newest = ThresholdsVersion.objects.filter(competition=competition).order_by("-number").first()
        if newest and newest.leaderboard_sha256 == digest:
            return LoadedLeaderboard(competition.pk, LoadedBoard.UNCHANGED, newest)
        if not force:
            _require_teams(len(scores), newest)
        stored = _store(competition, cutoffs, digest, newest.number + 1 if newest else 1)
    return LoadedLeaderboard(
        competition.pk, LoadedBoard.LOADED, stored, notes=tuple(_oddities(cutoffs, newest))
    )


def _require_teams(teams: int, before: ThresholdsVersion | None) -> None:
    """Raises LeaderboardError where so many are gone that the file is more likely a part of the board."""
    if before and before.num_teams and teams * 2 < before.num_teams:
        raise LeaderboardError(
            f"It has {teams:,} teams, the version before {before.num_teams:,}: is the file complete? "
            "If so, say --force."
        )


def _store(competition: Competition, cutoffs: Thresholds, digest: str, number: int) -> ThresholdsVersion:
    return ThresholdsVersion.objects.create(
        competition=competition,
        number=number,
        gold=cutoffs.gold,
        silver=cutoffs.silver,
        bronze=cutoffs.bronze,
        median=cutoffs.median,
        exact=cutoffs.exact,
        num_teams=cutoffs.num_teams,
        source=cutoffs.source,
        leaderboard_sha256=digest,
    )


def _oddities(cutoffs: Thresholds, before: ThresholdsVersion | None) -> Iterator[str]:
    """What a careful reader would ask about, compared with the version before."""
    if before is None:
        return
    if before.num_teams and cutoffs.num_teams != before.num_teams:
        yield f"it has {cutoffs.num_teams:,} teams, the version before {before.num_teams:,}: is the file complete?"
    for name in CUTOFFS:
        old, new = getattr(before, name), getattr(cutoffs, name)
        if abs(Decimal(repr(new)) - Decimal(repr(old))) > ROUNDING:
            yield f"{name} was {old!r} and is {new!r}, which is more than rounding explains"
