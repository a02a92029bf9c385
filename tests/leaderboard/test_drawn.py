"""Lines that were drawn before are given again, and never in place of others."""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from leaderboard import drawn
from leaderboard.drawn import draw_once, reader_of
from leaderboard.models import Flag
from tests.factories import NOW, make_maintainer
from tests.leaderboard.boards import make_board_benchmark, make_published

BADGE = "_parts/badge.html"


@pytest.fixture(autouse=True)
def nothing_drawn() -> Iterator[None]:
    drawn.forget()
    yield
    drawn.forget()


def badge(words: tuple[Any, ...], text: str, made: list[str]) -> str:
    def context() -> Mapping[str, Any]:
        made.append(text)
        return {"kind": "plain", "text": text}

    return draw_once(BADGE, words, context)


def test_the_same_words_are_drawn_once() -> None:
    made: list[str] = []
    assert badge(("a", 1), "first", made) == badge(("a", 1), "second", made)
    assert made == ["first"]


@pytest.mark.parametrize(
    "others", [("a", 2), ("a", 1.0), ("a", "1"), ("a", None), ("a", True), ("b", 1), (("a", 1),), ("a", [1])]
)
def test_other_words_are_drawn_anew(others: tuple[Any, ...]) -> None:
    made: list[str] = []
    assert "first" in badge(("a", 1), "first", made)
    assert "second" in badge(others, "second", made)


def test_another_part_is_drawn_anew() -> None:
    made: list[str] = []
    badge(("a",), "first", made)
    said = draw_once("_parts/disclosure.html", ("a",), lambda: {"answered": 7, "total": 8})
    assert "7 of 8" in said


def test_text_is_escaped_and_characters_that_no_encoding_has_do_no_harm() -> None:
    assert "&lt;b&gt;" in badge(("<b>",), "<b>", [])
    assert badge(("\ud800",), "half", [])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (SimpleNamespace(name="n", of=SimpleNamespace(title="t")), ("n", "t")),
        (SimpleNamespace(name="n", of=None), ("n", None)),
    ],
)
def test_columns_are_read_through_what_a_row_refers_to(row: Any, words: tuple[Any, ...]) -> None:
    assert reader_of(("name", "of__title"))(row) == words


def test_what_is_no_column_is_an_error() -> None:
    with pytest.raises(AttributeError):
        reader_of(("name", "nonsense"))(SimpleNamespace(name="n"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/flags/", "/flags/yours/", "/decisions/", "/agents/{agent}/", "/organisations/{by}/", "/compare/", "/docket/",
     "/competitions/comp-low/"],
)  # fmt: skip
def test_a_name_that_was_changed_shows_at_once(client: Client, path: str) -> None:
    entry = make_published(make_board_benchmark(), {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    maintainer, agent = make_maintainer(), entry.agent
    Flag.objects.create(
        entry=entry, raised_by=maintainer, raised_at=NOW - 2 * Flag.PRIVATE_FOR, reason="A doubt.",
        rule="A rule.", evidence_url="https://example.org",
    )  # fmt: skip
    client.force_login(maintainer)
    address = path.format(agent=agent.slug, by=agent.organisation.slug)
    old, new = agent.name, "Called otherwise <now>"
    for _ in range(2):
        assert old in client.get(address).content.decode()
    agent.name = new
    agent.save()
    shown = client.get(address).content.decode()
    assert "Called otherwise &lt;now&gt;" in shown
    assert f">{old}<" not in shown
