"""The pages of agents and organisations, the list of decisions, the list of competitions, and what the site is."""

from typing import Any

import pytest
from django.test import Client

from grading.models import Competition
from leaderboard.integrity.decide import withdraw_entry
from leaderboard.models import Decision, Entry
from submissions.models import Organisation
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import (
    GROUNDS,
    make_board_benchmark,
    make_placed,
    make_published,
    make_reviewed,
    place,
)
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
SCORES = {"s1": {"comp-low": 0.95}}


def test_agent_page_shows_its_entries_with_figure_track_and_rank(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    response = client.get(f"/agents/{entry.agent.slug}/")
    page = text_of(response)
    assert response["Cache-Control"] == "public, max-age=1"
    for said in (
        entry.agent.name,
        entry.agent.organisation.name,
        "1 published entry",
        "100.00",
        "rank 1 on Clean",
    ):
        assert said in page
    assert f'href="/entries/{entry.slug}/"' in response.content.decode()


def test_organisation_page_counts_what_was_graded(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    organisation = entry.agent.organisation
    page = text_of(client.get(f"/organisations/{organisation.slug}/"))
    assert "Graded submissions 1" in page
    assert "Of these published 1" in page
    assert entry.agent.name in page


def test_imported_organisations_are_not_verified(client: Client) -> None:
    unclaimed = Organisation.objects.create(name="Elsewhere", slug="elsewhere")
    entry = make_placed(make_board_benchmark(), "no-private-lb", 40.0, organisation=unclaimed)
    page = text_of(client.get(f"/organisations/{entry.agent.organisation.slug}/"))
    assert "not verified" in page
    assert "Imported rows 1" in page
    assert "Graded submissions 0" in page


def test_nobody_is_named_before_publication(client: Client) -> None:
    entry = make_reviewed(make_board_benchmark(), SCORES)
    member = entry.submission.team.members.get().user  # type: ignore[union-attr]
    for user in (None, member, make_maintainer()):
        if user:
            client.force_login(user)
        assert client.get(f"/agents/{entry.agent.slug}/").status_code == 404
        assert client.get(f"/organisations/{entry.agent.organisation.slug}/").status_code == 404


def test_withdrawn_entries_stay_and_say_so(client: Client) -> None:
    entry = make_published(make_board_benchmark(), SCORES)
    withdraw_entry(entry, GROUNDS, make_maintainer(), NOW)
    page = text_of(client.get(f"/agents/{entry.agent.slug}/"))
    assert "withdrawn" in page
    assert "Best Any Medal" not in page


def test_a_warned_figure_does_not_stand_for_the_agent(client: Client) -> None:
    benchmark = make_board_benchmark()
    ranked = make_placed(benchmark, "no-private-lb", 40.0)
    warned = make_placed(benchmark, "additional", 90.0)
    assert "unranked on Additional" in text_of(client.get(f"/agents/{warned.agent.slug}/"))
    Entry.objects.filter(pk=warned.pk).update(agent=ranked.agent)
    page = text_of(client.get(f"/agents/{ranked.agent.slug}/"))
    assert "40.00 % ± 1.25 SEM" in page
    assert "rank 1 on No Private LB" in page


@pytest.mark.parametrize("kind", ["agents", "organisations"])
def test_cost_does_not_grow_with_entries(client: Client, django_assert_num_queries: Any, kind: str) -> None:
    benchmark = make_board_benchmark()
    first = make_placed(benchmark, "no-private-lb", 40.0)
    slug = first.agent.slug if kind == "agents" else first.agent.organisation.slug
    for _ in range(2):
        with django_assert_num_queries({"agents": 5, "organisations": 6}[kind]):
            assert client.get(f"/{kind}/{slug}/").status_code == 200
        for _ in range(3):
            more = make_placed(benchmark, "no-private-lb", 50.0)
            Entry.objects.filter(pk=more.pk).update(agent=first.agent)


def test_decisions_are_listed_newest_first_and_narrowed(client: Client) -> None:
    benchmark = make_board_benchmark()
    one = make_placed(benchmark, "no-private-lb", 40.0)
    two = place(make_placed(benchmark, "no-private-lb", 50.0), "additional", "It saw the medals.")
    html = client.get("/decisions/").content.decode()
    numbers = [
        html.index(f"/decisions/{pk}/")
        for pk in Decision.objects.order_by("-pk").values_list("pk", flat=True)
    ]
    assert numbers == sorted(numbers)
    narrowed = text_of(client.get("/decisions/?track=additional"))
    assert f"Decision {two.pk}" in narrowed
    assert "It saw the medals." in narrowed
    assert one.agent.name not in narrowed
    assert "No decision matches" in text_of(client.get("/decisions/?kind=withdraw"))
    assert "No decision matches" in text_of(client.get("/decisions/?kind=nonsense"))
    assert "No decision matches" not in text_of(client.get("/decisions/?benchmark=bench&kind=import"))


def test_decisions_are_paged_and_keep_the_filter(client: Client) -> None:
    benchmark = make_board_benchmark()
    entry = make_placed(benchmark, "no-private-lb", 40.0)
    for _ in range(21):
        place(entry, "no-private-lb")
    html = client.get("/decisions/?kind=import").content.decode()
    assert 'href="/decisions/?kind=import&amp;page=2"' in html
    assert "21–22 of 22" in text_of(client.get("/decisions/?kind=import&page=2"))


def test_decisions_about_unpublished_entries_are_nobodys(client: Client) -> None:
    entry = make_reviewed(make_board_benchmark(), SCORES)
    assert entry.agent.name not in text_of(client.get("/decisions/"))


def test_cost_of_the_list_of_decisions(client: Client, django_assert_num_queries: Any) -> None:
    benchmark = make_board_benchmark()
    for mean in (40.0, 50.0, 60.0):
        make_placed(benchmark, "no-private-lb", mean)
    with django_assert_num_queries(6):
        client.get("/decisions/")


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", {"comp-low", "comp-medium", "comp-high"}),
        ("q=MEDIUM", {"comp-medium"}),
        ("q=comp+low", {"comp-low"}),
        ("q=nope", set()),
        ("issue=leak", {"comp-high"}),
        ("issue=none", {"comp-low", "comp-medium"}),
        ("issue=none&split=low", {"comp-low"}),
        ("issue=nonsense", set()),
    ],
)
def test_competitions_are_narrowed(client: Client, query: str, shown: set[str]) -> None:
    make_board_benchmark()
    issue = {"kind": "leak", "summary": "Made up.", "source": "https://example.org"}
    Competition.objects.filter(pk="comp-high").update(known_issues=[issue])
    html = client.get(f"/competitions/?{query}").content.decode()
    found = {
        name for name in ("comp-low", "comp-medium", "comp-high") if f'href="/competitions/{name}/"' in html
    }
    assert found == shown


def test_about_counts_what_is_published(client: Client) -> None:
    make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    page = text_of(client.get("/about/"))
    assert "Published entries 1" in page
    assert "Graded here 0" in page
    assert "what Clean does not prove" in page


def test_entry_page_leads_to_agent_and_organisation(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 40.0)
    html = client.get(f"/entries/{entry.slug}/").content.decode()
    assert f'href="/agents/{entry.agent.slug}/"' in html
    assert f'href="/organisations/{entry.agent.organisation.slug}/"' in html
