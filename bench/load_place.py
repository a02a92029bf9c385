"""A site to be loaded: an empty database with the catalogue and teams whose owners have tokens.

    MLEB_VAR=DIR python -m bench.load_place TEAMS

Prints the tokens as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .site_load import Server, serve

ROOT = Path(__file__).parents[1]
# What limits one address would else be all that is measured: everybody here comes from one.
THROTTLES = ("ANON", "USER", "UPLOAD", "CREATE", "VALIDITY")
UNLIMITED = {f"MLEB_THROTTLE_{name}": "1000000/min" for name in THROTTLES}


@dataclass(frozen=True)
class Place:
    """Where a site's files lie, how its processes are told so, and its teams' tokens."""

    folder: Path
    environment: Mapping[str, str]
    tokens: tuple[str, ...]

    @property
    def log(self) -> Path:
        return self.folder / "gunicorn.log"


def make_place(folder: Path, teams: int, **more: str) -> Place:
    """A new one in a folder of its own; `more`: settings, such as DATABASE_URL."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {
        "MLEB_VAR": str(folder),
        "MLEB_VAULT": str(folder.with_name(f"{folder.name}-vault")),
        "MLEB_SIGNING_DIR": str(folder.with_name(f"{folder.name}-signing")),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "BROKER_URL": "filesystem://",
        **UNLIMITED,
        **more,
    }
    said = subprocess.run(
        [sys.executable, "-m", "bench.load_place", str(teams)],
        cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return Place(folder, environment, tuple(json.loads(said.stdout)))


@contextmanager
def served(place: Place) -> Iterator[Server]:
    """The web process alone, as the quick start runs it but for its namespace."""
    with serve("leaderboard.wsgi:application", place.environment, place.log) as server:
        yield server


def fill(teams: int) -> list[str]:
    """Tokens of the owners of so many verified teams, each of an organisation of its own."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from submissions.models import Organisation, Team, TeamMember, User
    from submissions.people import verify_organisation
    from submissions.tokens import create_token

    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("load_catalogue", verbosity=0)
    call_command("import_history", verbosity=0)
    judge = User.objects.create(
        username="judge", email="judge@bench.example", is_maintainer=True, public_name="Judge"
    )
    tokens = []
    for number in range(teams):
        owner = User.objects.create(username=f"owner-{number}", email=f"owner-{number}@bench.example")
        name = f"team-{number}"
        team = Team.objects.create(organisation=Organisation.objects.create(name=name, slug=name), name=name)
        TeamMember.objects.create(team=team, user=owner, role=TeamMember.Role.OWNER)
        verify_organisation(team.organisation, judge, timezone.now())
        tokens.append(create_token(owner))
    return tokens


def main() -> None:
    print(json.dumps(fill(int(sys.argv[1]))))


if __name__ == "__main__":
    main()
