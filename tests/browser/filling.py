"""A submission in each state worth seeing, made through the site's own interface.

As a module it takes a site as JSON from its input and prints the names as JSON: tests must open no sockets themselves.
"""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from demo.browser import Browser, upload_bundle
from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL
from demo.run import GROUNDS
from demo.scores import BUNDLE
from tests.browser.bundles import write_broken_bundle, write_grown_bundle, write_hostile_bundle
from tests.browser.site import ROOT, Site

WITHIN_S = 1200


def fill_from_outside(site: Site) -> dict[str, str]:
    """What `fill` returns, by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.filling"],
        cwd=ROOT,
        input=json.dumps(asdict(site)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    names: dict[str, str] = json.loads(done.stdout)
    return names


def fill(site: Site, place: Path) -> dict[str, str]:
    """Makes a submission for each state. Returns what stands for the names in the addresses above."""
    team, maintainer = Browser(site.url), Browser(site.url)
    team.sign_in(TEAM_EMAIL, site.team_password)
    maintainer.sign_in(MAINTAINER_EMAIL, site.maintainer_password)
    bundles = {
        "published": BUNDLE,
        "broken": write_broken_bundle(place),
        "waiting": write_grown_bundle(place, parts=3),
        "rejected": write_hostile_bundle(place),
    }
    names = {name: _upload(team, bundle) for name, bundle in bundles.items()}
    for name in ("published", "broken"):
        _confirm(team, names[name])
    _until(team, names["rejected"], "rejected")
    _until(team, names["waiting"], "awaiting_team")
    maintainer.post_form(f"/docket/{names['published']}/publish/", GROUNDS)
    published = team.api("GET", f"/api/v1/submissions/{names['published']}")
    begun = {"benchmark": "demo", "filename": "large.tar.zst", "size": 10**9}
    uploading = team.api("POST", "/api/v1/submissions", json=begun)
    return {
        **names,
        "uploading": uploading["id"],
        "entry": published["entry"],
        "number": str(team.api("GET", f"/api/v1/entries/{published['entry']}")["entry"]),
        "team": published["team"]["id"],
    }


def _upload(team: Browser, bundle: Path) -> str:
    return upload_bundle(team, bundle, "demo", lambda done, total: None)


def _confirm(team: Browser, submission: str) -> None:
    _until(team, submission, "awaiting_team")
    card = team.api("GET", f"/api/v1/submissions/{submission}/run-card")
    said = {"scope": "dev", "attested_name": "Ada Example", "revision": card["number"], "accept": True}
    team.api("POST", f"/api/v1/submissions/{submission}/confirm", json=said)
    _until(team, submission, "in_review")


def _until(team: Browser, submission: str, status: str) -> None:
    deadline = time.monotonic() + WITHIN_S
    while team.api("GET", f"/api/v1/submissions/{submission}")["status"] != status:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{submission} did not become {status}")
        time.sleep(0.3)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(fill(Site(**json.load(sys.stdin)), Path(folder))))
