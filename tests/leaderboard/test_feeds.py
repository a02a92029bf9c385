"""Feeds and badges: for readers elsewhere, without a word that could do harm there."""

import xml.etree.ElementTree as ET
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from leaderboard.badge import Standing, badge_text, draw_badge
from leaderboard.integrity.decide import withdraw_entry
from leaderboard.integrity.ledger import Grounds
from leaderboard.integrity.masking import mask_competitions
from leaderboard.models import Entry
from leaderboard.views import feeds
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import (
    GROUNDS,
    make_board_benchmark,
    make_placed,
    make_published,
    make_reviewed,
    place,
)

ATOM = "{http://www.w3.org/2005/Atom}"


def rename(entry: Entry, name: str) -> None:
    entry.agent.name = name
    entry.agent.save()


def titles(client: Client, name: str) -> list[str]:
    root = ET.fromstring(client.get(f"/feeds/{name}.atom").content)
    return [str(title.text) for title in root.findall(f"{ATOM}entry/{ATOM}title")]


@pytest.mark.django_db
def test_new_entries_once_each_newest_first(client: Client, settings: pytest.FixtureRequest) -> None:
    settings.SITE_URL = "https://board.example"  # type: ignore[attr-defined]
    benchmark = make_board_benchmark()
    make_reviewed(benchmark, {"s1": {"comp-low": 0.95}})
    imported = make_placed(benchmark, "no-private-lb", 64.437)
    place(imported, "additional")
    graded = make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    assert titles(client, "entries") == [
        f"{graded.agent.name} by {graded.agent.organisation.name} on No Private LB",
        f"{imported.agent.name} by {imported.agent.organisation.name} on Additional",
    ]
    text = client.get("/feeds/entries.atom").content.decode()
    assert "Any Medal 64.44 % on All" in text
    assert f"https://board.example/entries/{imported.pk}/" in text
    assert "testserver" not in text
    assert text.count("Published on No Private LB.") == 1, "of the one that was moved"


