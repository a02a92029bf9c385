"""The bundle of a `submit` step: run card, predictions, and whatever else the scenario puts in."""

import copy
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from demo.bundle import pack_members
from tests.scenarios.made_up import nudge, predict
from tests.submissions.run_cards import complete, having

# As in the benchmark file beside this.
SCOPES = {
    "low": ("random-acts-of-pizza", "spaceship-titanic"),
    "medium": ("rehearsal-levels",),
    "all": ("random-acts-of-pizza", "rehearsal-levels", "spaceship-titanic"),
}
Place = tuple[str, str]
Predictions = dict[Place, str]


def draw_predictions(given: Mapping[str, Any], name: str, earlier: Mapping[str, Predictions]) -> Predictions:
    """The CSVs by seed and competition. `name` tells this submission's mistakes from those of all others."""
    csvs = copy.copy(earlier[given["same_as"]]) if "same_as" in given else {}
    for place in _places(given):
        seed, competition = place
        if place not in csvs or f"{seed}/{competition}" in given.get("redrawn", []):
            skill = _skill(given.get("skill", "bronze"), seed, competition)
            drawn = 0 if given.get("clone_seed") else int(seed)
            csvs[place] = predict(competition, skill, name, drawn)
    return {place: nudge(csv, name) for place, csv in csvs.items()} if given.get("nudged") else csvs


def _places(given: Mapping[str, Any]) -> list[Place]:
    missing = given.get("missing", [])
    return [
        (str(seed), competition)
        for seed in range(given.get("seeds", 3))
        for competition in SCOPES[given.get("scope", "low")]
        if f"{seed}/{competition}" not in missing
    ]


def _skill(said: str | Mapping[str, str], seed: str, competition: str) -> str:
    """One word for all, or a table by competition, by `seed/competition`, or both."""
    if isinstance(said, str):
        return said
    return said.get(f"{seed}/{competition}", said.get(competition, "bronze"))


def make_card(given: Mapping[str, Any], team: str) -> dict[str, Any]:
    """A complete and honest run card, changed where the scenario says so; an empty text takes an answer out."""
    seeds = [str(seed) for seed in range(given.get("seeds", 3))]
    card = having(
        {
            "scaffold.name": f"Agent of {team}",
            "scaffold.commit": hashlib.sha1(team.encode()).hexdigest(),
            "scaffold.source_url": f"https://example.org/{hashlib.sha1(team.encode()).hexdigest()[:12]}",
            "scaffold.report_url": None,
            "compute.overrides": None,
            "seeds.labels": seeds,
            "seeds.number_run_in_all": len(seeds),
            "seeds.left_out": [],
            "integrity.knowledge_base_details": f"General recipes written by {team}.",
            "attestation.name": f"Person of {team}",
        },
        complete(),
    )
    return having(
        {path: None if value == "" else value for path, value in given.get("card", {}).items()}, card
    )


def pack(given: Mapping[str, Any], predictions: Predictions, team: str) -> bytes:
    members = {
        f"{seed}/{competition}/submission.csv": csv.encode()
        for (seed, competition), csv in predictions.items()
    }
    if "raw_card" in given:
        members["run_card.yaml"] = given["raw_card"].encode()
    elif not given.get("no_card"):
        members["run_card.json"] = json.dumps(make_card(given, team)).encode()
    members |= {path: text.encode() for path, text in given.get("files", {}).items()}
    return pack_members(members)
