"""What an intruder in one process can make another do through `var`, which all of them write."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grading.execute import blob_file
from grading.models import Blob
from grading.sandbox.errors import SandboxError
from leaderboard.isolation import hidden_vault_command
from leaderboard.launcher.processes import site_processes
from leaderboard.launcher.supervisor import Child, Supervisor
from submissions.part_store import LocalParts

WITHIN_S = 5.0


@pytest.mark.sandbox
def test_a_log_that_became_a_link_is_not_followed_out_of_var(tmp_path: Path) -> None:
    """The launcher stands outside every namespace: what it opens for a child must not be the child's choice."""
    var, vault, outside = tmp_path / "var", tmp_path / "vault", tmp_path / "outside"
    for folder in (var / "log", vault, outside):
        folder.mkdir(parents=True)
    log, target = var / "log" / "web.log", outside / "start.pth"
    plant = f"os.unlink({str(log)!r}); os.symlink({str(target)!r}, {str(log)!r})"
    code = f"import os\nif os.path.islink({str(log)!r}): print('import os')\nelse: {plant}"
    argv = hidden_vault_command([sys.executable, "-c", code], vault=vault, writable=[var])
    supervisor = Supervisor([Child("web", argv, dict(os.environ), log)], tell=lambda line: None)
    supervisor.start()
    deadline = time.monotonic() + WITHIN_S
    try:
        while time.monotonic() < deadline and not target.exists():
            supervisor.check(time.monotonic())
            time.sleep(0.1)
    finally:
        supervisor.stop()
    assert not target.exists(), "what the web process prints landed outside var"


def test_a_blob_that_became_a_link_is_not_graded(tmp_path: Path) -> None:
    """Intake has no vault, but grading has: a link would have the answers graded against themselves."""
    (tmp_path / "blobs" / "csv").mkdir(parents=True)
    (tmp_path / "answers.csv").write_text("id,target\n")
    (tmp_path / "blobs" / "csv" / "x").symlink_to(tmp_path / "answers.csv")
    with pytest.raises((OSError, SandboxError)), blob_file(Blob(key="csv/x")) as found:
        assert not found.resolve().samefile(tmp_path / "answers.csv")


def test_a_part_that_became_a_link_is_not_read(tmp_path: Path) -> None:
    parts = LocalParts(tmp_path / "bundles")
    (tmp_path / "bundles" / "key").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"answers")
    (tmp_path / "bundles" / "key" / "part-00001").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError), parts.open("key", 1) as source:
        source.read()


def test_the_grading_worker_runs_grading_tasks_alone() -> None:
    """Whoever writes the broker's folder chooses the task: `check` beside the vault reads what it is pointed at."""
    code = (
        "import django, sys; sys.argv = ['celery', '-A', 'leaderboard', 'worker', '-Q', 'grading']; django.setup();"
        "from leaderboard.celery import app; app.loader.import_default_modules();"
        "print([n for n in app.tasks if n.startswith(('submissions.', 'leaderboard.'))])"
    )
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "MLEB_CACHE": "none",
        "MLEB_ROLE": "grading",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == "[]"


def test_the_worker_that_may_make_namespaces_runs_its_own_tasks_alone() -> None:
    """And it is told apart from the others: without the vault, and without what bundles held."""
    code = (
        "import django; django.setup(); from leaderboard.celery import app; app.loader.import_default_modules();"
        "print(sorted(n.rpartition('.')[0] for n in app.tasks if not n.startswith('celery.')))"
    )
    (spec,) = [each for each in site_processes("python", Path("/var"), 1, 1) if each.holds_sandboxes]
    assert (spec.name, spec.sees_vault) == ("validity", False)
    assert {"blobs", "bundles", "evidence"} <= set(spec.hidden)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "leaderboard.settings", **spec.environment}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == str(["submissions.validity.tasks"] * 3)


def test_var_is_closed_to_other_users(tmp_path: Path) -> None:
    """Unpublished scores, sessions and bundles lie there."""
    var = tmp_path / "var"
    environment: dict[str, Any] = {
        **os.environ,
        "MLEB_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
    }
    subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"], env=environment, check=True, timeout=600
    )
    assert var.stat().st_mode & 0o077 == 0
