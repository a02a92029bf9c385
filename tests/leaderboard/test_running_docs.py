"""That docs/running.md lists every variable the settings read, and none besides."""

import re
from pathlib import Path

from leaderboard.roles.rules import ROLES

ROOT = Path(__file__).parents[2]
READ = re.compile(r'env\.\w+\(\s*"([A-Z0-9_]+)"|environ\.get\("([A-Z_]+)"')
# Read elsewhere: by the vault, by the catalogue, by the search for bubblewrap, by steps that tests arm.
ELSEWHERE = {"MLEB_BACKUP_PASSPHRASE", "MLEB_VAULT", "MLEB_CATALOGUE", "BWRAP", "MLEB_FAULTS"}
# Of the database's roles: the launcher hands each address on, and one password stands for all.
OF_ROLES = {*(f"DATABASE_URL_{role.upper()}" for role in ROLES), "MLEB_DATABASE_PASSWORD_WEB"}


def read_by_settings() -> set[str]:
    """By the settings themselves, and by the modules of functions that they hand the environment to."""
    sources = [path.read_text() for path in ROOT.glob("leaderboard/*.py")]
    reading = [text for text in sources if "env: Environment" in text or "env = Environment" in text]
    found = [each for text in reading for each in READ.findall(text)]
    return {f"MLEB_{ours}" if ours else theirs for ours, theirs in found}


def documented() -> set[str]:
    """The names in the first column of the table; `_X` stands for the name before it with another last word."""
    names: list[str] = []
    for line in (ROOT / "docs/running.md").read_text().splitlines():
        for name in (
            re.findall(r"`(_?[A-Z][A-Z0-9_]+)`", line.split("|")[1]) if line.startswith("| `") else ()
        ):
            stem = names[-1].rpartition("_")[0] if name.startswith("_") else ""
            names.append(stem + name)
    return set(names)


def test_every_variable_is_documented() -> None:
    assert documented() == read_by_settings() | ELSEWHERE | OF_ROLES
