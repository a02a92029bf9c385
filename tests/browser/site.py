"""A real site as a process of its own, and the Chromium to look at it with."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The least a part may have, so that a small bundle has several.
PART_BYTES = 2**16
STOP_WITHIN_S = 600
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = "Chromium was not found. Install it (Debian: apt-get install chromium) or name it in CHROMIUM."


@dataclass(frozen=True)
class Site:
    """Where the site answers, and who may sign in."""

    url: str
    team_password: str
    maintainer_password: str


@contextmanager
def started_site(environment: Mapping[str, str], log: Path) -> Iterator[Site]:
    """Yields once the site answers; stops all of it afterwards. Raises RuntimeError if it does not start."""
    with (
        log.open("w") as output,
        subprocess.Popen(
            [sys.executable, "-m", "tests.browser.serve"],
            cwd=ROOT,
            env=with_small_parts(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        ready = process.stdout.readline()
        if not ready:
            raise RuntimeError(f"the site did not start:\n{log.read_text()}")
        try:
            yield Site(**json.loads(ready))
        finally:
            process.stdin.close()
            process.wait(STOP_WITHIN_S)


def with_small_parts(environment: Mapping[str, str]) -> dict[str, str]:
    """Parts go to the site itself, where these tests hold and cut them: a bucket takes none so small. What becomes of
    a bundle lies in buckets, where the site has any; tests/object_storage and the demo send bundles there."""
    kept = {name: value for name, value in environment.items() if not name.startswith("MLEB_S3_BUNDLES")}
    return {**kept, "MLEB_UPLOAD_PART_BYTES": str(PART_BYTES)}


def find_chromium() -> str | None:
    """$CHROMIUM, else the first usual name on PATH."""
    found = (shutil.which(name) for name in CHROMIUM_NAMES)
    return os.environ.get("CHROMIUM") or next((path for path in found if path), None)
