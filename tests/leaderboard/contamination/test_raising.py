"""Comparisons of real entries: computed when the review opens, shown to maintainers, and never a score too early."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from grading.models import Benchmark, Competition
from leaderboard.contamination.raising import compare_medals
from leaderboard.integrity.decide import publish, withdraw_entry
from leaderboard.models import Contamination, Entry, Finding, Track
from submissions.models import Team
from tests.factories import NOW, make_benchmark, make_competition, make_maintainer, make_team
from tests.leaderboard.boards import GROUNDS, make_published, make_reviewed

pytestmark = pytest.mark.django_db
OLD = [f"old-{at}" for at in range(6)]
NEW = [f"new-{at}" for at in range(6)]
GOLD, NOTHING = 0.95, 0.1
LEAK = [{"kind": "leak", "summary": "Labels leak.", "source": "https://example.org/leak"}]


@pytest.fixture
def benchmark() -> Benchmark:
    for at, name in enumerate(OLD):
        make_competition(name, closed_on=date(2018, 1, 1), known_issues=LEAK if at < 3 else [])
    for name in NEW:
        make_competition(name, closed_on=date(2024, 1, 1))
    return make_benchmark("bench", dict.fromkeys(OLD + NEW, "low"))


def scores(old: float, new: float) -> dict[str, dict[str, float | None]]:
    row = {**dict.fromkeys(OLD, old), **dict.fromkeys(NEW, new)}
    return {seed: dict(row) for seed in ("0", "1", "2")}


def card(name: str, **answers: Any) -> dict[str, Any]:
    return {
        "scaffold": {"name": name},
        "llms": [{"role": "agent", "provider": "P", "id": "llm-1", "knowledge_cutoff": "2021-06"}],
        **answers,
    }


@pytest.fixture
def others(benchmark: Benchmark) -> list[Entry]:
    return [make_published(benchmark, scores(NOTHING, NOTHING)) for _ in range(3)]


def findings(entry: Entry) -> set[str]:
    codes = Finding.objects.filter(submission=entry.submission).values_list("code", flat=True)
    return {code for code in codes if code.startswith("contamination-")}


def test_medals_on_old_competitions_alone_are_found(benchmark: Benchmark, others: list[Entry]) -> None:
    entry = make_reviewed(benchmark, scores(GOLD, NOTHING), document=card("Old hand"))
    assert findings(entry) == {"contamination-before-date"}
    finding = Finding.objects.get(submission=entry.submission, code="contamination-before-date")
    assert "Divided at the llm's knowledge cut-off" in finding.sentence
    assert "closed before 2021-06-30 (6)" in finding.sentence


def test_medals_everywhere_are_not(benchmark: Benchmark, others: list[Entry]) -> None:
    assert findings(make_reviewed(benchmark, scores(GOLD, GOLD), document=card("Good all over"))) == set()


def test_medals_where_it_leaks_are_found(benchmark: Benchmark, others: list[Entry]) -> None:
    leaky = {seed: {**row, **dict.fromkeys(OLD[:3], GOLD)} for seed, row in scores(NOTHING, NOTHING).items()}
    assert "contamination-leaky" in findings(make_reviewed(benchmark, leaky, document=card("Leaker")))


@pytest.mark.parametrize("prompt", ["original", "obfuscated"])
def test_both_descriptions_of_one_agent_are_compared(
    benchmark: Benchmark, others: list[Entry], prompt: str
) -> None:
    team = make_team()
    of_other = "original" if prompt == "obfuscated" else "obfuscated"
    good = {"original": GOLD, "obfuscated": NOTHING}
    make_published(
        benchmark, scores(good[of_other], good[of_other]), team=team, document=card("Reader", prompt=of_other)
    )
    entry = make_reviewed(
        benchmark, scores(good[prompt], good[prompt]), team=team, document=card("Reader", prompt=prompt)
    )
    assert "contamination-prompt" in findings(entry)


def test_a_jump_of_the_same_agent_is_found(benchmark: Benchmark, others: list[Entry]) -> None:
    team = make_team()
    first = make_published(benchmark, scores(NOTHING, NOTHING), team=team, document=card("Jumper"))
    entry = make_reviewed(benchmark, scores(GOLD, GOLD), team=team, document=card("Jumper"))
    assert findings(entry) == {"contamination-jump"}
    assert f"Compared with entry {first.pk}." in Finding.objects.get(code="contamination-jump").sentence


def compared_with(benchmark: Benchmark, team: Team | None = None) -> int:
    """How many other entries the figures of a new one stand on."""
    entry = make_reviewed(benchmark, scores(GOLD, NOTHING), team=team or make_team(), document=card("New"))
    line = Contamination.objects.get(submission=entry.submission).lines[0]
    return int(line["figures"]["others_counted"]) if line["figures"] else 0


def test_own_unpublished_and_withdrawn_entries_are_no_yardstick(
    benchmark: Benchmark, others: list[Entry]
) -> None:
    team = make_team()
    make_published(benchmark, scores(NOTHING, NOTHING), team=team)
    make_reviewed(benchmark, scores(NOTHING, NOTHING))
    assert compared_with(benchmark, team) == 3
    withdraw_entry(others[0], GROUNDS, make_maintainer(), NOW)
    assert compared_with(benchmark, team) == 0  # Two are too few.


def test_twice_is_once(benchmark: Benchmark, others: list[Entry]) -> None:
    entry = make_reviewed(benchmark, scores(GOLD, NOTHING), document=card("Old hand"))
    compare_medals(entry, NOW)
    assert Contamination.objects.filter(submission=entry.submission).count() == 1
    assert Finding.objects.filter(submission=entry.submission, code="contamination-before-date").count() == 1


def test_its_own_rates_show_once_it_is_public(
    client: Client, benchmark: Benchmark, others: list[Entry]
) -> None:
    entry = make_reviewed(benchmark, scores(GOLD, NOTHING), document=card("Old hand"))
    assert entry.submission is not None
    address = f"/docket/{entry.submission.public_id}/"
    client.force_login(make_maintainer())
    page = client.get(address).content.decode()
    assert "far outside" in page
    assert "Medals 100.0 %" not in page
    publish(entry, Track.objects.get(slug="additional"), GROUNDS, make_maintainer(), NOW)
    assert "Medals 100.0 % against 0.0 %" in client.get(address).content.decode()


def test_nothing_of_it_is_public(client: Client, benchmark: Benchmark, others: list[Entry]) -> None:
    entry = make_published(benchmark, scores(GOLD, NOTHING), "additional", document=card("Old hand"))
    assert entry.submission is not None
    assert findings(entry)
    for user in (None, entry.submission.created_by):
        if user:
            client.force_login(user)
        for address in (f"/entries/{entry.slug}/", f"/api/v1/entries/{entry.slug}"):
            answer = client.get(address)
            assert answer.status_code == 200
            assert "contamination" not in answer.content.decode().lower()


def test_no_known_date_is_said(others: list[Entry], benchmark: Benchmark) -> None:
    Competition.objects.update(closed_on=None)
    entry = make_reviewed(benchmark, scores(GOLD, NOTHING), document=card("Old hand"))
    line = Contamination.objects.get(submission=entry.submission).lines[0]
    assert line["missing"] == "no closing date is known"
    assert "12 of 12 competitions" in line["sentence"]


def test_queries_do_not_grow_with_entries(
    benchmark: Benchmark, others: list[Entry], django_assert_max_num_queries: Any
) -> None:
    entry = make_reviewed(benchmark, scores(GOLD, NOTHING), document=card("Old hand"))
    for _ in range(3):
        make_published(benchmark, scores(NOTHING, GOLD))
    with django_assert_max_num_queries(14):
        compare_medals(Entry.objects.get(pk=entry.pk), NOW)
