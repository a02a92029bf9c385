"""What else must have come of every submission in the end, once all trials of a site are over."""

import time
from collections.abc import Iterator

from grading.fault_points import declared_points
from leaderboard.failed_tasks import count_parked
from leaderboard.models import CodeComparison, EvidenceReading, Likeness, Notice
from submissions.models import Submission
from tests.faults.outcome import Outcome
from tests.faults.places import STEPS, steps_on
from tests.faults.site import wait_for
from tests.faults.trial import Trials

# A reading of predictions has a lease of three minutes; mail that a killed process may have sent waits for two.
WITHIN_S = 600.0
FAULT = "all trials over: evidence read, code and predictions compared, mail sent, nothing parked"


def aftermath(trials: Trials) -> None:
    """Also that every declared step was reached, and that the list of the trials knows each."""
    began = time.monotonic()
    wait_for(lambda: not list(unfinished()), WITHIN_S, pause_s=1)
    words = "; ".join([*unfinished(), *unreached(trials)])
    outcome = Outcome(trials.name, "(afterwards)", FAULT, time.monotonic() - began, "", 0, 0, words)
    trials.outcomes.append(outcome)
    trials.tell(f"{outcome.step}: {outcome.seconds:.1f} s, {words or 'as promised'}")


def unreached(trials: Trials) -> Iterator[str]:
    known, declared, reached = set(STEPS), set(declared_points()), trials.site.reached()
    missing = set(steps_on(trials.services.store is not None)) - reached
    yield from (f"no trial knows {step}" for step in sorted(declared - known))
    yield from (f"{step} is gone" for step in sorted(known - declared))
    yield from (f"{step} was never reached" for step in sorted(missing))


def unfinished() -> Iterator[str]:
    """Sentences about what is not done yet, or was given up."""
    published = Submission.objects.filter(status=Submission.Status.PUBLISHED)
    numbers = {
        "published": published.count(),
        "evidence read": EvidenceReading.objects.filter(state=EvidenceReading.State.DONE).count(),
        "code compared": CodeComparison.objects.filter(read=1, left_out=[]).count(),
        "predictions compared": Likeness.objects.filter(state=Likeness.State.DONE).count(),
    }
    yield from (
        f"{what}: {count} of {numbers['published']}"
        for what, count in numbers.items()
        if count < numbers["published"]
    )
    unsent = Notice.objects.filter(is_digest=False).exclude(state__in=["sent", "dropped"])
    if count := unsent.count():
        yield f"{count} notices were not sent"
    if count := count_parked():
        yield f"{count} tasks are parked"
