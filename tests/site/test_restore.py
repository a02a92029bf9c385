"""A site with a history, a graded entry where the demo was there before, backed up and restored in an empty place."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.databases import begin_migrated
from tests.services.postgres import postgres

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.site, pytest.mark.own_services]
WORDS = "correct horse battery staple"
# What readers see, without what a request alone brings.
BOARDS = (
    "import json; from django.test import Client\n"
    "paths = ('tracks/', 'rankings/all', 'entries/', 'decisions/')\n"
    "answers = [Client(SERVER_NAME='localhost').get(f'/api/v1/{path}') for path in paths]\n"
    "print(json.dumps([[a.status_code, a.json()] for a in answers], sort_keys=True))"
)


def environment(place: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MLEB_", "DATABASE", "BROKER"))
    }
    own = {
        "MLEB_VAR": str(place / "var"), "MLEB_VAULT": str(place / "vault"), "MLEB_SIGNING_DIR": str(place / "signing"),
        "MLEB_BACKUP_PASSPHRASE": WORDS,
    }  # fmt: skip
    return {**kept, **own, **more}


def manage(env: Mapping[str, str], *words: str, fails: bool = False) -> str:
    argv = [sys.executable, "manage.py", *words]
    done = subprocess.run(
        argv, cwd=ROOT, env=dict(env), capture_output=True, text=True, timeout=1200, check=False
    )
    assert (done.returncode != 0) is fails, done.stderr[-3000:]
    return done.stdout + done.stderr


def run(env: Mapping[str, str], code: str) -> str:
    """In one process what could be several: each would have to load all of the project."""
    return manage(
        env, "shell", "--no-imports", "-c", f"from django.core.management import call_command\n{code}"
    )


def fill(env: Mapping[str, str], place: Path) -> None:
    """The historical board with its decisions, a person, stored files, a signed checkpoint and a vault."""
    begin_migrated(place / "var")
    code = (
        "for words in ('migrate', 'load_catalogue', 'import_history'): call_command(words)\n"
        "from django.core.files.base import ContentFile; from django.core.files.storage import storages\n"
        "from submissions.models import User\n"
        "User.objects.create_user('ada', 'ada@example.org', 'correct-horse-battery')\n"
        "for store in ('bundles', 'blobs', 'evidence'):\n"
        "    for n in (1, 2):\n"
        "        storages[store].save(f'{store}/0f/{n}', ContentFile(bytes([n]) * 300_000))\n"
        "from leaderboard.tasks import sign_chain; sign_chain()"
    )
    run(env, code)
    (place / "vault").mkdir(mode=0o700)
    (place / "vault" / "answers").write_bytes(b"id,label\n1,canary\n")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Path:
    place = tmp_path_factory.mktemp("source")
    fill(environment(place), place)
    manage(environment(place), "backup", "--to", str(place / "backup"), "--with-answers")
    return place


@pytest.fixture(scope="module")
def before(source: Path) -> str:
    return shown(run(environment(source), BOARDS))


def shown(said: str) -> str:
    (line,) = (line for line in said.splitlines() if line.startswith("[["))
    return line


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    if request.param == "sqlite":
        yield environment(tmp_path / "new")
        return
    with postgres(tmp_path / "postgres") as address:
        yield environment(tmp_path / "new", DATABASE_URL=address)


def digests(folder: Path) -> dict[str, object]:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    return {
        name: manifest[name] for name in ("tables", "files", "files.jsonl", "checkpoints.jsonl", "migrations")
    }


def rows(folder: Path, at: str) -> list[Any]:
    """Those of the table whose line in the manifest is at this place."""
    lines = (folder / "tables" / f"{at.split('/')[2]}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def differing(one: Any, other: Any, at: str = "") -> list[str]:
    """Where the two manifests say different things."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted({*one, *other})
        return [
            found for name in names for found in differing(one.get(name), other.get(name), f"{at}/{name}")
        ]
    return [] if one == other else [at]


def test_every_table_file_and_page_comes_back(
    source: Path, before: str, target: dict[str, str], tmp_path: Path
) -> None:
    manage(target, "restore", "--from", str(source / "backup"), "--with-answers")
    said = run(
        target,
        f"call_command('verify_decisions'); call_command('backup', '--to', {str(tmp_path / 'again')!r})\n{BOARDS}\n"
        # New rows get numbers after the last.
        "from submissions.models import User; User.objects.create_user('eve', 'eve@example.org')",
    )
    assert "the chain holds" in said
    # A backup of what was restored is the same, row for row, but for the order of keys, which PostgreSQL does not keep.
    assert [
        at
        for at in differing(digests(tmp_path / "again"), digests(source / "backup"))
        if not at.startswith("/tables/") or rows(tmp_path / "again", at) != rows(source / "backup", at)
    ] == []
    assert digests(source / "backup")["checkpoints.jsonl"]
    assert shown(said) == before
    assert [status for status, _ in json.loads(before)] == [200] * 4
    assert (tmp_path / "new/vault/answers").read_bytes() == (source / "vault/answers").read_bytes()
    assert "has tables already" in manage(target, "restore", "--from", str(source / "backup"), fails=True)
