"""The database's copy of the catalogue follows the files."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command

from grading.catalogue import shipped_benchmarks, shipped_competitions
from grading.load_catalogue import LoadedCatalogue, load_catalogue
from grading.models import Benchmark, Competition, Membership, ThresholdsVersion
from grading.splits import Split

pytestmark = pytest.mark.django_db
SHIP = "spaceship-titanic"
NOTHING = LoadedCatalogue([], [], [])


def load(**changes: Any) -> LoadedCatalogue:
    """The shipped files, with other values in the file of one competition."""
    competitions = dict(shipped_competitions())
    competitions[SHIP] = replace(competitions[SHIP], **changes)
    return load_catalogue(competitions, shipped_benchmarks())


def test_the_shipped_catalogue_is_loaded_whole() -> None:
    loaded = load()
    assert (len(loaded.competitions), len(loaded.thresholds)) == (82, 82)
    assert sorted(loaded.benchmarks) == ["demo", "mle-bench-v1"]
    splits = Membership.objects.filter(benchmark__slug="mle-bench-v1").values_list("split", flat=True)
    assert {split: list(splits).count(split) for split in set(splits)} == {
        "low": 22,
        "medium": 38,
        "high": 15,
        "dev": 7,
    }
    demo = Benchmark.objects.get(slug="demo")
    assert demo.answers_public
    assert list(demo.memberships.values_list("competition", "split")) == [(SHIP, "dev")]


def test_a_competition_says_what_its_file_says() -> None:
    load()
    spec, stored = shipped_competitions()[SHIP], Competition.objects.get(pk=SHIP)
    assert (stored.title, stored.metric_family) == (spec.title, spec.metric.family)
    assert stored.file_digest == spec.file_digest
    assert stored.lower_is_better is spec.lower_is_better
    assert stored.validity == list(spec.validity)
    cutoffs = stored.thresholds.get()
    assert (cutoffs.number, cutoffs.gold, cutoffs.exact) == (1, spec.thresholds.gold, spec.thresholds.exact)


def test_again_changes_nothing() -> None:
    load()
    assert load() == NOTHING
    assert (Competition.objects.count(), ThresholdsVersion.objects.count()) == (82, 82)


def test_an_edited_file_is_written_and_nothing_else() -> None:
    load()
    assert load(title="Another title", file_digest="1" * 64) == LoadedCatalogue([SHIP], [], [])
    assert Competition.objects.get(pk=SHIP).title == "Another title"


def test_changed_cutoffs_are_a_new_version_beside_the_old() -> None:
    load()
    cutoffs = shipped_competitions()[SHIP].thresholds
    assert load(thresholds=replace(cutoffs, gold=0.99)).thresholds == [SHIP]
    assert list(ThresholdsVersion.objects.filter(competition=SHIP).values_list("number", "gold")) == [
        (1, cutoffs.gold),
        (2, 0.99),
    ]
    # Back to the first values is a change as well: the newest number counts.
    assert load().thresholds == [SHIP]
    assert ThresholdsVersion.objects.filter(competition=SHIP).latest("number").number == 3


def test_a_benchmark_follows_its_file() -> None:
    load()
    competitions, benchmarks = shipped_competitions(), dict(shipped_benchmarks())
    benchmarks["demo"] = replace(benchmarks["demo"], splits={SHIP: Split.LOW}, title="Another")
    assert load_catalogue(competitions, benchmarks) == LoadedCatalogue([], [], ["demo"])
    demo = Benchmark.objects.get(slug="demo")
    assert (demo.title, demo.memberships.get().split) == ("Another", "low")


def test_a_competition_without_a_file_stays_but_leaves_its_benchmarks() -> None:
    load()
    competitions = {key: spec for key, spec in shipped_competitions().items() if key != SHIP}
    benchmarks = {
        slug: replace(spec, splits={key: split for key, split in spec.splits.items() if key != SHIP})
        for slug, spec in shipped_benchmarks().items()
    }
    load_catalogue(competitions, benchmarks)
    assert Competition.objects.filter(pk=SHIP).exists()
    assert not Membership.objects.filter(competition=SHIP).exists()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_catalogue")
    assert capsys.readouterr().out == (
        "82 competitions (82 written, 82 with new thresholds), 2 benchmarks (2 written).\n"
    )
