"""The system checks of the settings: what they object to, and that a sound production has nothing to mend."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Tags, run_checks

from leaderboard.checks import CannotStart, require_sound_settings

ROOT = Path(__file__).parents[2]
HOST = "leaderboard.example.org"
PRODUCTION = {
    "IS_LOCAL": False,
    "SECRET_KEY": "k3y-" * 16,
    "ALLOWED_HOSTS": [HOST],
    "SITE_URL": f"https://{HOST}",
    "DEFAULT_FROM_EMAIL": f"board@{HOST}",
    "REQUIRE_MAINTAINER_TOTP": True,
    "SECURE_SSL_REDIRECT": True,
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
    "REST_FRAMEWORK": {"NUM_PROXIES": 1},
}
BAD = [
    ({"IS_LOCAL": True}, "leaderboard.E001"),
    ({"SECRET_KEY": ""}, "leaderboard.E002"),
    ({"SECRET_KEY": "short"}, "leaderboard.E002"),
    ({"ALLOWED_HOSTS": []}, "leaderboard.E003"),
    ({"ALLOWED_HOSTS": ["*"]}, "leaderboard.E003"),
    ({"DEBUG": True}, "leaderboard.E004"),
    ({"REQUIRE_MAINTAINER_TOTP": False}, "leaderboard.E005"),
    ({"SITE_URL": f"http://{HOST}"}, "leaderboard.E006"),
    ({"SITE_URL": HOST}, "leaderboard.E006"),
    ({"SITE_URL": f"https://{HOST}/board/"}, "leaderboard.E006"),
    ({"SECURE_PROXY_SSL_HEADER": None}, "leaderboard.W001"),
    ({"REST_FRAMEWORK": {"NUM_PROXIES": 0}}, "leaderboard.W002"),
    ({"DEFAULT_FROM_EMAIL": "board@localhost"}, "leaderboard.W003"),
]


def found_with(settings: Any, changes: Mapping[str, Any]) -> list[str]:
    for name, value in {**PRODUCTION, **changes}.items():
        setattr(settings, name, value)
    return [str(message.id) for message in run_checks(tags=[Tags.security])]


def test_a_sound_production_is_not_objected_to(settings: Any) -> None:
    assert found_with(settings, {}) == []
    require_sound_settings()


def test_the_quick_start_is_not_objected_to() -> None:
    require_sound_settings()


@pytest.mark.parametrize(("changes", "expected"), BAD)
def test_each_bad_combination_is_named(settings: Any, changes: dict[str, Any], expected: str) -> None:
    assert found_with(settings, changes) == [expected]


def test_a_password_alone_does_on_loopback(settings: Any) -> None:
    changes = {"REQUIRE_MAINTAINER_TOTP": False, "ALLOWED_HOSTS": ["localhost"]}
    assert found_with(settings, changes) == []


def test_the_web_server_does_not_start_with_errors(settings: Any) -> None:
    found_with(settings, {"ALLOWED_HOSTS": [], "SECRET_KEY": ""})
    with pytest.raises(CannotStart, match=r"(?s)MLEB_SECRET_KEY.*MLEB_ALLOWED_HOSTS"):
        require_sound_settings()


def test_django_finds_nothing_to_say_about_a_deployment(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "MLEB_MODE": "production",
        "MLEB_VAR": str(tmp_path),
        "MLEB_SECRET_KEY": "Zq8!vR2#" * 8,
        "MLEB_ALLOWED_HOSTS": HOST,
        "MLEB_SITE_URL": f"https://{HOST}",
        "MLEB_EMAIL_FROM": f"board@{HOST}",
        "MLEB_BEHIND_PROXY": "yes",
        "MLEB_PROXIES": "1",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
