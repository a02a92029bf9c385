"""The grading worker sees the vault and its sandboxes hold, but no signing key and no bundle.

`test_isolation_grading_as_user.py` runs this file again as an ordinary user when root runs the tests.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from leaderboard.isolation import CHECKOUT, grading_command

pytestmark = pytest.mark.sandbox

WARM = """
import sys; sys.path.insert(0, sys.argv[1])
from pathlib import Path
from grading.sandbox.canary import check_isolation
from grading.sandbox.warm import WarmPool
from grading.sandbox.warm_canary import check_walls
hidden = [Path(sys.argv[2])]
cold = check_isolation(slot=40, hidden=hidden).probes
pool = WarmPool([40])
warm = check_walls(pool, 40, hidden=hidden)
print(len(cold), len(warm))
pool.close()
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Worker":
    for name in ("home/.ssh", "vault", "signing", "var/bundles", "var/blobs"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "file").write_text(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Worker(tmp_path)


class Worker:
    """Runs Python code as a grading worker would run, with files of a test's own."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, code: str, *argv: str) -> str:
        command = grading_command(
            [sys.executable, "-c", code, *argv],
            vault=self.root / "vault",
            hidden=[self.root / "signing", self.root / "var/bundles"],
            writable=[self.root / "var"],
            read_only=[self.root / "var/blobs"],
            readable=[CHECKOUT],
        )
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def does(self, action: str, *names: str) -> list[str]:
        """Of the files named, those with which `action`, Python on a path, does not fail."""
        code = (
            "import json, sys\nfrom pathlib import Path\ndone = []\nfor name in sys.argv[1:]:\n"
            f"    path = Path(name)\n    try: {action}; done.append(name)\n    except OSError: pass\n"
            "print(json.dumps(done))"
        )
        done = json.loads(self.run(code, *(str(self.root / name) for name in names)))
        return [str(Path(name).relative_to(self.root)) for name in done]


FILES = ("vault/file", "var/blobs/file", "signing/file", "var/bundles/file", "home/.ssh/file")


def test_it_reads_answers_and_blobs_and_neither_keys_nor_bundles(worker: Worker) -> None:
    assert worker.does("path.read_bytes()", *FILES) == ["vault/file", "var/blobs/file"]


def test_it_writes_no_blob_and_nothing_outside_var_and_vault(worker: Worker) -> None:
    written = worker.does("path.with_name('new').write_text('x')", *FILES, "var/file")
    assert {name for name in written if (worker.root / name).with_name("new").exists()} == {
        "vault/file",
        "var/file",
    }


def test_it_sees_no_other_process(worker: Worker) -> None:
    numbers = worker.run("import os; print(max(int(n) for n in os.listdir('/proc') if n.isdigit()))")
    assert int(numbers) < 10


def test_sandboxes_hold_inside_it_cold_and_warm(worker: Worker) -> None:
    assert worker.run(WARM, str(CHECKOUT), str(worker.root / "vault")) == "13 14"
