"""Which seed a folder of the bundle is. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any


def seed_map(document: Mapping[str, Any]) -> dict[str, str]:
    """Run group to seed label, as the run card's `seeds.run_groups` says; empty where it says nothing usable."""
    seeds = document.get("seeds")
    groups = seeds.get("run_groups") if isinstance(seeds, Mapping) else None
    if not isinstance(groups, Mapping):
        return {}
    return {str(group): str(seed) for group, seed in groups.items() if seed not in (None, "")}


def find_collisions(places: Iterable[tuple[str, str, float | None]], seeds: Mapping[str, str]) -> list[str]:
    """Sentences naming each seed and competition, and each checkpoint, that two folders would both fill.

    `places`: folder, competition id and checkpoint hours of every run.
    """
    filled = Counter((seeds.get(folder, folder), competition, hours) for folder, competition, hours in places)
    return [
        f"Two run groups are mapped to seed {seed} and both hold {_name(competition, hours)}. Map them to two seeds."
        for (seed, competition, hours), count in sorted(filled.items(), key=str)
        if count > 1
    ]


def _name(competition: str, hours: float | None) -> str:
    return competition if hours is None else f"the checkpoint of {competition} at {hours:g} hours"
