"""Roles on a real PostgreSQL: what each is refused, what grading may do, and that no password is shown or sent."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.services.postgres import postgres

pytestmark = [pytest.mark.site, pytest.mark.own_services, pytest.mark.enable_socket]
ROOT = Path(__file__).parents[3]
PREFIX = "site_"

REFUSED = [
    # role, statement
    ("grading", "SELECT * FROM submissions_user"),
    ("grading", "SELECT * FROM knox_authtoken"),
    ("grading", "SELECT * FROM django_session"),
    ("grading", "SELECT * FROM submissions_bundle"),
    ("grading", "SELECT * FROM leaderboard_decision"),
    ("grading", "UPDATE grading_grading SET blob_id = 1"),
    ("grading", "UPDATE grading_grading SET priority = 0"),
    ("grading", "INSERT INTO grading_blob (realm) VALUES ('x')"),
    ("grading", "DELETE FROM grading_grading"),
    ("web", "UPDATE grading_grading SET score = 1"),
    ("web", "INSERT INTO grading_grading (state) VALUES ('done')"),
    ("web", "UPDATE leaderboard_decision SET reason = 'x'"),
    ("web", "DELETE FROM leaderboard_decision"),
    ("web", "TRUNCATE leaderboard_decision"),
    ("web", "DELETE FROM submissions_event"),
    ("web", "UPDATE leaderboard_receipt SET signature = 'x'"),
    ("web", "CREATE TABLE mine (x int)"),
    ("web", "CREATE TEMP TABLE mine (x int)"),
    ("web", "ALTER TABLE leaderboard_decision DISABLE TRIGGER ALL"),
    ("web", "SET ROLE postgres"),
    ("housekeeping", "UPDATE grading_grading SET score = 1"),
    ("housekeeping", "UPDATE leaderboard_decision SET reason = 'x'"),
    ("housekeeping", "UPDATE submissions_user SET is_maintainer = true"),
    ("intake", "SELECT password FROM submissions_user"),
    ("intake", "UPDATE grading_blob SET key = 'x'"),
    ("validity", "SELECT * FROM submissions_submission"),
    ("validity", "UPDATE submissions_validitycheck SET user_id = 1"),
    ("evidence", "SELECT password FROM submissions_user"),
    ("notices", "UPDATE submissions_user SET password = 'x'"),
    ("notices", "INSERT INTO leaderboard_decision (kind) VALUES ('x')"),
]
ALLOWED = [
    ("grading", "SELECT * FROM grading_grading, grading_blob, grading_competition, grading_ring"),
    ("grading", "UPDATE grading_grading SET state = 'running', lease_until = now()"),
    ("grading", "UPDATE grading_gradinglane SET clock = clock + expected_s"),
    ("grading", "SELECT id FROM grading_grading LIMIT 1 FOR UPDATE SKIP LOCKED"),
    ("web", "SELECT * FROM grading_grading"),
    ("web", "UPDATE submissions_user SET first_name = 'x'"),
    ("housekeeping", "UPDATE submissions_submission SET status = status"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of an empty site's database whose roles are made."""
    folder = tmp_path_factory.mktemp("roles")
    with postgres(folder / "server") as url:
        manage(url, folder, "migrate", "-v0", "--no-input")
        said = manage(url, folder, "database_roles", "--apply", "--prefix", PREFIX)
        assert "password set" in said
        assert SECRET not in said
        yield url


SECRET = "a-password-that-is-nowhere"


def manage(url: str, folder: Path, *words: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MLEB_", "DJANGO_"))}
    environment = {
        **kept,
        "DATABASE_URL": url,
        "MLEB_VAR": str(folder / "var"),
        "MLEB_VAULT": str(folder / "vault"),
        "MLEB_DATABASE_PASSWORD_GRADING": SECRET,
    }
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_as(address: str, role: str, statement: str) -> None:
    with psycopg.connect(address.replace("//postgres@", f"//{PREFIX}{role}@")) as connection:
        connection.execute(statement)
        connection.rollback()


@pytest.mark.parametrize(("role", "statement"), REFUSED)
def test_refused(address: str, role: str, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run_as(address, role, statement)


@pytest.mark.parametrize(("role", "statement"), ALLOWED)
def test_allowed(address: str, role: str, statement: str) -> None:
    run_as(address, role, statement)


def test_the_server_keeps_a_verifier_and_its_log_no_password(address: str) -> None:
    with psycopg.connect(address) as connection:
        kept = connection.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = %s", [f"{PREFIX}grading"]
        ).fetchone()
    assert kept is not None
    assert str(kept[0]).startswith("SCRAM-SHA-256$")


def test_applying_again_takes_back_what_was_given_by_hand(address: str, tmp_path: Path) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"GRANT SELECT ON submissions_user TO {PREFIX}grading")
    run_as(address, "grading", "SELECT * FROM submissions_user")
    manage(address, tmp_path, "database_roles", "--apply", "--prefix", PREFIX)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run_as(address, "grading", "SELECT * FROM submissions_user")


FORGETTABLE = """
import django; django.setup()
from datetime import timedelta
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from submissions.models import Invitation
from submissions.tokens import create_token
from tests import factories as make
member, stranger = make.make_user(), make.make_user()
team, long_ago = make.make_team(owner=member), make.NOW - timedelta(days=400)
type(stranger).objects.filter(pk=stranger.pk).update(date_joined=long_ago)
EmailAddress.objects.create(user=stranger, email=stranger.email, verified=False)
Invitation.objects.create(team=team, secret_digest="0" * 64, invited_by=member, expires_at=long_ago)
create_token(member, ["read"], 1)
Session.objects.create(session_key="k", session_data="", expire_date=long_ago)
UserSession.objects.create(user=member, session_key="k", ip="127.0.0.1", user_agent="x", last_seen_at=long_ago)
"""
FORGET = """
import django; django.setup()
from datetime import timedelta
from django.utils import timezone
from leaderboard.personal.retention import forget_all
print(forget_all(timezone.now() + timedelta(days=400)))
"""


def run_python(url: str, folder: Path, code: str) -> str:
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "MLEB_EMAIL_VERIFICATION": "mandatory",
        "MLEB_VAR": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_housekeeping_forgets_what_is_to_be_forgotten(address: str, tmp_path: Path) -> None:
    run_python(address, tmp_path, FORGETTABLE)
    said = run_python(address.replace("//postgres@", f"//{PREFIX}housekeeping@"), tmp_path, FORGET)
    # A token with its scopes counts twice.
    assert re.findall(r"'[a-z ]+': (\d+)", said) == ["1", "2", "1", "1"], said
