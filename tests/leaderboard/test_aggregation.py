"""Aggregation: tables of cases, then every query of the oracle that our rule is meant to agree with."""

import json
import lzma
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grading.catalogue import shipped_benchmarks
from grading.medals import Medal
from grading.splits import Split
from leaderboard.aggregation import Figure, RunResult, aggregate, mean_and_sem

GOLD = RunResult(Medal.GOLD, above_median=True, is_valid=True)
SILVER = RunResult(Medal.SILVER, above_median=True, is_valid=True)
BRONZE = RunResult(Medal.BRONZE, above_median=True, is_valid=True)
ABOVE = RunResult(Medal.NONE, above_median=True, is_valid=True)
BELOW = RunResult(Medal.NONE, above_median=False, is_valid=True)
INVALID = RunResult(Medal.NONE, above_median=False, is_valid=False)
FOUR = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([50.0], Figure(50.0, None)),
        ([50.0, 50.0, 50.0], Figure(50.0, 0.0)),
        ([40.0, 60.0], Figure(50.0, 10.0)),
        ([10.0, 20.0, 30.0], Figure(20.0, 10 / 3**0.5)),
    ],
)
def test_mean_and_sem(values: list[float], expected: Figure) -> None:
    found = mean_and_sem(values)
    assert found.mean == expected.mean
    assert found.sem == pytest.approx(expected.sem) if expected.sem is not None else found.sem is None


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        # any, gold, silver, bronze, above median, valid, submitted, missing
        ({"a": GOLD, "b": SILVER, "c": BRONZE, "d": BELOW}, (75, 25, 25, 25, 75, 100, 100, 0)),
        ({"a": ABOVE, "b": INVALID, "c": BELOW, "d": BELOW}, (0, 0, 0, 0, 25, 75, 100, 0)),
        ({"a": GOLD, "z": GOLD}, (25, 25, 0, 0, 25, 25, 25, 3)),
        ({}, (0, 0, 0, 0, 0, 0, 0, 4)),
    ],
)
def test_one_seed_counts_over_all_competitions(
    results: dict[str, RunResult], expected: tuple[int, ...]
) -> None:
    found = aggregate({"1": results}, FOUR).per_seed["1"]
    names = ("any_medal", "gold", "silver", "bronze", "above_median", "valid", "submitted", "missing")
    assert tuple(getattr(found, name) for name in names) == expected


def test_a_missing_run_is_a_failure_of_its_own_seed() -> None:
    found = aggregate({"1": {"a": GOLD, "b": GOLD}, "2": {"a": GOLD, "b": GOLD, "c": GOLD, "d": GOLD}}, FOUR)
    assert (found.missing_runs, found.total_runs) == (2, 8)
    assert [seed.any_medal for seed in found.per_seed.values()] == [50.0, 100.0]
    assert found.figure("any_medal") == Figure(75.0, 25.0)


def test_nothing_to_average_is_an_error() -> None:
    with pytest.raises(ValueError, match="no competitions"):
        aggregate({"1": {}}, ())
    with pytest.raises(ValueError, match="no seed"):
        aggregate({}, FOUR).figure("any_medal")


# The oracle: made-up reports, aggregated by the benchmark's own script.

