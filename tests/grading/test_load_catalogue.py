"""The database's copy of the catalogue follows the files."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from grading.catalogue import shipped_benchmarks, shipped_competitions
from grading.load_catalogue import LoadedCatalogue, load_catalogue, notes_on
from grading.models import Benchmark, Competition, Membership, ThresholdsVersion
from grading.splits import Split
from tests.factories import make_answers, make_competition

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
    assert loaded.competitions == loaded.thresholds == list(shipped_competitions())
    assert loaded.benchmarks == list(shipped_benchmarks())
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
    number = len(shipped_competitions())
    assert (Competition.objects.count(), ThresholdsVersion.objects.count()) == (number, number)


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
    number, benchmarks = len(shipped_competitions()), len(shipped_benchmarks())
    said = (
        f"{number} competitions ({number} written, {number} with new thresholds), {benchmarks} benchmarks "
        f"({benchmarks} written).\n"
    )
    assert capsys.readouterr().out.startswith(said)


def test_checking_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_catalogue", "--check")
    assert "benchmarks are in order" in capsys.readouterr().out
    assert not Competition.objects.exists()


def test_what_is_seldom_meant_is_noted() -> None:
    shipped = shipped_competitions()
    own = {"shop": replace(shipped[SHIP], id="shop", category="Tabulr")}
    assert list(notes_on(shipped | own, shipped_benchmarks()))[-2:] == [
        "shop is in no benchmark, so on no board; add it to a split of a benchmark file",
        "shop: no other competition has the category 'Tabulr' (did you mean Tabular?)",
    ]
    members = set(shipped_benchmarks()["mle-bench-v1"].splits)
    official = {name: spec for name, spec in shipped.items() if name in members}
    assert list(notes_on(official, shipped_benchmarks())) == []


def test_a_competition_whose_file_is_gone_can_be_removed(capsys: pytest.CaptureFixture[str]) -> None:
    load()
    gone = make_competition("gone")
    call_command("load_catalogue")
    assert "In the database without a file: gone." in capsys.readouterr().out
    call_command("load_catalogue", "--remove", "gone")
    assert not Competition.objects.filter(pk=gone.pk).exists()


def test_what_something_stands_on_stays() -> None:
    load()
    used = make_competition("used")
    make_answers(used)
    for name, told in ((SHIP, "has a file"), ("unheard-of", "not in the database"), ("used", "stand on it")):
        with pytest.raises(CommandError, match=told):
            call_command("load_catalogue", "--remove", name)
    assert used.thresholds.exists()


@pytest.mark.parametrize(
    "command",
    [
        ["load_catalogue"],
        ["load_answers", "--from", "."],
        ["load_leaderboard", "--from", "."],
        ["regrade", "--dry-run"],
    ],
    ids=lambda command: command[0],
)
def test_a_database_without_tables_is_one_line(command: list[str], tmp_path: Path) -> None:
    manage = Path(__file__).parents[2] / "manage.py"
    environ = {
        **os.environ,
        "MLEB_VAR": str(tmp_path / "var"),
        "MLEB_VAULT": str(tmp_path / "vault"),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}",
    }
    done = subprocess.run(
        [sys.executable, str(manage), *command], env=environ, capture_output=True, text=True, timeout=1200
    )
    assert done.returncode == 1
    assert "manage.py migrate" in done.stderr
    assert "Traceback" not in done.stderr
