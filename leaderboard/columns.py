"""The columns of a board: their words, what they sort by, and the fields of a row that they stand for. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

Row = Mapping[str, Any]
Key = float | str | tuple[Any, ...]
RANK = "rank"
# They name the line; without them it could not be told whose figures these are.
ALWAYS = ("rank", "agent")
# What the date of an entry (`run_on`) is: nobody is asked when the runs were made.
DATED = "the day the bundle was handed in or, of an imported row, the day that its table gives"


@dataclass(frozen=True)
class Column:
    """`value`: what a row is sorted by, None where that is not known; `fields`: those of the API that it shows.

    `falls`: whether the first click puts the largest on top.
    """

    name: str
    title: str
    value: Callable[[Row], Key | None]
    fields: tuple[str, ...]
    falls: bool = True


def _figure(name: str) -> Callable[[Row], Key | None]:
    return lambda row: row["result"][name] if row["result"] else None


def _split(name: str) -> Callable[[Row], Key | None]:
    return lambda row: (row["results"].get(name) or {}).get("any_medal_mean")


def _field(name: str) -> Callable[[Row], Key | None]:
    return lambda row: row[name]


@lru_cache(maxsize=2**15)
def natural(text: str) -> tuple[Any, ...]:
    """A key by which "Agent 9" comes before "Agent 10", capitals or not."""
    parts = re.split(r"(\d{1,18})", text.casefold())
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts)


def _text(name: str) -> Callable[[Row], Key | None]:
    return lambda row: natural(row[name]) if row[name] else None


def _llms(row: Row) -> Key | None:
    if row["no_llm"]:
        return natural("none")
    return natural(", ".join(row["llms"])) if row["llms"] else None


def _medals(row: Row) -> Key | None:
    """Gold before silver before bronze."""
    result = row["result"]
    if not result or result["gold_count"] is None:
        return None
    return (result["gold_count"], result["silver_count"], result["bronze_count"])


def _scores(row: Row) -> Key | None:
    """The mean over the seeds that have a score."""
    known = [score for score in row["seed_scores"].values() if score is not None]
    return sum(known) / len(known) if known else None


COLUMNS = {
    column.name: column
    for column in (
        Column(RANK, "Rank", _field("position"), ("rank", "position", "view_position"), falls=False),
        Column("agent", "Agent", _text("agent"), ("agent", "version", "organisation"), falls=False),
        Column("scores", "Score by seed", _scores, ("competition", "seed_scores")),
        Column("any_medal", "Any Medal %", _figure("any_medal_mean"), ("result",)),
        Column("above_median", "Above median %", _figure("above_median_mean"), ("result",)),
        Column("low", "Low (Lite)", _split("low"), ("results",)),
        Column("medium", "Medium", _split("medium"), ("results",)),
        Column("high", "High", _split("high"), ("results",)),
        Column("medals", "Medals, all seeds", _medals, ("result",)),
        Column("llm", "LLM", _llms, ("llms", "no_llm"), falls=False),
        Column("seeds", "Seeds", _figure("seeds"), ("result",)),
        Column("hours", "Hours", _field("hours"), ("hours",), falls=False),
        Column("hardware", "GPU, vCPUs", lambda row: _hardware(row), ("gpus", "gpu_model", "vcpus")),
        Column("ram", "RAM GB", _field("ram_gb"), ("ram_gb",)),
        Column("cost", "Cost USD", _field("cost_usd"), ("cost_usd",), falls=False),
        Column("date", "Date", _field("run_on"), ("run_on",)),
        Column("disclosed", "Disclosed", lambda row: row["disclosed"]["answered"], ("disclosed",)),
        Column("open", "Open", lambda row: _open(row), ("source", "source_available", "reports_available")),
    )
}
# Shown where a reader has chosen none; the others are there for the asking.
USUAL = tuple(name for name in COLUMNS if name != "ram")


def _open(row: Row) -> Key | None:
    """Code before reports before graded here; a row that does not say whether its code is open says nothing here."""
    code = row["source_available"]
    return None if code is None else (code, bool(row["reports_available"]), row["source"] == "graded")


def _hardware(row: Row) -> Key | None:
    """By GPUs, then by vCPUs; a row that says nothing of GPUs says nothing here."""
    return None if row["gpus"] is None else (row["gpus"], row["vcpus"] or 0.0)


def order_rows(
    rows: Sequence[dict[str, Any]],
    name: str,
    falling: bool,
    look: Callable[[dict[str, Any]], Row] = lambda row: row,
) -> list[int]:
    """The places of the rows by a column; those without a value last in both directions, equals as they stood.

    `look`: what the value is taken from, where that is not the row as it is.
    """
    value = COLUMNS[name].value
    keys: list[Any] = [value(look(row)) for row in rows]
    known = [at for at, key in enumerate(keys) if key is not None]
    known.sort(key=keys.__getitem__, reverse=falling)
    return known + [at for at, key in enumerate(keys) if key is None]


def sort_rows(rows: Sequence[dict[str, Any]], name: str, falling: bool) -> list[dict[str, Any]]:
    """The rows by a column."""
    return [rows[at] for at in order_rows(rows, name, falling)]


def fields_of(columns: Iterable[str]) -> list[str]:
    """The fields of the API that columns stand for, each once; which entry it is comes first."""
    names = ["entry", "slug", "url", *(field for name in columns for field in COLUMNS[name].fields)]
    return list(dict.fromkeys(names))
