"""The figures of entries whose masks have changed since a moment, computed anew from the runs as they stood then."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from grading.models import Benchmark
from leaderboard.masks import mask_decisions, standing_masks
from leaderboard.models import Entry, EntryResult, EntryRun, PinMove
from leaderboard.results import build_results

MOVED = ("outcome", "medal", "above_median")


def results_then(benchmark: Benchmark, at: datetime) -> dict[int, dict[str, EntryResult]]:
    """By entry and split, of the entries that were masked otherwise. Nothing is saved.

    A restatement says what a figure was before, but not how many competitions it was of.
    """
    decisions = list(mask_decisions().filter(entry__benchmark=benchmark).defer("reason", "evidence_url"))
    now = standing_masks(decisions)
    then = standing_masks(each for each in decisions if each.effective_at <= at)
    changed = {entry for entry in now if set(now[entry]) != set(then.get(entry, ()))}
    runs = _runs_then(changed, at)
    return {
        entry.pk: {
            result.split: result for result in build_results(entry, runs[entry.pk], then.get(entry.pk, {}))
        }
        for entry in Entry.objects.filter(pk__in=changed)
    }


def _runs_then(entries: Iterable[int], at: datetime) -> Mapping[int, list[EntryRun]]:
    moves: dict[int, PinMove] = {}
    since = PinMove.objects.filter(run__entry__in=entries, decision__effective_at__gt=at)
    for move in since.order_by("decision__effective_at", "pk"):
        moves.setdefault(move.run_id, move)
    found: dict[int, list[EntryRun]] = defaultdict(list)
    for run in EntryRun.objects.filter(entry__in=entries).order_by("pk"):
        found[run.entry_id].append(_put_back(run, moves.get(run.pk)))
    return found


def _put_back(run: EntryRun, move: PinMove | None) -> EntryRun:
    """The run as it stood before its first move since. Not saved."""
    for name in MOVED if move else ():
        setattr(run, name, getattr(move, f"{name}_before"))
    return run
