"""What the first rows of the board must be, by a query that shares nothing with the site's own code."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from .site_load import PLAIN, NotMeasured

# Of the API; a page has fewer.
ROWS = 100
PAGE_ROWS = 50
# The newest placement counts; equal means, as printed, share a rank, and inside it the earlier run stands first.
QUERY = """
WITH placed AS (
    SELECT entry_id, track_id,
           ROW_NUMBER() OVER (PARTITION BY entry_id ORDER BY effective_at DESC, id DESC) AS newest
    FROM leaderboard_placement
)
SELECT RANK() OVER (ORDER BY ROUND(result.any_medal_mean, 2) DESC), entry.slug, result.any_medal_mean
FROM placed
JOIN leaderboard_track AS track ON track.id = placed.track_id AND track.slug = 'clean'
JOIN leaderboard_entry AS entry ON entry.id = placed.entry_id
JOIN leaderboard_entryresult AS result ON result.entry_id = entry.id AND result.split = 'all'
WHERE placed.newest = 1
ORDER BY ROUND(result.any_medal_mean, 2) DESC, entry.run_on, entry.id
LIMIT ?
"""
LINK = re.compile(r'<th scope="row"[^>]*>.*?href="/entries/([\w-]+)/"', re.DOTALL)
Top = list[tuple[int, str, float]]


def check_top_rows(database: Path, url: str, api: str, page: str) -> None:
    """Raises NotMeasured unless API and page show the very rows that the query finds, in its order."""
    truth = read_truth(database)
    rows = httpx.get(url + api, timeout=60, **PLAIN).raise_for_status().json()["rows"]
    _compare("API", truth, [(row["rank"], row["slug"], row["result"]["any_medal_mean"]) for row in rows])
    html = httpx.get(url + page, timeout=60, **PLAIN).raise_for_status().text
    _compare("page", [slug for _, slug, _ in truth[:PAGE_ROWS]], list(dict.fromkeys(LINK.findall(html))))


def read_truth(database: Path) -> Top:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(QUERY, [ROWS]).fetchall()


def _compare(where: str, truth: list[Any], shown: list[Any]) -> None:
    if truth == shown and truth:
        return
    at = next((at for at, pair in enumerate(zip(truth, shown, strict=False)) if pair[0] != pair[1]), 0)
    raise NotMeasured(
        f"The {where} is wrong, so its speed does not count: {len(shown)} rows for {len(truth)}, and row {at + 1} "
        f"is {shown[at : at + 1]} where SQL says {truth[at : at + 1]}."
    )