ORACLE = Path(__file__).parent.parent / "data" / "oracle_aggregate.json.xz"
# A list of 30 competitions that the benchmark keeps elsewhere; no split of ours.
FOREIGN_SPLIT = "systemcard"
# Reports there hold flags that deny each other: gold beside silver, a valid submission that does not exist.
CONTRADICTORY = "truthy_values_and_two_medal_flags_count_once"
METRICS = {
    "any_medal_percentage": "any_medal",
    "gold_medal_percentage": "gold",
    "above_median_percentage": "above_median",
    "valid_submissions_percentage": "valid",
    "silver_medal_percentage": "silver",
    "bronze_medal_percentage": "bronze",
    "submission_exists_percentage": "submitted",
}
Reports = Mapping[str, Mapping[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Query:
    """One question to the benchmark's script.

    `reports`: of the seeds it asks for, by competition of the split. `gaps`: what each seed lacks, asked
    for or not, since the script fills up the first seeds from the later ones.
    """

    scenario: str
    competitions: frozenset[str]
    reports: Reports
    gaps: frozenset[frozenset[str]]
    pads: bool
    enough_seeds: bool
    expected: Mapping[str, Any]

    def __str__(self) -> str:
        padding = "padded" if self.pads else "not padded"
        return f"{self.scenario}: {len(self.competitions)} competitions, {len(self.reports)} seeds, {padding}"

    @property
    def kind(self) -> str:
        """Whether the benchmark's answer is the one ours must give, and if not, why not."""
        if not self.enough_seeds:
            return "fewer seeds than asked for"
        if self.gaps == {self.competitions}:
            return "not attempted"
        if len(self.gaps) > 1:
            return "borrows across seeds"
        return "agrees" if self.gaps == {frozenset()} or self.pads else "refuses what is missing"

    @property
    def runs(self) -> dict[str, dict[str, RunResult]]:
        return {
            label: {key: _result(report) for key, report in seed.items() if _was_handed_in(report)}
            for label, seed in self.reports.items()
        }


def _result(report: Mapping[str, Any]) -> RunResult:
    medal = next((m for m in (Medal.GOLD, Medal.SILVER, Medal.BRONZE) if report[f"{m}_medal"]), Medal.NONE)
    return RunResult(medal, bool(report["above_median"]), bool(report["valid_submission"]))


def _was_handed_in(report: Mapping[str, Any]) -> bool:
    return bool(report["submission_exists"] or report["valid_submission"])


def _by_seed(scenario: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """One seed per file, in the order of names; what a file holds twice belongs to a second seed of it."""
    seeds: dict[str, dict[str, Any]] = {}
    for name, report in sorted(
        zip(scenario["files"], scenario["reports"], strict=True), key=lambda pair: pair[0]
    ):
        seen: Counter[str] = Counter()
        for each in report["competition_reports"]:
            competition = each["competition_id"]
            label = f"{name}#{seen[competition]}" if seen[competition] else name
            seeds.setdefault(label, {})[competition] = each
            seen[competition] += 1
    return seeds


def _members(split: str) -> frozenset[str]:
    splits = shipped_benchmarks()["mle-bench-v1"].splits
    if split in splits:
        return frozenset({split})
    wanted = Split.ALL if split == "split75" else Split(split)
    return frozenset(competition for competition, stored in splits.items() if stored in wanted.members)


def _ask(name: str, seeds: Reports, query: Mapping[str, Any]) -> Query:
    competitions, wanted = _members(query["split"]), query["num_seeds"]
    within = {label: {k: v for k, v in seed.items() if k in competitions} for label, seed in seeds.items()}
    chosen = dict(list(within.items())[: len(within) if wanted == -1 else max(wanted, 0)])
    return Query(
        scenario=name,
        competitions=competitions,
        reports=chosen,
        gaps=frozenset(competitions - set(seed) for seed in within.values()),
        pads=query["pad_missing"],
        enough_seeds=bool(chosen) and wanted in (-1, len(chosen)),
        expected=query["expected"],
    )


def load_queries() -> list[Query]:
    return [
        _ask(scenario["name"], _by_seed(scenario), query)
        for scenario in json.loads(lzma.decompress(ORACLE.read_bytes()))
        for query in scenario["queries"]
        if query["split"] != FOREIGN_SPLIT
    ]


QUERIES = load_queries()


def test_what_the_oracle_covers() -> None:
    """So that no test below runs on nothing."""
    assert Counter(query.kind for query in QUERIES) == {
        "agrees": 60,
        "borrows across seeds": 20,
        "refuses what is missing": 4,
        "not attempted": 4,
        "fewer seeds than asked for": 16,
    }


@pytest.mark.parametrize("query", [q for q in QUERIES if q.kind == "agrees"], ids=str)
def test_agrees_with_the_benchmark(query: Query) -> None:
    found = aggregate(query.runs, query.competitions)
    agreed = list(METRICS.items())[:4] if query.scenario == CONTRADICTORY else METRICS.items()
    for theirs, ours in agreed:
        expected, figure = query.expected["metrics"][theirs], found.figure(ours)
        assert figure.mean == pytest.approx(expected["mean"], abs=1e-9), ours
        # The benchmark prints 0 for the SEM of one seed; there is none.
        sem = 0.0 if len(query.reports) == 1 else figure.sem
        assert sem == pytest.approx(expected["standard_error"], abs=1e-9), ours
    per_seed = sorted(seed.any_medal for seed in found.per_seed.values())
    assert per_seed == pytest.approx(sorted(query.expected["per_seed_any_medal"]))


@pytest.mark.parametrize(
    "query", [q for q in QUERIES if q.kind in ("borrows across seeds", "refuses what is missing")], ids=str
)
def test_says_what_is_missing_where_the_benchmark_borrows_or_refuses(query: Query) -> None:
    """No seed is filled with another's run, none is dropped, and every gap is counted in its own seed."""
    found = aggregate(query.runs, query.competitions)
    assert set(found.per_seed) == set(query.reports)
    for label, reports in query.reports.items():
        handed_in = sum(map(_was_handed_in, reports.values()))
        assert found.per_seed[label].missing == len(query.competitions) - handed_in
    assert found.missing_runs >= len(query.competitions) * len(query.reports) - sum(
        map(len, query.reports.values())
    )
    assert found.total_runs == len(query.competitions) * len(query.reports)
