"""What a decision moved, as one digest that its hash covers: a pin or a restated figure edited later shows."""

from collections.abc import Iterable, Iterator

from django.db.models import Q

from leaderboard.integrity.chain import Break, hash_record
from leaderboard.masks import mask_decisions, standing_masks
from leaderboard.models import Decision, EntryRun, PinMove, Restatement

MOVED = ("outcome", "score", "medal", "above_median")


def digest_effect(moves: Iterable[PinMove], restatements: Iterable[Restatement]) -> str:
    """SHA-256 over the moved pins and the restated figures, in their order."""
    pins = [[move.run_id, *_pins(move), *_results(move)] for move in moves]
    figures = [[each.split, each.figure, each.before, each.after] for each in restatements]
    return hash_record({"pins": pins, "figures": figures}, "")


def _pins(move: PinMove) -> list[int | None]:
    return [
        move.grading_before_id,
        move.grading_after_id,
        move.thresholds_before_id,
        move.thresholds_after_id,
    ]


def _results(move: PinMove) -> list[object]:
    return [getattr(move, f"{name}_{when}") for name in MOVED for when in ("before", "after")]


def find_altered_effects() -> Iterator[Break]:
    """Decisions whose moves or restatements are not those they made, and pins that no decision put where they are."""
    having = ~Q(effect="") | Q(pin_moves__isnull=False) | Q(restatements__isnull=False)
    decisions = Decision.objects.filter(having).distinct().order_by("pk")
    for decision in decisions.prefetch_related("pin_moves", "restatements"):
        if decision.effect != digest_effect(decision.pin_moves.all(), decision.restatements.all()):
            yield Break(decision.pk, "moved other pins or restated other figures than are recorded now")
    yield from _stray_pins()
    yield from _stray_masks()


def _stray_pins() -> Iterator[Break]:
    """Runs that do not stand where the newest decision that moved them put them."""
    newest = {move.run_id: move for move in PinMove.objects.select_related("run").order_by("pk")}
    for move in newest.values():
        if _where(move.run) != _put(move):
            yield Break(move.decision_id, f"is the last to have moved {move.run}, which stands elsewhere now")


def _where(run: EntryRun) -> tuple[object, ...]:
    return (run.grading_id, run.thresholds_id, *(getattr(run, name) for name in MOVED))


def _put(move: PinMove) -> tuple[object, ...]:
    moved = (getattr(move, f"{name}_after") for name in MOVED)
    return (move.grading_after_id, move.thresholds_after_id, *moved)


def _stray_masks() -> Iterator[Break]:
    """Runs that are masked, or counted, otherwise than the decisions about their entry say."""
    decided = {
        (entry, competition): number
        for entry, masks in standing_masks(mask_decisions().only("pk", "entry_id", "details")).items()
        for competition, number in masks.items()
    }
    found: dict[tuple[int, str], set[int | None]] = {}
    about = Q(masked_by__isnull=False) | Q(entry__in={entry for entry, _ in decided})
    runs = EntryRun.objects.filter(about).order_by("entry_id", "competition_id").distinct()
    for entry, competition, masked_by in runs.values_list("entry_id", "competition_id", "masked_by"):
        found.setdefault((entry, competition), set()).add(masked_by)
    for (entry, competition), standing in found.items():
        put = decided.get((entry, competition))
        for other in standing - {put}:
            sentence = f"has masks of entry {entry} on {competition} that no longer are what was decided"
            yield Break(put or other or 0, sentence)
