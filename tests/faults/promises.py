"""What must be true of a submission after any fault, read from the database and the store."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages

from grading.models import Blob, Grading
from leaderboard.models import Decision, EntryRun, Receipt
from submissions.models import Event, EvidenceFile, Run, Submission
from tests.faults.playing import SEEDS, Played

RUNS = SEEDS * 2
ONCE = ("received", "checking", "awaiting_team", "queued", "grading", "graded", "in_review", "published")


def broken_promises(played: Iterable[Played]) -> list[str]:
    """Sentences about what is not as promised; empty where all is."""
    return [f"{each.agent}: {words}" for each in played for words in _of_one(each)]


def _of_one(played: Played) -> Iterator[str]:
    submission = Submission.objects.get(public_id=played.public_id)
    if submission.status != "published":
        yield f"is {submission.status}"
        return
    counted = Counter(
        Event.objects.filter(submission=submission, kind="status").values_list("after", flat=True)
    )
    yield from (f"became {status} {counted[status]} times" for status in ONCE if counted[status] != 1)
    runs = list(Run.objects.filter(submission=submission).select_related("grading", "blob"))
    if len(runs) != RUNS:
        yield f"has {len(runs)} runs, not {RUNS}"
    yield from (words for run in runs for words in _of_run(run, played))
    entry_runs = EntryRun.objects.filter(entry__submission=submission)
    if entry_runs.count() != RUNS:
        yield f"its entry has {entry_runs.count()} runs"
    decisions = Decision.objects.filter(entry__submission=submission).count()
    if decisions != 1:
        yield f"was decided {decisions} times"
    if (receipts := Receipt.objects.filter(run__in=entry_runs).count()) != RUNS:
        yield f"has {receipts} receipts"


def _of_run(run: Run, played: Played) -> Iterator[str]:
    gradings = Grading.objects.filter(blob=run.blob, competition_id=run.competition_id)
    accepted = [grading for grading in gradings if grading.outcome]
    if len(accepted) != 1 or run.grading not in accepted:
        yield f"run {run.seed}/{run.competition_id} was graded {len(accepted)} times"
    elif accepted[0].outcome != "scored":
        yield f"run {run.seed}/{run.competition_id} is {accepted[0].outcome}: {accepted[0].code}"
    elif run.competition_id == "spaceship-titanic" and accepted[0].score != played.accuracy(run.seed):
        yield f"run {run.seed} scored {accepted[0].score}, not {played.accuracy(run.seed)}"


def is_settled(played: Iterable[Played]) -> bool:
    """Whether housekeeping has signed all there is to sign."""
    names = [each.public_id for each in played]
    runs = EntryRun.objects.filter(entry__submission__public_id__in=names)
    return runs.count() == RUNS * len(names) == Receipt.objects.filter(run__in=runs).count()


def orphans() -> list[str]:
    """Files in the stores and on their way that no row names."""
    known = {*Blob.objects.values_list("key", flat=True), *EvidenceFile.objects.values_list("key", flat=True)}
    stored = [
        f"{kind}/{key}"
        for store, kind in (("blobs", "csv"), ("evidence", "evidence"))
        for key in _keys(store, kind)
    ]
    spool = settings.VAR_DIR / "spool"
    return [key for key in stored if key not in known] + [str(path) for path in _files(spool)]


def _keys(store: str, kind: str) -> Iterator[str]:
    for folder in _listed(store, kind)[0]:
        yield from (f"{folder}/{name}" for name in _listed(store, f"{kind}/{folder}")[1])


def _listed(store: str, path: str) -> tuple[list[str], list[str]]:
    try:
        return storages[store].listdir(path)
    except FileNotFoundError:
        return [], []


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


def accepted_per_run(played: Iterable[Played]) -> str:
    """Fewest and most accepted gradings of a run, as the table shows them."""
    counts = [
        Grading.objects.filter(blob=run.blob, competition_id=run.competition_id, state="done").count()
        for each in played
        for run in Run.objects.filter(submission__public_id=each.public_id)
    ]
    return (
        f"{min(counts)}"
        if counts and min(counts) == max(counts)
        else f"{min(counts or [0])}–{max(counts or [0])}"
    )
