"""`rankings`."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..answers import Ranking
from ..client import Client
from ..errors import Exit
from .terminal import Terminal

DASH = "–"


def run_rankings(said: argparse.Namespace, terminal: Terminal) -> int:
    board = (said.track, said.benchmark, said.split)
    with Client(said.url) as client:
        if said.format == "csv":
            terminal.raw(client.rankings_csv(*board, exact=said.exact))
            return int(Exit.OK)
        ranking = client.rankings(*board, exact=said.exact)
    if said.format == "json":
        terminal.raw(json.dumps(ranking.plain, indent=1, ensure_ascii=False) + "\n")
    else:
        show_ranking(ranking, terminal)
    return int(Exit.OK)


def show_ranking(ranking: Ranking, terminal: Terminal) -> None:
    """The board as a table; a split that was not attempted says so by a dash, which is not 0."""
    others = [split for split in ranking.splits if split != ranking.split]
    is_mixed = len({row.get("track") for row in ranking.rows}) > 1
    headings = [("Rank", "right"), ("Agent", "left"), ("Organisation", "left"), ("llms", "left")]
    headings += [(f"{split.capitalize()} %", "right") for split in (ranking.split, *others)]
    headings += [("Seeds", "right"), *([("Track", "left")] if is_mixed else [])]
    title = f"{ranking.title} · {ranking.benchmark} · {ranking.split}"
    terminal.table(headings, (_cells(row, ranking.split, others, is_mixed) for row in ranking.rows), title)
    if not ranking.rows:
        terminal.note("No entries yet.")
    built = ranking.snapshot.get("built_at")
    terminal.note("Any Medal, mean ± SEM over seeds." + (f" As of {built}." if built else ""))


def _cells(row: Mapping[str, Any], split: str, others: list[str], with_track: bool) -> Iterator[str]:
    result, results = row.get("result") or {}, row.get("results") or {}
    yield _rank(row)
    yield " ".join(filter(None, [row["agent"], row.get("version")]))
    yield row["organisation"]
    yield _llms(row)
    yield _figure(results.get(split), with_sem=True)
    for each in others:
        yield _figure(results.get(each), with_sem=False)
    yield DASH if result.get("seeds") is None else str(result["seeds"])
    if with_track:
        yield str(row.get("track", ""))


def _llms(row: Mapping[str, Any]) -> str:
    """As the board says it."""
    return ", ".join(row.get("llms") or ()) or ("none" if row.get("no_llm") else "undisclosed")


def _rank(row: Mapping[str, Any]) -> str:
    """A range where the order cannot be told from noise: "1–3"."""
    sure = row.get("statistics") or {}
    low, high = sure.get("rank_low"), sure.get("rank_high")
    if sure.get("applies") and low is not None and high is not None and low != high:
        return f"{low}–{high}"
    return DASH if row["rank"] is None else str(row["rank"])


def _figure(result: Mapping[str, Any] | None, with_sem: bool) -> str:
    if not result or result.get("any_medal_mean") is None:
        return DASH
    sem = result.get("any_medal_sem") if with_sem else None
    return f"{result['any_medal_mean']:.2f}" + (f" ± {sem:.2f}" if sem is not None else "")