@pytest.mark.django_db
def test_an_entry_stands_in_the_feed_where_the_board_has_it(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    mask_competitions(entry, ["comp-low"], GROUNDS, make_maintainer(), NOW)
    assert "Nothing counted on Low" in client.get("/feeds/entries.atom").content.decode()
    assert "Published on" not in client.get("/feeds/entries.atom").content.decode()
    withdraw_entry(entry, GROUNDS, make_maintainer(), NOW)
    assert titles(client, "entries") == [
        f"{entry.agent.name} by {entry.agent.organisation.name}, withdrawn since"
    ]


@pytest.mark.django_db
def test_decisions_with_reasons_that_stay_text(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    place(entry, "additional", "<script>alert(1)</script> & more")
    assert titles(client, "decisions")[0].endswith(f"{entry.agent.name} placed, as imported, on Additional")
    root = ET.fromstring(client.get("/feeds/decisions.atom").content)
    html = root.find(f"{ATOM}entry/{ATOM}summary")
    assert html is not None
    assert "&lt;script&gt;" in str(html.text)
    assert "<script>" not in str(html.text)


@pytest.mark.django_db
def test_characters_that_xml_cannot_hold_are_left_out(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    place(entry, "additional", "From a terminal: \x1b[1mbold\x1b[0m\x08\ufffe\tand on")
    root = ET.fromstring(client.get("/feeds/decisions.atom").content)
    html = root.find(f"{ATOM}entry/{ATOM}summary")
    assert html is not None
    assert "From a terminal: [1mbold[0m\tand on" in str(html.text)


@pytest.mark.django_db
def test_a_kept_feed_is_the_same_and_gives_way_to_the_next_decision(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "time", SimpleNamespace(monotonic=lambda: 0.0))
    entry = make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    settings.SITE_URL = "https://kept.example"  # Of no other test, all of which share what is kept.
    fresh = client.get("/feeds/decisions.atom")
    settings.BOARD_CHECK_S = 0.5
    first = client.get("/feeds/decisions.atom")
    rename(entry, "Renamed")
    second = client.get("/feeds/decisions.atom")
    assert fresh.content == first.content == second.content
    kept, usual = ({**answer.headers, "X-Request-ID": ""} for answer in (second, fresh))
    assert kept == usual
    place(entry, "additional", "Something new.")
    after = client.get("/feeds/decisions.atom").content.decode()
    assert "Something new." in after
    assert "Renamed" in after


@pytest.mark.django_db
def test_an_etag_is_that_of_what_is_sent(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(feeds, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    settings.SITE_URL, settings.BOARD_CHECK_S = "https://etag.example", 0.5
    entry = make_placed(make_board_benchmark(), "no-private-lb", 50.0)
    seen = {"if-none-match": client.get("/feeds/entries.atom")["ETag"]}
    rename(entry, "Renamed")
    assert client.get("/feeds/entries.atom", headers=seen).status_code == 304, "as it is kept"
    clock[0] += feeds.KEPT_S
    anew = client.get("/feeds/entries.atom", headers=seen)
    assert anew.status_code == 200
    assert "Renamed" in anew.content.decode()


@pytest.mark.django_db
def test_feeds_answer_304_until_something_is_decided(client: Client) -> None:
    benchmark = make_board_benchmark()
    make_placed(benchmark, "no-private-lb", 50.0)
    for name in ("entries", "decisions"):
        etag = client.get(f"/feeds/{name}.atom")["ETag"]
        again = {"if-none-match": etag}
        assert client.get(f"/feeds/{name}.atom", headers=again).status_code == 304
        make_placed(benchmark, "no-private-lb", 51.0)
        assert client.get(f"/feeds/{name}.atom", headers=again).status_code == 200


@pytest.mark.django_db
def test_entries_are_sent_anew_once_a_figure_was_restated(client: Client) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.95}, "s2": {"comp-low": 0.1}})
    answer = client.get("/feeds/entries.atom")
    assert "50.0" in answer.content.decode()
    mask_competitions(entry, ["comp-low"], GROUNDS, make_maintainer(), NOW)
    anew = client.get("/feeds/entries.atom", headers={"if-none-match": answer["ETag"]})
    assert anew.status_code == 200
    assert "50.0" not in anew.content.decode()


@pytest.mark.parametrize(
    ("standing", "text"),
    [
        (Standing("Clean", 2, 64.44), "Clean · rank 2 · 64.4 %"),
        (Standing("Clean", None, None), "Clean · unranked"),
        (Standing("Clean", 1, 0.0), "Clean · rank 1 · 0.0 %"),
        (Standing("Additional", None, 70.0, is_warned=True), "Additional · under a warning · 70.0 %"),
        (Standing(""), "withdrawn"),
    ],
)
def test_badges_say_where_an_entry_stands(standing: Standing, text: str) -> None:
    assert badge_text(standing) == text
    root = ET.fromstring(draw_badge(standing))
    assert root.attrib["aria-label"] == f"MLE-bench: {text}"


def test_a_badge_escapes_even_the_words_of_maintainers() -> None:
    assert "<b>" not in draw_badge(Standing("<b>", 1, 1.0))
    assert "style" not in draw_badge(Standing("Clean", 1, 1.0)), "the policy of the site would refuse it"


@pytest.mark.django_db
def test_badges_of_entries(client: Client) -> None:
    benchmark = make_board_benchmark()
    hidden = make_reviewed(benchmark, {"s1": {"comp-low": 0.95}})
    entry = make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    entry.agent.name = "<script>alert(1)</script>"
    entry.agent.save()
    answer = client.get(f"/entries/{entry.slug}/badge.svg")
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert "max-age=300" in answer["Cache-Control"]
    assert "No Private LB · rank 1 · 100.0 %" in answer.content.decode()
    assert "script" not in answer.content.decode()
    again = client.get(f"/entries/{entry.slug}/badge.svg", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    assert client.get(f"/entries/{hidden.slug}/badge.svg").status_code == 404
    withdraw_entry(entry, Grounds("Gone.", "A rule.", GROUNDS.evidence_url), make_maintainer(), NOW)
    assert "withdrawn" in client.get(f"/entries/{entry.slug}/badge.svg").content.decode()
