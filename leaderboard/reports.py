"""Grading reports of an entry: ours in the benchmark's format, and the team's own beside our grading."""

from typing import Any

from grading.medals import Medal
from grading.models import ThresholdsVersion
from leaderboard.grading_reports import Comparison, OurRun, ReportLine, compare, read_claims, write_report
from leaderboard.models import Entry, EntryRun
from leaderboard.results import newest_thresholds
from submissions.models import Run, Submission

Places = dict[tuple[str, str], str]


def report_of(entry: Entry, seed: str | None = None) -> dict[str, Any]:
    """The entry's pinned gradings as a grading report: of one seed, or of all, seed by seed.

    Raises EntryRun.DoesNotExist where there is no such run, as for imported entries.
    """
    runs = entry.runs.select_related("competition", "thresholds", "grading").order_by(
        "seed", "competition_id"
    )
    found = list(runs.filter(seed=seed) if seed is not None else runs)
    if not found:
        raise EntryRun.DoesNotExist(f"{entry} has no run of seed {seed!r}")
    folders = _folders(entry.submission)
    newest = newest_thresholds({run.competition_id for run in found if run.thresholds is None})
    return write_report(
        [_line(run, run.thresholds or newest.get(run.competition_id), folders) for run in found]
    )


def compare_claims(entry: Entry) -> Comparison | None:
    """The report in the team's bundle beside the entry's runs; None where the bundle held none."""
    claims = read_claims(_claimed_report(entry.submission))
    if not claims:
        return None
    folders = _folders(entry.submission)
    return compare(claims, [_pinned(run, folders) for run in entry.runs.all()])


def compare_gradings(submission: Submission) -> Comparison | None:
    """The same before there is an entry: the report beside what has been graded so far, without medals."""
    claims = read_claims(_claimed_report(submission))
    if not claims:
        return None
    runs = submission.runs.filter(checkpoint_hours=None, grading__state="done").select_related("grading")
    return compare(claims, [_graded(run) for run in runs])


def _claimed_report(submission: Submission | None) -> Any:
    bundle = getattr(submission, "bundle", None)
    return bundle.claimed_report if bundle else None


def _folders(submission: Submission | None) -> Places:
    """What the bundle calls the seed of a run, by seed and competition."""
    if submission is None:
        return {}
    runs = submission.runs.filter(checkpoint_hours=None).values_list("seed", "competition_id", "folder")
    return {(seed, competition): folder for seed, competition, folder in runs}


def _pinned(run: EntryRun, folders: Places) -> OurRun:
    return OurRun(
        competition=run.competition_id,
        seed=run.seed,
        folder=folders.get((run.seed, run.competition_id), run.seed),
        is_present=run.outcome != EntryRun.Outcome.MISSING,
        is_valid=run.outcome == EntryRun.Outcome.SCORED,
        score=run.score,
        medal=Medal(run.medal),
        above_median=run.above_median,
    )


def _graded(run: Run) -> OurRun:
    grading = run.grading
    assert grading is not None, "only runs whose grading is done are asked for"
    return OurRun(
        competition=run.competition_id,
        seed=run.seed,
        folder=run.folder,
        is_present=True,
        is_valid=grading.outcome == grading.Outcome.SCORED,
        score=grading.score,
    )


def _line(run: EntryRun, version: ThresholdsVersion | None, folders: Places) -> ReportLine:
    is_present = run.outcome != EntryRun.Outcome.MISSING
    folder = folders.get((run.seed, run.competition_id), run.seed)
    return ReportLine(
        competition=run.competition_id,
        score=run.score,
        medal=Medal(run.medal),
        above_median=run.above_median,
        is_present=is_present,
        is_valid=run.outcome == EntryRun.Outcome.SCORED,
        lower_is_better=run.competition.lower_is_better,
        thresholds=version.cutoffs if version else None,
        graded_at=run.grading.graded_at if run.grading else None,
        path=f"{folder}/{run.competition_id}/submission.csv" if is_present else "",
    )
