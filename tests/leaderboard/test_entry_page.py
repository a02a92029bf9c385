"""Entry, competition and decision pages."""

from typing import Any

import pytest
from django.test import Client

from grading.models import Competition
from leaderboard.cutoff_chart import draw_cutoffs
from leaderboard.entry_facts import name_source
from leaderboard.integrity.decide import flag_entry, withdraw_entry
from leaderboard.models import Decision, Entry
from submissions.states import StatusConflict
from submissions.withdraw import can_withdraw, withdraw
from tests.factories import NOW, make_maintainer, make_thresholds
from tests.leaderboard.boards import (
    GROUNDS,
    make_board_benchmark,
    make_placed,
    make_published,
    make_reviewed,
)
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
SCORES = {
    "s1": {"comp-low": 0.91234},
    "s2": {"comp-low": 0.55},
    "s3": {"comp-low": None},
}


def test_nobody_sees_an_entry_before_publication(client: Client) -> None:
    entry = make_reviewed(make_board_benchmark(), SCORES)
    member = entry.submission.team.members.get().user  # type: ignore[union-attr]
    for user in (None, member, make_maintainer()):
        if user:
            client.force_login(user)
        assert client.get(f"/entries/{entry.slug}/").status_code == 404
        assert client.get(f"/entries/{entry.pk}/").status_code == 404
        assert client.get(f"/entries/{entry.slug}/flag/").status_code in (302, 404)


def test_a_team_cannot_withdraw_what_was_graded_and_so_not_look_at_its_scores(client: Client) -> None:
    entry = make_reviewed(make_board_benchmark(), SCORES)
    submission = entry.submission
    assert submission is not None
    assert not can_withdraw(submission)
    with pytest.raises(StatusConflict):
        withdraw(submission, submission.created_by, NOW)
    assert client.get(f"/entries/{entry.slug}/").status_code == 404


@pytest.mark.parametrize(
    ("commit", "shown"),
    [
        ("", ""),
        ("abc123", "commit abc123"),
        ("a" * 40, "commit " + "a" * 12),
        ("b" * 64, "archive SHA-256 " + "b" * 12),
    ],
)
def test_a_commit_is_told_from_an_archive(commit: str, shown: str) -> None:
    assert name_source(commit) == shown


def test_shows_scores_medals_and_why_a_run_has_none(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "0.91234" in page
    assert "gold" in page
    assert "above median" in page
    assert "invalid" in page
    assert "33.33" in page
    assert "1 of 3" in page


def test_missing_runs_are_counted_and_explained(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_published(benchmark, {"s1": {"comp-low": 0.9}, "s2": {"comp-medium": 0.9}}, scope="all")
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "padded 4 of 6" in page
    assert "no reason given" in page


def test_a_score_beside_a_rounded_cutoff_is_marked(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_thresholds(Competition.objects.get(pk="comp-low"), (0.9, 0.8, 0.7, 0.5), exact=False)
    entry = make_published(benchmark, {"s1": {"comp-low": 0.79999}})
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "≈" in page
    assert "rounded table" in page


def test_imported_rows_say_what_is_not_known(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "Published elsewhere, not graded here" in page
    assert "40.00" in page
    assert "not stated" in page


def test_the_number_leads_to_the_page(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    assert client.get(f"/entries/{entry.pk}/")["Location"] == f"/entries/{entry.slug}/"


def test_withdrawn_entries_keep_their_page(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    decision = withdraw_entry(entry, GROUNDS, make_maintainer(), NOW)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "Withdrawn" in page
    assert f"Decision {decision.pk}" in page
    assert "0.91234" in page
    assert entry.agent.name not in text_of(client.get("/boards/bench/clean/low/"))


def test_upheld_flags_show(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    flag_entry(entry, GROUNDS, make_maintainer(), NOW)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "A flag was upheld" in page
    assert GROUNDS.reason in page


def test_team_members_are_not_named(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    member = entry.submission.team.members.get().user  # type: ignore[union-attr]
    html = client.get(f"/entries/{entry.slug}/").content.decode()
    assert member.email not in html
    assert member.username not in html


def test_cost_of_an_entry_page_does_not_grow_with_runs(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    benchmark = make_board_benchmark()
    small = make_published(benchmark, SCORES)
    large = make_published(benchmark, {f"s{n}": {"comp-low": 0.9} for n in range(12)})
    for entry in (small, large):
        with django_assert_max_num_queries(22):
            client.get(f"/entries/{entry.slug}/")


def test_decision_page(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    decision = Decision.objects.get(entry=entry)
    page = text_of(client.get(f"/decisions/{decision.pk}/"))
    for said in (GROUNDS.reason, GROUNDS.rule, GROUNDS.evidence_url, decision.hash, "published on Clean"):
        assert said in page
    assert decision.decided_by is not None
    assert decision.decided_by.public_name in page
    assert client.get("/decisions/999/").status_code == 404


def test_competition_page_shows_published_results_only(client: Client) -> None:
    benchmark = make_board_benchmark()
    hidden = make_reviewed(benchmark, {"s1": {"comp-low": 0.61803}})
    shown = make_published(benchmark, SCORES)
    response = client.get("/competitions/comp-low/")
    page = text_of(response)
    assert "0.91234" in page
    assert "0.61803" not in page
    assert shown.slug in response.content.decode()
    assert hidden.slug not in response.content.decode()
    assert "answers" in page.lower()


def test_competition_list_is_narrowed_by_its_address(client: Client) -> None:
    make_board_benchmark()
    assert "comp-medium" in text_of(client.get("/competitions/"))
    page = text_of(client.get("/competitions/?benchmark=bench&split=low"))
    assert "comp-low" in page
    assert "comp-medium" not in page
    assert "No competition matches" in text_of(client.get("/competitions/?split=nonsense"))
    assert client.get("/competitions/nope/").status_code == 404


def test_competition_list_costs_the_same_for_any_number(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    make_board_benchmark()
    with django_assert_max_num_queries(5):
        client.get("/competitions/")


def test_every_imported_entry_has_a_page(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "additional", 40.0)
    assert Entry.objects.count() == 1
    assert "Shown under a warning, not ranked" in text_of(client.get(f"/entries/{entry.slug}/"))


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_better_is_drawn_to_the_right(lower_is_better: bool) -> None:
    cutoffs = {"median": 0.5, "gold": 0.9} if not lower_is_better else {"median": 0.9, "gold": 0.5}
    chart = draw_cutoffs(cutoffs, [("s1", "none", 0.7)], lower_is_better)
    assert chart is not None
    places = {cutoff.name: cutoff.x for cutoff in chart.cutoffs}
    assert places["median"] < chart.dots[0].x < places["gold"]


def test_nothing_to_draw_and_all_alike() -> None:
    assert draw_cutoffs({"gold": 1.0}, [], False) is None
    assert draw_cutoffs({"gold": 1.0}, [("s1", "gold", 1.0)], False) is not None
