"""A bundle of many tiny runs of one competition, its answers, and a team that takes it from upload to grading."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from grading.catalogue import shipped_competitions

from .load_sender import API, NotTaken, Team, read_bundle
from .made_up.recipes import make_up
from .make_bundle import pack_bundle, run_path
from .rows import sizes

COMPETITION, SCOPE = "aerial-cactus-identification", "low"
SCALE = 0.01
PAUSE_S = 1.0
MOVING = ("uploading", "received", "checking", "queued", "grading")


def make_bundle(folder: Path, seeds: int, first: int = 0) -> Path:
    """Answers in `folder/data`, the same every time; returns the archive. Another `first` makes other predictions."""
    made = make_up(shipped_competitions()[COMPETITION], sizes()[COMPETITION].scaled(SCALE), 0)
    made.write_answers(folder / "data")
    for number in range(seeds):
        made.write_submission(run_path(folder, number, COMPETITION), first + number)
    archive = folder / "bundle.tar.gz"
    pack_bundle(archive, folder / "runs", seeds)
    return archive


def submit(team: Team, archive: Path) -> str:
    """Uploads it and confirms its run card; the submission's id, with its grading still to come."""
    public_id = team.upload(read_bundle(archive))
    rested = wait_for(team, public_id, lambda status: status not in MOVING)
    if rested != "awaiting_team":
        raise NotTaken(f"The bundle is {rested}: {get(team, public_id)['problems']}")
    said = {"scope": SCOPE, "attested_name": "Bench", "revision": 1, "accept": True}
    url = f"{team.url}{API}/{public_id}/confirm"
    answer = httpx.post(url, json=said, headers=team.headers, timeout=120)
    if not answer.is_success:
        raise NotTaken(f"POST {url}: {answer.status_code} {answer.text[:300]}")
    return public_id


def get(team: Team, public_id: str) -> dict[str, Any]:
    answer = httpx.get(f"{team.url}{API}/{public_id}", headers=team.headers, timeout=120)
    return dict(answer.raise_for_status().json())


def wait_for(team: Team, public_id: str, is_there: Callable[[str], bool], within_s: float = 1800) -> str:
    """The status it came to. Raises NotTaken where it does not come."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        status = str(get(team, public_id)["status"])
        if is_there(status):
            return status
        time.sleep(PAUSE_S)
    raise NotTaken(f"{public_id} is still {status} after {within_s:.0f} s")
