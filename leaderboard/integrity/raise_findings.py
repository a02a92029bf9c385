"""Raising findings about a graded submission: what is known of it goes to the signals, what they find is kept."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet

from grading.catalogue import shipped_competitions
from grading.medals import Medal
from grading.models import Competition
from grading.specs import IssueKind
from leaderboard.attempts import graded_submissions
from leaderboard.integrity.card_twins import find_card_twins, find_people_twins, record_traits
from leaderboard.integrity.findings import (
    Alike,
    CompetitionFacts,
    EarlierSubmission,
    Run,
    SubmissionFacts,
    Twin,
    find_all,
)
from leaderboard.integrity.findings.probing import count_kept
from leaderboard.models import Entry, EntryRun, Finding, RunComparison
from submissions import models as submitted
from submissions.models import Submission

Earlier = Mapping[Submission, EarlierSubmission]


def raise_findings(entry: Entry, now: datetime) -> None:
    """Writes one finding per thing found, and the public counts of unchanged runs.

    For an entry whose runs are recorded and that has no findings of a review yet.
    """
    submission = entry.submission
    if submission is None:
        return
    record_traits(submission)
    earlier = _earlier(submission)
    facts = facts_of(entry, submission, earlier)
    _record_comparisons(submission, facts, earlier)
    keep_findings(submission, facts, now)


def raise_alike(submission: Submission, alike: Iterable[Alike], now: datetime) -> None:
    """The findings about predictions that are all but equal, for a submission that has none of these yet."""
    keep_findings(submission, SubmissionFacts((), {}, alike=tuple(alike)), now)


def keep_findings(submission: Submission, facts: SubmissionFacts, now: datetime) -> None:
    Finding.objects.bulk_create(
        Finding(
            submission=submission,
            code=signal.code,
            title=signal.title,
            severity=signal.severity.value,
            sentence=found.sentence,
            evidence=dict(found.evidence),
            raised_at=now,
        )
        for signal, found in find_all(facts)
    )


def _record_comparisons(submission: Submission, facts: SubmissionFacts, earlier: Earlier) -> None:
    on_record = set(graded_submissions(submission.team.organisation_id).values_list("pk", flat=True))
    counts = {
        other: count_kept(facts.csvs, found.csvs) for other, found in earlier.items() if other.pk in on_record
    }
    RunComparison.objects.bulk_create(
        RunComparison(submission=submission, earlier=other, unchanged=unchanged, changed=changed)
        for other, (unchanged, changed) in counts.items()
    )


def facts_of(entry: Entry, submission: Submission, earlier: Earlier) -> SubmissionFacts:
    """What the site knows of the submission, in a number of queries that does not grow with it."""
    runs = list(
        entry.runs.filter(grading__isnull=False).select_related("competition", "thresholds", "grading__blob")
    )
    return SubmissionFacts(
        runs=tuple(map(_run, runs)),
        competitions={run.competition_id: _competition(run.competition, run) for run in runs},
        earlier=tuple(earlier.values()),
        twins=(*_twins(submission, runs), *find_card_twins(submission), *find_people_twins(submission)),
    )


def _run(run: EntryRun) -> Run:
    assert run.grading is not None, "only graded runs are asked for"
    medal = Medal(run.medal)
    csv, note = run.grading.blob.sha256, run.grading.code
    return Run(run.seed, run.competition_id, csv, run.score, medal, run.above_median, note)


def _competition(competition: Competition, run: EntryRun) -> CompetitionFacts:
    cutoffs, spec = run.thresholds, shipped_competitions().get(competition.pk)
    return CompetitionFacts(
        lower_is_better=competition.lower_is_better,
        gold=cutoffs.gold if cutoffs else None,
        median=cutoffs.median if cutoffs else None,
        has_known_leak=any(issue["kind"] == IssueKind.LEAK for issue in competition.known_issues),
        plausible_margin=spec.plausible_margin if spec else None,
    )


def _earlier(submission: Submission) -> Earlier:
    """Earlier submissions of the organisation on the same benchmark that were confirmed, oldest first."""
    others = Submission.objects.filter(
        team__organisation=submission.team.organisation_id,
        benchmark=submission.benchmark_id,
        confirmed_at__lt=submission.confirmed_at,
    )
    csvs: dict[Submission, dict[tuple[str, str], str]] = defaultdict(dict)
    for run in (
        _ranked(submission__in=others).select_related("submission").order_by("submission__confirmed_at")
    ):
        csvs[run.submission][run.seed, run.competition_id] = run.blob.sha256
    return {other: EarlierSubmission(name_of(other), found) for other, found in csvs.items()}


def _twins(submission: Submission, runs: Sequence[EntryRun]) -> Iterator[Twin]:
    """Submissions of other organisations that hold the same bundle, or some of the same files."""
    own = {run.grading.blob.sha256: f"{run.seed}/{run.competition_id}" for run in runs if run.grading}
    elsewhere = _ranked(blob__sha256__in=list(own)).exclude(
        submission__team__organisation=submission.team.organisation_id
    )
    shared: dict[Submission, set[str]] = defaultdict(set)
    for run in elsewhere.select_related("submission").order_by("submission__pk"):
        shared[run.submission].add(own[run.blob.sha256])
    yield from (Twin(name_of(other), "csv", tuple(sorted(places))) for other, places in shared.items())
    yield from (Twin(name_of(other), "bundle") for other in _same_bundle(submission))


def _same_bundle(submission: Submission) -> Iterable[Submission]:
    bundle = getattr(submission, "bundle", None)
    if bundle is None:
        return []
    holders = Submission.objects.filter(bundle__sha256=bundle.sha256)
    return holders.exclude(team__organisation=submission.team.organisation_id).order_by("pk")


def _ranked(**conditions: object) -> QuerySet[submitted.Run]:
    return submitted.Run.objects.filter(checkpoint_hours=None, **conditions).select_related("blob")


def name_of(submission: Submission) -> str:
    """As the docket links it."""
    return f"submission {submission.public_id}"
