"""What hardware and how much time did a run have, the same in all of them, and do the logs agree on the hours?"""

from collections.abc import Mapping
from typing import Any, Final

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
    listed,
)
from leaderboard.integrity.checks.hours import find_longer
from submissions.run_card import title_of

# Source: MLE-bench paper and README, the set-up of the benchmark's own runs.
STANDARD: Final[Mapping[str, float]] = {
    "vcpus": 36, "ram_gb": 440, "disk_gb": 4095, "gpu_count": 1, "gpu_memory_gb": 24, "hours_allowed": 24,
}  # fmt: skip
_ROUNDING = 0.01
HARDWARE: Final = (
    *("vcpus", "ram_gb", "disk_gb", "gpu_count", "gpu_model", "gpu_memory_gb", "hours_allowed"),
    "network_access",
)


def judge(disclosure: Disclosure) -> Verdict:
    default = disclosure.part("compute")["default"]
    over = [
        row for row in _all(disclosure) if row.get("hours_used", 0) > row.get("hours_allowed", float("inf"))
    ]
    strangers = _unknown_runs(disclosure)
    if strangers:
        return contradicted(f"Exceptions name what the bundle does not hold: {', '.join(strangers)}.")
    if over:
        return contradicted("A run is said to have used more hours than it was allowed.")
    factors, unlike = departures(default), mixed(disclosure)
    facts = {
        "departures": factors,
        "exceptions": len(disclosure.rows("compute", "overrides")),
        "mixed": unlike,
        "chips": [*_chips(factors), *map(_unlike, unlike.items())],
    }
    if longer := find_longer(disclosure):
        sentence = f"By the times in its logs a run took longer than said: {listed(map(str, longer))}."
        return contradicted(sentence, "stated", **facts, longer=[str(each) for each in longer])
    return declared(_sentence(default, factors) + _unlike_sentence(unlike), "stated", **facts)


def _sentence(default: Mapping[str, Any], factors: Mapping[str, float]) -> str:
    """Each departure with its figure and its factor to the benchmark's own set-up."""
    if not factors:
        return "Hardware and time as the benchmark's own."
    words = [f"{_title(name)} {default[name]:g} (×{by:g})" for name, by in factors.items()]
    return f"Against the benchmark's own set-up: {', '.join(words)}."


def _chips(factors: Mapping[str, float]) -> list[str]:
    return [f"{_title(name)} ×{by:g}" for name, by in factors.items()]


def mixed(disclosure: Disclosure) -> dict[str, list[Any]]:
    """The figures that are not the same in all runs, each with every value, the default first."""
    default = disclosure.part("compute")["default"]
    values = {name: [default.get(name), *_other(disclosure, name, default)] for name in HARDWARE}
    return {name: found for name, found in values.items() if len(found) > 1}


def _other(disclosure: Disclosure, name: str, default: Mapping[str, Any]) -> list[Any]:
    rows = disclosure.rows("compute", "overrides")
    found = dict.fromkeys(row[name] for row in rows if name in row)
    return [value for value in found if value != default.get(name)]


def _unlike(figure: tuple[str, list[Any]]) -> str:
    """`GPUs 1 or 0`."""
    name, values = figure
    return f"{_title(name)} {' or '.join(map(_shown, values))}"


def _unlike_sentence(unlike: Mapping[str, list[Any]]) -> str:
    return f" Not the same in all runs: {', '.join(map(_unlike, unlike.items()))}." if unlike else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not said" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)


def _title(name: str) -> str:
    return title_of(f"compute.default.{name}")


def departures(default: Mapping[str, Any]) -> dict[str, float]:
    """Factor to the benchmark's own set-up for each figure that differs by more than 1 %, to two decimals."""
    factors = {name: default[name] / usual for name, usual in STANDARD.items() if name in default}
    return {name: round(factor, 2) for name, factor in factors.items() if abs(factor - 1) > _ROUNDING}


def _all(disclosure: Disclosure) -> list[Mapping[str, Any]]:
    """The default, and every exception filled up from it."""
    default = disclosure.part("compute")["default"]
    return [default, *({**default, **row} for row in disclosure.rows("compute", "overrides"))]


def _unknown_runs(disclosure: Disclosure) -> list[str]:
    """Seeds and competitions named by exceptions that are neither declared nor in the bundle."""
    rows, seeds = disclosure.rows("compute", "overrides"), disclosure.runs.seeds.values()
    competitions = disclosure.runs.scope.union(*(seed.present for seed in seeds))
    named_seeds = {row["seed"] for row in rows if "seed" in row} - set(disclosure.seeds)
    named = {row["competition"] for row in rows if "competition" in row} - competitions
    return [f"seed {label}" for label in sorted(named_seeds)] + sorted(named)


CHECK = Check(
    code="compute",
    title="Compute",
    severity=Severity.NOTICE,
    sentence=(
        "vCPUs, RAM, disk, GPUs, hours and network access; departures from the benchmark's as factors, and what is not "
        "the same in all runs. Hours are held against the times in the logs."
    ),
    tracks=(CLEAN,),
    fields=("compute",),
    judge=judge,
)
