"""How sure the figures of an entry are, from the current standings, for its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grading.splits import Split
from leaderboard.models import Entry, Placement, StoredRow
from leaderboard.parts import read_named
from leaderboard.shown import show_categories
from leaderboard.stored_boards import Standing, find_standings

Json = Mapping[str, Any]
UNKNOWN_LEADER = "The runs of the leader are not known here, so nobody can be compared with it."
MASKS = {
    "none": "All competitions",
    "known-leaks": "Without known leaks of labels",
    "known-issues": "Without any known issue",
}


@dataclass(frozen=True)
class MaskLine:
    """The entry without some competitions. `shift`: ranks won (above 0) or lost by leaving them out."""

    label: str
    competitions: int
    mean: float
    sem: float | None
    rank: int | None
    shift: int | None


@dataclass(frozen=True)
class EntryStatistics:
    """`by_split`: of every split the entry stands on; `own`: of the split it claims as a whole, if it is there."""

    by_split: Mapping[str, Json]
    rank: int | None
    own: Json | None
    cost_per_medal: float | None
    categories: Mapping[str, Json]
    masks: tuple[MaskLine, ...]

    @property
    def verdict(self) -> str:
        return say_verdict(self.own) if self.own else ""


def statistics_of(entry: Entry, placement: Placement | None) -> EntryStatistics:
    """Those of the board of the entry's own track; empty for an entry that stands on none."""
    rows = {standing.split: standing for standing in _standings(entry, placement)}
    own = rows.get(Split(entry.scope).value)
    row = own.row if own else {}
    return EntryStatistics(
        by_split={split: standing.row.get("statistics") or {} for split, standing in rows.items()},
        rank=own.rank if own else None,
        own=row.get("statistics"),
        cost_per_medal=row.get("cost_per_medal"),
        categories=(show_categories(own.row, read_named(own.parts)) or {}) if own else {},
        masks=compare_masks(row.get("masks") or {}),
    )


def _standings(entry: Entry, placement: Placement | None) -> list[Standing]:
    """Those on the boards of its own track."""
    track = placement.track.slug if placement else ""
    return find_standings(StoredRow.objects.filter(entry=entry, until=None, track=track))


def show_standings(entry: Entry, placement: Placement | None) -> list[dict[str, Any]]:
    """The same for programs, narrow splits first."""
    found = {standing.split: standing for standing in _standings(entry, placement)}
    return [
        {
            "split": split.value,
            "rank": standing.rank,
            "position": standing.position,
            # Snapshots of before have neither.
            "statistics": standing.row.get("statistics"),
            "cost_per_medal": standing.row.get("cost_per_medal"),
        }
        for split in Split
        if (standing := found.get(split.value))
    ]


def compare_masks(masks: Mapping[str, Json]) -> tuple[MaskLine, ...]:
    """The masks that leave something out, under the whole; nothing where none does."""
    whole = masks.get("none")
    if whole is None:
        return ()
    lines = [
        MaskLine(label, *_figures(masks[name]), _shift(whole, masks[name]))
        for name, label in MASKS.items()
        if name in masks and (name == "none" or masks[name]["competitions"] < whole["competitions"])
    ]
    return tuple(lines) if len(lines) > 1 else ()


def _figures(mask: Json) -> tuple[int, float, float | None, int | None]:
    return mask["competitions"], mask["mean"], mask["sem"], mask["rank"]


def _shift(whole: Json, mask: Json) -> int | None:
    if whole["rank"] is None or mask["rank"] is None:
        return None
    return int(whole["rank"] - mask["rank"])


def say_verdict(statistics: Json) -> str:
    """Whether it can be told apart from the leader of its board, in a sentence; empty for rows without a range."""
    if statistics["is_leader"]:
        return "It leads the board."
    if statistics["tied_with_leader"] is None:
        return UNKNOWN_LEADER if statistics["applies"] else ""
    where = f"their medal rates differ on {_counted(statistics['differing'])}"
    chance = f"{say_p(statistics['p_adjusted'])} after Holm"
    if statistics["tied_with_leader"]:
        return f"It cannot be told apart from the leader: {where}, {chance}."
    return f"It is behind the leader by more than noise: {where}, {chance}."


def _counted(competitions: int) -> str:
    return "1 competition" if competitions == 1 else f"{competitions} competitions"


def say_p(value: float) -> str:
    """A p value with three decimals, the smallest ones by their bound."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
