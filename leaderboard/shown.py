"""A standing as it is shown: the one row that page, CSV and API print, so that their numbers agree. Pure."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from leaderboard.disclosure import find_disclosed
from leaderboard.parts import Named, Parts, read_named
from leaderboard.ranking import Line, rank_lines

Row = dict[str, Any]


class Standing(Protocol):
    """A line of a board with what is stored of it; `parts` is the same on all of its lines."""

    @property
    def position(self) -> int: ...
    @property
    def rank(self) -> int | None: ...
    @property
    def row(self) -> Mapping[str, Any]: ...
    @property
    def parts(self) -> Mapping[str, str]: ...


def show_rows(board: Sequence[Standing]) -> list[Row]:
    """The rows of a whole board in its order."""
    named = read_named(board[0].parts) if board else {}
    return [show_row(each.position, each.rank, each.row, named) for each in board]


def show_row(
    position: int, rank: int | None, row: Mapping[str, Any], named: Named = MappingProxyType({})
) -> Row:
    """The row of the API. `row` is what the standing keeps; percentages are 0-100, None is not known.

    `named`: the parts of the board's competitions.
    """
    split = row["split"]
    return {
        "rank": rank,
        "position": position,
        "entry": row["entry"],
        "slug": row["slug"],
        "url": f"/entries/{row['slug']}/",
        **{name: row[name] for name in WHO},
        "result": _result(row) if row["any_medal"][split] else None,
        "results": {name: _short(figures) for name, figures in row["any_medal"].items()},
        "competition": row["score"]["competition"] if row["score"] else None,
        "seed_scores": row["score"]["per_seed"] if row["score"] else {},
        **{name: row[name] for name in WITH_WHAT},
        "disclosed": find_disclosed(row),
        "badges": _badges(row),
        "warning": row["warning"],
        "flags": row["flags"],
        # Snapshots of before have none of these.
        **{name: row.get(name) for name in ("masks", "statistics", "cost_per_medal", "masked")},
        "categories": show_categories(row, named),
        "nothing_counted": row.get("nothing_counted", []),
        "rank_shift": None,
    }


WHO = (
    "agent", "agent_slug", "version", "organisation", "organisation_slug", "llms", "no_llm", "run_on", "track",
    "track_title", "scope", "source", "source_text", "answers_public", "source_available",
    "reports_available", "notes",
)  # fmt: skip
WITH_WHAT = ("hours", "vcpus", "ram_gb", "gpus", "gpu_model", "cost_usd")


def show_categories(row: Mapping[str, Any], named: Named) -> Mapping[str, Row] | None:
    """Any Medal by category; None where no statistics are known. Rows of before keep theirs made."""
    if "medals" not in row:
        return row.get("categories")
    medals = row["medals"]
    return Parts(named, medals["won"], medals["counted"]) if medals else {}


def _short(figures: Mapping[str, Any] | None) -> Row | None:
    """Any Medal of one split; None where it was not attempted."""
    if figures is None:
        return None
    return {"any_medal_mean": figures["mean"], "any_medal_sem": figures["sem"], "seeds": figures["n"]}


def _result(row: Mapping[str, Any]) -> Row:
    """The board's own split in full."""
    return {
        **(_short(row["any_medal"][row["split"]]) or {}),
        **{f"{medal}_mean": row[medal]["mean"] if row[medal] else None for medal in MEDALS},
        **{f"{medal}_count": row[medal]["count"] if row[medal] else None for medal in MEDALS},
        "above_median_mean": row["above_median"],
        "valid_mean": row["valid"],
        "submitted_mean": row["submitted"],
        "padded": row["padded"],
    }


MEDALS = ("gold", "silver", "bronze")


def _badges(row: Mapping[str, Any]) -> list[Row]:
    """How far to trust the line, as kind and words."""
    kind = "graded-here" if row["source"] == "graded" else "self-graded"
    badges = [{"kind": kind, "text": row["source_text"]}, {"kind": row["track"], "text": row["track_title"]}]
    if row["answers_public"]:
        badges.append({"kind": "answers-public", "text": "answers public"})
    if masked := row.get("masked"):
        badges.append({"kind": "masked", "text": f"{masked['counted']} of {masked['total']} counted"})
    if row["padded"]:
        badges.append({"kind": "padded", "text": row["padded"]})
    return badges


def rank_anew(rows: Sequence[Row]) -> list[Row]:
    """The rows with positions and ranks of their own, for a board that leaves some out."""
    lines = [Line(at, _mean(row), row["rank"] is not None, row["run_on"]) for at, row in enumerate(rows)]
    return [
        {
            **rows[placed.entry],
            "position": placed.position,
            "rank": placed.rank,
            # They hold for the board they were computed for.
            "statistics": None,
        }
        for placed in rank_lines(lines)
    ]


def only_own(rows: Sequence[Row], track: str) -> list[Row]:
    """The rows of a board without those of stricter tracks, ranked anew. The board of all tracks stays whole."""
    return list(rows) if track == "all" else rank_anew([row for row in rows if row["track"] == track])


def _mean(row: Row) -> float | None:
    return row["result"]["any_medal_mean"] if row["result"] else None
