"""Grades the demo bundle with real workers and kills the grading one while a sandbox runs. Prints what it saw."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from django.conf import settings
from django.utils import timezone

from demo.accounts import create_accounts
from demo.logins import demo_logins
from demo.site import load_demo_answers
from grading.models import Benchmark, Grading
from grading.sandbox.watchdog import process_tree
from grading.splits import Split
from leaderboard.launcher.prepare import prepare
from leaderboard.launcher.processes import HOUSEKEEPING, celery, grading_worker
from leaderboard.models import EntryRun
from submissions.confirm import Confirmation, confirm
from submissions.models import Submission, Team
from submissions.uploads import UploadRequest, begin_upload, complete_upload, store_part

BUNDLE = Path("demo/bundle.tar.gz")


def main() -> None:
    prepare(lambda title: None)
    load_demo_answers()
    create_accounts(demo_logins(settings.VAR_DIR))
    housekeeping = start((*celery(sys.executable, HOUSEKEEPING, 1), "--beat"))
    others = [start(celery(sys.executable, queue, 1)) for queue in ("intake", "evidence")]
    try:
        submission = upload()
        wait(lambda: status(submission) == "awaiting_team")
        submission.refresh_from_db()
        confirm(submission, submission.created_by, Confirmation(Split.DEV, "Ada", 1), timezone.now())
        wait(lambda: Grading.objects.count() == 3)
        seen = kill_in_the_middle(submission)
    finally:
        for process in (housekeeping, *others):
            stop(process)
    print(json.dumps(seen))


def kill_in_the_middle(submission: Submission) -> dict[str, object]:
    running = Grading.objects.filter(state="running")
    victim = start(grading_worker(sys.executable, 1))
    wait(running.exists, pause_s=0.002)
    wait(lambda: bool(sandboxes(process_tree(victim.pid))), pause_s=0.002)
    started = sandboxes(process_tree(victim.pid))
    state = running.values_list("state", flat=True).first()
    os.killpg(victim.pid, signal.SIGKILL)
    victim.wait()
    left = outliving(started)
    survivor = start(grading_worker(sys.executable, 1))
    try:
        wait(lambda: status(submission) == "in_review")
    finally:
        stop(survivor)
    gradings = Grading.objects.order_by("pk")
    return {
        "state_when_killed": state,
        "sandboxes_started": len(started),
        "sandboxes_left": left,
        "gradings": gradings.count(),
        "outcomes": list(gradings.values_list("outcome", flat=True)),
        "attempts": list(gradings.values_list("attempts", flat=True)),
        "status": status(submission),
        "entry_runs": EntryRun.objects.count(),
    }


def upload() -> Submission:
    team = Team.objects.get()
    request = UploadRequest(BUNDLE.name, BUNDLE.stat().st_size, creation_key=team.public_id)
    owner = team.members.get().user
    submission = begin_upload(team, Benchmark.objects.get(slug="demo"), owner, request, timezone.now())
    digest = hashlib.sha256(BUNDLE.read_bytes()).hexdigest()
    with BUNDLE.open("rb") as file:
        store_part(submission.upload, 1, file, request.size, digest)
    complete_upload(submission.upload, owner, timezone.now())
    return submission


def status(submission: Submission) -> str:
    return Submission.objects.values_list("status", flat=True).get(pk=submission.pk)


def start(argv: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    log = (settings.VAR_DIR / "log.txt").open("ab")
    return subprocess.Popen(argv, stdout=log, stderr=log, start_new_session=True)


def stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.wait(300)


def sandboxes(pids: Iterable[int]) -> list[int]:
    """Those of the processes that are a living bwrap. A dead one that nobody has reaped has no command line."""
    return [pid for pid in pids if b"bwrap" in _command_line(pid)]


def outliving(pids: list[int], within_s: float = 60) -> int:
    """How many of the sandboxes are still alive so long after their worker was killed."""
    deadline = time.monotonic() + within_s
    while (left := sandboxes(pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return len(left)


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def wait(condition: Callable[[], bool], pause_s: float = 0.05, within_s: float = 900) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {within_s} s in vain")
        time.sleep(pause_s)


if __name__ == "__main__":
    main()
