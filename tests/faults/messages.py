"""Messages that come twice, in any order, or never; that nobody can read; and results that come too late."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from celery import current_app
from django.conf import settings
from django.db import close_old_connections
from django.db.models import Max

from grading.models import Grading
from leaderboard.failed_tasks import count_parked
from leaderboard.models import FailedTask
from submissions.models import Submission
from tests.faults.site import FaultSite, wait_for
from tests.faults.trial import GRACE_S, Trials

RUNG = {
    "submissions.tasks.check": "intake",
    "submissions.tasks.advance": "housekeeping",
    "leaderboard.tasks.review": "housekeeping",
    "leaderboard.evidence.tasks.read": "evidence",
    "leaderboard.fingerprints.tasks.read": "intake",
    "leaderboard.fingerprints.tasks.compare": "housekeeping",
}
QUEUES = ("intake", "grading", "evidence", "housekeeping")
EVERY_S = 0.25
LOST_FOR_S = 12.0


@contextmanager
def meanwhile(act: Callable[[], None]) -> Iterator[None]:
    """The act again and again beside what is within."""
    over = threading.Event()

    def repeat() -> None:
        while not over.wait(EVERY_S):
            with suppress(OSError):
                act()
        close_old_connections()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def second_grader(site: FaultSite) -> Iterator[None]:
    """Another grading worker beside the first, with processes of its own."""
    first = next(child for child in site.supervisor.children if child.name == "grading")
    other = replace(first, name="grading-2", process=None, log=first.log.with_name("grading-2.log"))
    site.supervisor.children = [*site.supervisor.children, other]
    try:
        yield
    finally:
        site.supervisor.children = [each for each in site.supervisor.children if each is not other]
        if other.process:
            os.killpg(other.process.pid, signal.SIGTERM)
            other.process.wait(60)


def twice(trials: Trials) -> None:
    """Every message that could be sent is, several times and in any order, and two workers take from one queue."""
    draw = random.Random(1)

    def pester() -> None:
        messages = [(task, str(each)) for task in RUNG for each in _alive()]
        messages += [("grading.tasks.grade", pk) for pk in Grading.objects.values_list("pk", flat=True)[:20]]
        for task, argument in draw.sample(messages, min(6, len(messages))):
            current_app.send_task(task, args=[argument], queue=RUNG.get(task, "grading"))

    with second_grader(trials.site), meanwhile(pester):
        trials.run("every message several times, in any order, two grading workers", ["(messages)"])


def _alive() -> list[object]:
    return list(Submission.objects.exclude(status="published").values_list("public_id", flat=True)[:4])


def never(trials: Trials) -> None:
    """All messages but the clock's are lost for a while."""
    until = time.monotonic() + LOST_FOR_S

    def lose() -> None:
        if time.monotonic() < until:
            (trials.services.broker.lose if trials.services.broker else _lose_files)(QUEUES)

    with meanwhile(lose):
        trials.run(f"all messages lost for {LOST_FOR_S:.0f} s", ["(messages)"])


def _lose_files(queues: Iterable[str]) -> None:
    for queue in queues:
        for path in (settings.BROKER_DIR / "messages").glob(f"*.{queue}.msg"):
            path.unlink(missing_ok=True)


def poison(trials: Trials) -> None:
    """Messages that cannot be read, of a task nobody knows, and about nothing: parked, and all others go on."""
    before = count_parked()
    for queue in ("intake", "housekeeping", "evidence"):
        current_app.send_task("no.such.task", args=["x"], queue=queue)
        with current_app.amqp.producer_pool.acquire() as producer:
            producer.publish("{", content_type="application/json", routing_key=queue, exchange="")
    current_app.send_task("submissions.tasks.check", args=["no such submission"], queue="intake")
    current_app.send_task("leaderboard.tasks.review", args=[str(_nobody())], queue="housekeeping")
    if trials.services.broker is None:
        for queue in ("intake", "housekeeping"):
            (settings.BROKER_DIR / "messages" / f"0_{queue}.{queue}.msg").write_text('{"half')
    trials.run("messages that cannot be read, of unknown tasks, about nothing", ["(messages)"])
    wanted = 4 if trials.services.broker else 5
    if not wait_for(lambda: count_parked() - before >= wanted, GRACE_S):
        raise AssertionError(f"{count_parked() - before} parked, not {wanted}")
    FailedTask.objects.all().delete()


def _nobody() -> str:
    return "00000000-0000-4000-8000-000000000000"


def late(trials: Trials) -> None:
    """A grading worker stands still with a result in its hands until another has taken the run over."""
    site = trials.site
    log = next(child.log for child in site.supervisor.children if child.name == "grading")
    before = log.read_text().count("was taken over")
    last = Grading.objects.aggregate(last=Max("pk"))["last"] or 0
    taken_over = Grading.objects.filter(pk__gt=last, fencing_token__gt=1, state=Grading.State.DONE)
    site.arm("result_reached", "hold")

    def stop_for_a_while() -> None:
        if not wait_for(lambda: "result_reached" in site.held(), GRACE_S):
            return
        with second_grader(site):
            site.signal("grading", signal.SIGSTOP)
            site.let_go("result_reached")
            wait_for(taken_over.exists, GRACE_S)
            site.signal("grading", signal.SIGCONT)
            wait_for(lambda: log.read_text().count("was taken over") > before, GRACE_S)

    trials.run("grading worker stopped until its run was taken over", ["result_reached"], stop_for_a_while)
    if log.read_text().count("was taken over") == before:
        raise AssertionError("no late result was dropped")
