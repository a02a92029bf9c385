"""The runs of a graded entry and the figures they make."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from grading.medals import NOTHING, Direction, Medal, MedalResult, award_medal
from grading.models import Competition, Grading, Membership, ThresholdsVersion
from grading.splits import Split
from leaderboard.aggregation import RunResult, aggregate
from leaderboard.models import Entry, EntryResult, EntryRun
from submissions.models import Run

Outcome = EntryRun.Outcome
Results = dict[str, dict[str, RunResult]]


def record_results(entry: Entry, runs: Iterable[Run], absent: Mapping[tuple[str, str], str]) -> None:
    """Writes a run for every seed and competition of the entry's scope, and its figures on each split.

    `absent`: seed and competition to the team's reason, for runs that were not handed in. A seed counts where
    it has a run or such a reason in the scope. For an entry that has none yet.
    """
    members = _members(entry)
    pins = _build_runs(entry, members, list(runs), absent)
    EntryRun.objects.bulk_create(pins)
    EntryResult.objects.bulk_create(build_results(entry, pins))


def _members(entry: Entry) -> dict[str, Membership]:
    """The competitions of the scope, by id."""
    splits = [split.value for split in Split(entry.scope).members]
    found = Membership.objects.filter(benchmark=entry.benchmark, split__in=splits).select_related(
        "competition"
    )
    return {member.competition_id: member for member in found}


def _build_runs(
    entry: Entry,
    members: Mapping[str, Membership],
    runs: Iterable[Run],
    absent: Mapping[tuple[str, str], str],
) -> list[EntryRun]:
    present = {(run.seed, run.competition_id): run for run in runs if run.competition_id in members}
    seeds = {seed for seed, _ in present} | {seed for seed, competition in absent if competition in members}
    newest = newest_thresholds(members)
    pins = []
    for seed, competition in product(sorted(seeds), sorted(members)):
        run, member = present.get((seed, competition)), members[competition]
        if run is None:
            pins.append(_missing_run(entry, member, seed, absent.get((seed, competition), "")))
        else:
            pins.append(_pin_run(entry, member, run, newest.get(competition)))
    return pins


def newest_thresholds(competitions: Iterable[str]) -> dict[str, ThresholdsVersion]:
    """The thresholds that count now, by competition."""
    versions = ThresholdsVersion.objects.filter(competition_id__in=list(competitions)).order_by("number")
    return {version.competition_id: version for version in versions}


def _missing_run(entry: Entry, member: Membership, seed: str, reason: str) -> EntryRun:
    return EntryRun(
        entry=entry,
        seed=seed,
        competition=member.competition,
        split=member.split,
        outcome=Outcome.MISSING,
        medal=Medal.NONE,
        missing_reason=reason,
    )


def _pin_run(entry: Entry, member: Membership, run: Run, thresholds: ThresholdsVersion | None) -> EntryRun:
    grading = run.grading
    assert grading is not None, "a run of a graded submission has its grading"
    return EntryRun(
        entry=entry,
        seed=run.seed,
        competition=member.competition,
        split=member.split,
        **pinned_columns(grading, thresholds, member.competition),
    )


def pinned_columns(
    grading: Grading, thresholds: ThresholdsVersion | None, competition: Competition
) -> dict[str, Any]:
    """The columns of an entry's run that follow from its pins, the pins among them."""
    earned = judge_score(grading.score, thresholds, competition)
    return {
        "grading": grading,
        "thresholds": thresholds,
        "outcome": grading.outcome,
        "score": grading.score,
        "medal": earned.medal.value,
        "above_median": earned.above_median,
        "near_cutoff": earned.near_cutoff,
        "message": grading.message,
    }


def judge_score(
    score: float | None, version: ThresholdsVersion | None, competition: Competition
) -> MedalResult:
    """What the score earns; nothing where there is no score or nothing to hold it against."""
    if score is None or version is None:
        return NOTHING
    direction = Direction.LOWER if competition.lower_is_better else Direction.HIGHER
    return award_medal(score, version.cutoffs, direction)


def build_results(
    entry: Entry, pins: Sequence[EntryRun], masked: Collection[str] | None = None
) -> list[EntryResult]:
    """One per split inside the scope that has competitions; other splits were not attempted and have none. Unsaved.

    `pins`: a run for each competition of the scope and every seed. `masked`: competitions that count in nothing; if not
    given, those whose runs are masked.
    """
    if masked is None:
        masked = {pin.competition_id for pin in pins if pin.masked_by_id is not None}
    splits = {pin.competition_id: pin.split for pin in pins if pin.competition_id not in masked}
    results, scope = _results_by_seed(pins), Split(entry.scope)
    found = []
    for split in Split:
        competitions = [key for key, stored in splits.items() if stored in split.members]
        if scope.covers(split) and competitions:
            found.append(_summarise(entry, split, results, competitions))
    return found


def _results_by_seed(pins: Iterable[EntryRun]) -> Results:
    """Every seed has its key, so that one without a single run still counts."""
    seeds: Results = defaultdict(dict)
    for pin in pins:
        seed = seeds[pin.seed]
        if pin.outcome != Outcome.MISSING:
            seed[pin.competition_id] = RunResult(
                Medal(pin.medal), pin.above_median, is_valid=pin.outcome == Outcome.SCORED
            )
    return seeds


def _summarise(entry: Entry, split: Split, results: Results, competitions: Sequence[str]) -> EntryResult:
    found = aggregate(results, competitions)
    any_medal = found.figure("any_medal")
    return EntryResult(
        entry=entry,
        split=split.value,
        any_medal_mean=any_medal.mean,
        any_medal_sem=any_medal.sem,
        seeds=len(found.per_seed),
        gold_mean=found.figure("gold").mean,
        silver_mean=found.figure("silver").mean,
        bronze_mean=found.figure("bronze").mean,
        above_median_mean=found.figure("above_median").mean,
        valid_mean=found.figure("valid").mean,
        submitted_mean=found.figure("submitted").mean,
        padded_runs=found.missing_runs,
        total_runs=found.total_runs,
        is_padded=found.missing_runs > 0,
        per_seed={label: seed.any_medal for label, seed in found.per_seed.items()},
    )
