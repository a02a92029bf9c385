"""The demo's logins: a team member and a maintainer, with passwords made on this machine at first use."""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

TEAM_EMAIL = "team@demo.example"
MAINTAINER_EMAIL = "maintainer@demo.example"


@dataclass(frozen=True)
class Logins:
    team_password: str
    maintainer_password: str


def demo_logins(var: Path) -> Logins:
    """Those kept in `var/demo-logins.json` (mode 600), made if need be."""
    path = var / "demo-logins.json"
    if not path.exists():
        logins = Logins(secrets.token_urlsafe(12), secrets.token_urlsafe(12))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(logins), file)
    return Logins(**json.loads(path.read_text()))
