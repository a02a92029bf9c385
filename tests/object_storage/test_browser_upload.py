"""A person's browser sends a bundle straight to the store, past a site that cannot read it."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Response, sync_playwright

from demo.logins import TEAM_EMAIL
from leaderboard.bucket_setup import prepare_bucket
from tests.browser.bundles import write_grown_bundle
from tests.browser.site import NO_CHROMIUM, STOP_WITHIN_S, Site, find_chromium
from tests.browser.uploading import begin_upload
from tests.browser.visitor import Visitor
from tests.databases import begin_migrated
from tests.object_storage.conftest import PART
from tests.services.s3 import S3Server
from tests.site.services import own_queue

ROOT = Path(__file__).parents[2]
OTHERS = ("MLEB_", "DJANGO_", "PYTEST_", "DATABASE_URL", "BROKER_URL")
# Of the browser tests' own small parts; some twelve MB in all.
GROWN_BY = 200
pytestmark = [pytest.mark.browser, pytest.mark.site]


@contextmanager
def started(server: S3Server, place: Path) -> Iterator[Site]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OTHERS)}
    begin_migrated(place / "var")
    with own_queue() as queue, (place / "log").open("w") as log:
        environment = {
            **kept,
            **queue,
            **server.environment(),
            "MLEB_VAR": str(place / "var"),
            "MLEB_VAULT": str(place / "vault"),
            "MLEB_SIGNING_DIR": str(place / "signing"),
            "MLEB_UPLOAD_PART_BYTES": str(PART),
        }
        command = [sys.executable, "-m", "tests.browser.serve"]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            ready = process.stdout.readline()
            assert ready, (place / "log").read_text()
            try:
                yield Site(**json.loads(ready))
            finally:
                process.stdin.close()
                process.wait(STOP_WITHIN_S)


def test_a_browser_sends_parts_to_the_bucket(server: S3Server, tmp_path: Path, django_db_setup: None) -> None:
    path = find_chromium()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    with started(server, tmp_path) as site, sync_playwright() as playwright:
        # Only pages of this very address may send parts.
        prepare_bucket(server.access("bundles"), [site.url], expires_days=3)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        team = Visitor(browser, site.url)
        sent: Counter[str] = Counter()

        def count(response: Response) -> None:
            if response.request.method == "PUT" and response.ok:
                sent[response.url.partition("/mleb-bundles/")[0]] += 1

        team.page.on("response", count)
        team.sign_in(TEAM_EMAIL, site.team_password)
        begin_upload(team, write_grown_bundle(tmp_path, GROWN_BY))
        team.sees("Your team's turn")
        assert sent == {server.endpoint: 3}
        assert [fault for fault in team.faults if server.endpoint not in fault] == []
        assert not (tmp_path / "var" / "bundles").exists() or not any(
            (tmp_path / "var" / "bundles").iterdir()
        )
        browser.close()
