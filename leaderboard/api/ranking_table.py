"""A board as a flat table, for CSV and Parquet: one line per entry."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from leaderboard.api.tables import Kind, TableColumn, column, columns

Row = Mapping[str, Any]
PLAIN = columns(
    {
        Kind.WHOLE: "rank position view_position entry",
        Kind.DAY: "run_on",
        Kind.FLAG: "no_llm answers_public source_available reports_available",
    },
    "rank position view_position entry slug url agent version organisation llms no_llm run_on track scope source "
    "source_text source_available reports_available answers_public",
)
FIGURES = (
    "any_medal_mean", "any_medal_sem", "seeds", "gold_mean", "silver_mean", "bronze_mean", "above_median_mean",
    "valid_mean", "submitted_mean", "padded",
)  # fmt: skip
WITH_WHAT = columns(
    {Kind.NUMBER: "hours vcpus ram_gb gpus cost_usd"},
    "hours vcpus ram_gb gpus gpu_model cost_usd competition",
)


def _statistic(name: str, kind: Kind = Kind.NUMBER) -> TableColumn:
    return TableColumn(name, kind, lambda row: (row["statistics"] or {}).get(name), "statistics")


STATISTICS = [
    _statistic("rank_low", Kind.WHOLE),
    _statistic("rank_high", Kind.WHOLE),
    _statistic("interval_low"),
    _statistic("interval_high"),
    _statistic("tied_with_leader", Kind.FLAG),
    _statistic("p_adjusted"),
    _statistic("pass_at_k", Kind.TEXT),
    column("cost_per_medal", Kind.NUMBER),
]


def ranking_columns(splits: Sequence[str], fields: Collection[str] = ()) -> list[TableColumn]:
    """The columns, or those of certain fields; splits have a mean and a SEM each."""
    every = [*PLAIN, *map(_figure, FIGURES), *_of_splits(splits), *STATISTICS, *WITH_WHAT, *_of_notes()]
    return [column for column in every if not fields or column.of in fields]


def _figure(name: str) -> TableColumn:
    kind = {"seeds": Kind.WHOLE, "padded": Kind.TEXT}.get(name, Kind.NUMBER)
    return TableColumn(name, kind, lambda row: (row["result"] or {}).get(name), "result")


def _of_splits(splits: Sequence[str]) -> list[TableColumn]:
    return [
        TableColumn(f"{split}_{part}", Kind.NUMBER, _of_split(split, f"any_medal_{part}"), "results")
        for split in splits
        for part in ("mean", "sem")
    ]


def _of_split(split: str, name: str) -> Callable[[Row], Any]:
    return lambda row: (row["results"].get(split) or {}).get(name)


def _of_notes() -> list[TableColumn]:
    def of_warning(name: str) -> Callable[[Row], Any]:
        return lambda row: (row["warning"] or {}).get(name)

    return [
        TableColumn("masked", Kind.TEXT, lambda row: (row["masked"] or {}).get("text"), "masked"),
        TableColumn("masked_competitions", Kind.TEXT, _masked, "masked"),
        column("rank_shift", Kind.WHOLE),
        TableColumn("disclosed", Kind.WHOLE, lambda row: row["disclosed"]["answered"], "disclosed"),
        TableColumn(
            "undisclosed", Kind.TEXT, lambda row: "; ".join(row["disclosed"]["missing"]), "disclosed"
        ),
        TableColumn("seed_scores", Kind.TEXT, _seed_scores, "seed_scores"),
        TableColumn("warning", Kind.TEXT, of_warning("reason"), "warning"),
        TableColumn("decision", Kind.WHOLE, of_warning("decision"), "warning"),
    ]


def _masked(row: Row) -> str:
    """The ids, by decision in the order of these."""
    return "; ".join(key for by in (row["masked"] or {"by": []})["by"] for key in by["competitions"])


def _seed_scores(row: Row) -> str:
    return "; ".join(f"{seed}: {score}" for seed, score in row["seed_scores"].items())
