"""That a board is never stale by more than a second: the answers of every worker, a second after a decision."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from .site_load import NotMeasured, fetch_from_each_worker
from .site_truth import check_top_rows, read_truth

ROOT = Path(__file__).parents[1]
STALE_S = 1.0
# New connections, so that surely every worker is asked.
TIMES = 12
HERE, AWAY = "clean", "no-private-lb"


def check_fresh(database: Path, url: str, api: str, page: str, environment: Mapping[str, str]) -> None:
    """Moves the leader away and back. Raises NotMeasured if an answer shows after a second what was before."""
    before = read_truth(database)
    leader = before[0][1]
    for track in (AWAY, HERE):
        # What was answered before is kept, and what is kept could be stale.
        fetch_from_each_worker(url, [page, api])
        _sleep_until(_move(leader, track, environment) + STALE_S)
        for _ in range(TIMES):
            check_top_rows(database, url, api, page)
        if (read_truth(database) == before) != (track == HERE):
            raise NotMeasured(f"Moving {leader} to {track} did not change the first rows as it should.")


def _move(slug: str, track: str, environment: Mapping[str, str]) -> float:
    """When it was done."""
    command = [sys.executable, "-m", "bench.site_move", slug, track]
    said = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return float(said.stdout)


def _sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.time()))
