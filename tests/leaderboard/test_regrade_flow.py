"""From newer answers or a human leaderboard to the board: commands, page, decision, and all that shows it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Max
from django.test import Client

from grading.grade import claim_grading, record_verdict
from grading.models import Competition, Grading
from grading.verdict import Verdict
from leaderboard.integrity.decide import withdraw_entry
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Entry
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS, make_published
from tests.leaderboard.repins import make_regradable, pins_of, run_of
from tests.leaderboard.test_board_page import text_of
from tests.leaderboard.test_pins_page import GROUNDS as WORDS
from tests.leaderboard.test_pins_page import hidden

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry() -> Entry:
    return make_regradable()


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    call_command(*words)
    return " ".join(capsys.readouterr().out.split())


def work(scores: dict[str, float]) -> None:
    """What a worker does with everything that waits; `scores`: by key of the CSV."""
    latest = Grading.objects.aggregate(at=Max("not_before"))["at"]
    while claim := claim_grading(latest):
        record_verdict(claim, Verdict("scored", scores[claim.grading.blob.key]), make.NOW)


def keys_of(entry: Entry, competition_id: str) -> list[str]:
    runs = entry.runs.filter(competition=competition_id, grading__isnull=False).order_by("seed")
    return [run.grading.blob.key for run in runs.select_related("grading__blob")]


def test_from_new_answers_to_the_board(
    client: Client, entry: Entry, maintainer: User, capsys: pytest.CaptureFixture[str]
) -> None:
    make.make_answers(Competition.objects.get(pk="low-a"))
    before = pins_of(entry)
    said = run(capsys, "regrade", "--competition", "low-a")
    assert "3 gradings asked for now" in said
    work(dict(zip(keys_of(entry, "low-a"), (0.85, 0.75, 0.85), strict=True)))
    assert pins_of(entry) == before
    assert "50.00" in text_of(client.get(f"/entries/{entry.slug}/"))
    said = run(capsys, "regrade", "--competition", "low-a")
    assert "3 gradings done before with the same answers and grader" in said
    assert "low-a: 3 runs of 1 published entries could stand on something newer" in said
    assert "/competitions/low-a/pins/" in said

    client.force_login(maintainer)
    address = f"/entries/{entry.slug}/pins/"
    fields = hidden(client.get(address).content.decode())
    assert client.post(address, {**WORDS, **fields}).status_code == 302
    client.logout()
    changed = "Any Medal %, Low (Lite), 50.00 → 66.67"
    assert changed in text_of(client.get("/restatements/"))
    assert changed in text_of(client.get(f"/entries/{entry.slug}/"))
    assert "66.67" in text_of(client.get(f"/boards/{entry.benchmark.slug}/clean/low/"))
    ranking = client.get(f"/api/v1/rankings/clean?benchmark={entry.benchmark.slug}&split=low").json()
    assert ranking["rows"][0]["result"]["any_medal_mean"] == pytest.approx(200 / 3)
    assert client.get("/api/v1/restatements/?figure=any_medal_mean&split=low").json()["results"]
    assert verify_decisions() == []


def test_a_leaderboard_says_who_would_change_and_changes_nothing(
    entry: Entry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = pins_of(entry)
    file = tmp_path / "lb.csv"
    file.write_text("score\n" + "".join(f"{1 - place / 100}\n" for place in range(1, 11)))
    said = run(capsys, "load_leaderboard", "--competition", "low-a", str(file))
    assert "loaded (1): low-a" in said
    assert "low-a, thresholds 2 from 10 teams: gold 0.99, silver 0.98, bronze 0.96" in said
    assert "note: gold was 0.9 and is 0.99" in said
    assert f"entry {entry.pk} ({entry.agent}) would change: s1 gold → none; s3 silver → none" in said
    assert pins_of(entry) == before
    assert "unchanged (1): low-a" in run(capsys, "load_leaderboard", "--competition", "low-a", str(file))


def test_a_directory_of_leaderboards(
    entry: Entry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for competition, text in {"low-a": "score\n0.9\n0.8\n", "low-b": "score\n0.8\n0.9\n"}.items():
        (tmp_path / competition).mkdir()
        (tmp_path / competition / "leaderboard.csv").write_text(text)
    with pytest.raises(CommandError, match=r"low-b: Line 3 is better"):
        run(capsys, "load_leaderboard", "--from", str(tmp_path))
    assert Competition.objects.get(pk="low-a").thresholds.count() == 2
    assert Competition.objects.get(pk="low-b").thresholds.count() == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Give either"),
        (["--competition", "low-a"], "Give either"),
        (["lb.csv"], "Give either"),
        (["--competition", "nothing", __file__], "not in the catalogue"),
        (["--competition", "low-a", "/nowhere.csv"], "is not a file"),
        (["--from", "/nowhere"], "is not a directory"),
        (["--from", "/tmp", "--competition", "low-a"], "Give either"),
    ],
)
def test_load_leaderboard_says_what_is_missing(entry: Entry, words: Sequence[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("load_leaderboard", *words)


# Which runs a regrade takes.


@pytest.fixture
def other(entry: Entry) -> Entry:
    return make_published(entry.benchmark, {"s1": {"low-a": 0.95, "low-b": None}})


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], 7),
        (["--competition", "low-a"], 4),
        (["--competition", "low-a", "low-b"], 7),
        (["--only-outcome", "invalid"], 2),
        (["--only-outcome", "invalid", "scored", "--competition", "low-b"], 3),
        (["--entry", "{number}"], 2),
        (["--entry", "{slug}", "--competition", "low-a"], 1),
        (["--thresholds", "1"], 7),
        (["--grader-version", "older"], 1),
    ],
)
def test_which_runs_are_taken(
    entry: Entry, other: Entry, capsys: pytest.CaptureFixture[str], words: list[str], asked: int
) -> None:
    for competition in ("low-a", "low-b"):
        make.make_answers(Competition.objects.get(pk=competition))
    Grading.objects.filter(pk=run_of(entry, "s1", "low-a").grading_id).update(graded_with="older")
    words = [word.format(number=other.pk, slug=other.slug) for word in words]
    would = run(capsys, "regrade", *words, "--dry-run")
    assert f"{asked} gradings would be asked for" in would
    assert not Grading.objects.filter(priority=Grading.Priority.REGRADE).exists()
    assert f"{asked} gradings asked for now" in run(capsys, "regrade", *words)
    assert Grading.objects.filter(priority=Grading.Priority.REGRADE).count() == asked


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--competition", "nothing"], "Not in the catalogue: nothing"),
        (["--entry", "nothing"], "nothing. Give its number or slug"),
        (["--entry", "99999999999999999999"], "Give its number or slug"),
        (["--answers", "2"], "Answers 2 were never loaded for: low-a, low-b"),
        (["--thresholds", "7"], "No run of a graded entry fits"),
        (["--only-outcome", "timed_out"], "No run of a graded entry fits"),
    ],
)
def test_regrade_says_what_does_not_fit(entry: Entry, words: Sequence[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("regrade", *words)


def test_older_answers_can_be_named(entry: Entry, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        make.make_answers(Competition.objects.get(pk="low-a"))
    run(capsys, "regrade", "--competition", "low-a", "--answers", "1")
    numbers = Grading.objects.filter(priority=Grading.Priority.REGRADE).values_list(
        "answers__number", flat=True
    )
    assert set(numbers) == {1}


def test_a_withdrawn_entry_is_left_alone(entry: Entry, maintainer: User) -> None:
    withdraw_entry(entry, GROUNDS, maintainer, make.NOW)
    with pytest.raises(CommandError, match="No run of a graded entry fits"):
        call_command("regrade")


def test_waiting_rings_and_sees_the_end(
    entry: Entry, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, rings: list[Any]
) -> None:
    """While the command sleeps, a worker grades."""
    make.make_answers(Competition.objects.get(pk="low-a"))
    scores = dict.fromkeys(keys_of(entry, "low-a"), 0.6)
    monkeypatch.setattr("leaderboard.management.commands.regrade.time.sleep", lambda _: work(scores))
    monkeypatch.setattr("grading.rings.transaction.on_commit", lambda send: send())
    said = run(capsys, "regrade", "--competition", "low-a", "--wait")
    assert "3 gradings done: 3 scored" in said
    assert {task for task, _ in rings} == {"grading.tasks.grade"}
    assert len(rings) == 3
