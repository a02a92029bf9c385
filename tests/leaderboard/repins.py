"""Published entries whose runs were graded anew, for tests of pins and restatements."""

from collections.abc import Mapping

from grading.models import AnswersVersion, Competition, Grading
from leaderboard.models import Entry, EntryRun
from tests import factories as make
from tests.leaderboard.boards import make_published

# Cut-offs of the made-up competitions: gold 0.9, silver 0.8, bronze 0.7, median 0.5.
SCORES = {"s1": {"low-a": 0.95, "low-b": 0.75}, "s2": {"low-a": 0.4, "low-b": None}, "s3": {"low-a": 0.85}}
SPLITS = {"low-a": "low", "low-b": "low"}


def make_regradable(scores: Mapping[str, Mapping[str, float | None]] = SCORES, slug: str = "bench") -> Entry:
    """A published entry of three seeds on two competitions; one run is invalid, one is missing."""
    return make_published(make.make_benchmark(slug, SPLITS), scores)


def add_grading(
    run: EntryRun, score: float | None = None, answers: AnswersVersion | None = None, outcome: str = ""
) -> Grading:
    """A finished grading of the run's CSV beside the one it stands on."""
    assert run.grading is not None
    outcome = outcome or (Grading.Outcome.INVALID if score is None else Grading.Outcome.SCORED)
    same = Grading.objects.filter(blob=run.grading.blob, competition=run.competition, answers=answers)
    return Grading.objects.create(
        blob=run.grading.blob,
        competition=run.competition,
        answers=answers,
        grader_version=run.grading.grader_version,
        repeat=same.count(),
        priority=Grading.Priority.REGRADE,
        state=Grading.State.DONE,
        not_before=make.NOW,
        graded_at=make.NOW,
        outcome=outcome,
        score=score,
    )


def regrade_with_new_answers(entry: Entry, competition_id: str, scores: Mapping[str, float | None]) -> None:
    """New answers of a competition and, beside the old, gradings of the entry's runs with them; by seed."""
    answers = make.make_answers(Competition.objects.get(pk=competition_id))
    for seed, score in scores.items():
        add_grading(run_of(entry, seed, competition_id), score, answers)


def run_of(entry: Entry, seed: str, competition_id: str) -> EntryRun:
    return EntryRun.objects.select_related("grading", "thresholds").get(
        entry=entry, seed=seed, competition=competition_id
    )


def pins_of(entry: Entry) -> list[tuple[object, ...]]:
    return list(entry.runs.order_by("pk").values_list("grading", "thresholds", "outcome", "score", "medal"))
