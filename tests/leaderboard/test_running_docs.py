"""That docs/running.md lists every variable the settings read, and none besides."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
READ = re.compile(r'env\.\w+\(\s*"([A-Z_]+)"|environ\.get\("([A-Z_]+)"')
# Read elsewhere: by the vault, by the catalogue and by the search for bubblewrap.
ELSEWHERE = {"MLEB_VAULT", "MLEB_CATALOGUE", "BWRAP"}


def read_by_settings() -> set[str]:
    found = READ.findall((ROOT / "leaderboard/settings.py").read_text())
    return {f"MLEB_{ours}" if ours else theirs for ours, theirs in found}


def documented() -> set[str]:
    """The names in the first column of the table; `_X` stands for the name before it with another last word."""
    names: list[str] = []
    for line in (ROOT / "docs/running.md").read_text().splitlines():
        for name in re.findall(r"`(_?[A-Z][A-Z_]+)`", line.split("|")[1]) if line.startswith("| `") else ():
            stem = names[-1].rpartition("_")[0] if name.startswith("_") else ""
            names.append(stem + name)
    return set(names)


def test_every_variable_is_documented() -> None:
    assert documented() == read_by_settings() | ELSEWHERE
