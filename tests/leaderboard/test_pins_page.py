"""The pages on which maintainers move pins: who gets in, what they preview, and that they get just that."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from grading.models import Competition
from leaderboard.models import Decision, Entry, PinMove
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import make_published
from tests.leaderboard.repins import add_grading, make_regradable, pins_of, regrade_with_new_answers, run_of
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GROUNDS = {
    "reason": "The answers held a wrong row.",
    "rule": "Grading, regrades",
    "evidence_url": "https://example.org/e",
}
PAGES = ["/entries/{slug}/pins/", "/competitions/low-a/pins/"]


@pytest.fixture
def entry() -> Entry:
    entry = make_regradable()
    regrade_with_new_answers(entry, "low-a", {"s1": 0.85, "s2": 0.75, "s3": 0.85})
    return entry


@pytest.fixture
def maintainer(client: Client) -> User:
    user = make.make_maintainer()
    client.force_login(user)
    return user


def hidden(html: str) -> dict[str, str]:
    """The hidden fields of a page's form, as the browser would send them."""
    tags = re.findall(r'<input type="hidden"[^>]+>', html)
    pairs = (re.search(r'name="(\w+)" value="([^"]*)"', tag) for tag in tags)
    return {pair[1]: pair[2] for pair in pairs if pair and pair[1] != "csrfmiddlewaretoken"}


def ticks(html: str, only_checked: bool = False) -> Iterator[str]:
    for tag in re.findall(r'<input type="checkbox"[^>]+>', html):
        if 'name="entries"' in tag and "disabled" not in tag and ("checked" in tag or not only_checked):
            value = re.search(r'value="([^"]+)"', tag)
            assert value is not None
            yield value[1]


@pytest.mark.parametrize("page", PAGES)
def test_only_maintainers_get_in(client: Client, entry: Entry, page: str) -> None:
    address = page.format(slug=entry.slug)
    assert client.get(address)["Location"].startswith("/account/login/")
    for user in (make.make_user(), entry.submission.team.members.get().user):
        client.force_login(user)
        assert client.get(address).status_code == 404
        assert client.post(address, GROUNDS).status_code == 404
    assert not PinMove.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "/entries/nothing/pins/",
        "/competitions/nothing/pins/",
        "/competitions/low-a/pins/?answers=9",
        "/competitions/low-a/pins/?thresholds=9",
        "/competitions/low-a/pins/?answers=-1",
        "/competitions/low-a/pins/?answers=%C2%B2",
        "/competitions/low-a/pins/?thresholds=1%00",
        "/competitions/low-a/pins/?thresholds=99999999999999999999",
    ],
)
def test_what_does_not_exist(client: Client, entry: Entry, maintainer: User, address: str) -> None:
    assert client.get(address).status_code == 404


def test_an_unpublished_entry_has_no_page_and_shows_no_score(client: Client, maintainer: User) -> None:
    entry = make.make_reviewed(
        make.make_graded_submission({"s1": {"low-a": 0.4321}}, benchmark=make_regradable().benchmark)
    )
    regrade_with_new_answers(entry, "low-a", {"s1": 0.8765})
    assert client.get(f"/entries/{entry.slug}/pins/").status_code == 404
    page = client.get("/competitions/low-a/pins/").content.decode()
    assert entry.agent.name not in page
    assert "0.8765" not in page


def test_the_preview_is_what_the_decision_does(client: Client, entry: Entry, maintainer: User) -> None:
    address = f"/entries/{entry.slug}/pins/"
    html = client.get(address).content.decode()
    page = text_of(client.get(address))
    for said in (
        "Low (Lite) Any Medal % 50.00 66.67",
        "low-a s1 gold 0.95000 silver 0.85000",
        "2 of the 3 whose pins move have another result",
        "answers none → 1 (low-a)",
    ):
        assert said in page
    answer = client.post(address, {**GROUNDS, **hidden(html)})
    assert answer.status_code == 302
    decision = Decision.objects.get(kind="repin")
    assert (decision.decided_by, decision.reason) == (maintainer, GROUNDS["reason"])
    assert run_of(entry, "s1", "low-a").score == 0.85
    done = text_of(client.get(answer["Location"]))
    assert f"Pins moved by decision {decision.pk}." in done
    assert "Move the pins" not in done


def test_without_grounds_nothing_moves(client: Client, entry: Entry, maintainer: User) -> None:
    address, before = f"/entries/{entry.slug}/pins/", pins_of(entry)
    fields = hidden(client.get(address).content.decode())
    assert client.post(address, fields).status_code == 422
    assert client.post(address, GROUNDS).status_code == 422  # Without a preview.
    assert pins_of(entry) == before


def test_a_changed_preview_is_shown_again(client: Client, entry: Entry, maintainer: User) -> None:
    address, before = f"/entries/{entry.slug}/pins/", pins_of(entry)
    fields = hidden(client.get(address).content.decode())
    add_grading(run_of(entry, "s1", "low-b"), 0.95)
    answer = client.post(address, {**GROUNDS, **fields})
    assert answer.status_code == 422
    assert "has changed since you looked" in text_of(answer)
    assert pins_of(entry) == before


def test_a_form_sent_twice_decides_once(client: Client, entry: Entry, maintainer: User) -> None:
    address = f"/entries/{entry.slug}/pins/"
    fields = {**GROUNDS, **hidden(client.get(address).content.decode())}
    assert [client.post(address, fields).status_code for _ in range(2)] == [302, 302]
    assert Decision.objects.filter(kind="repin").count() == 1


def test_a_conflict_is_said_before_and_kept(client: Client, entry: Entry, maintainer: User) -> None:
    make.make_team(entry.agent.organisation, members=[maintainer])
    before = pins_of(entry)
    address = f"/entries/{entry.slug}/pins/"
    html = client.get(address).content.decode()
    assert "Conflict of interest" in html
    assert client.post(address, {**GROUNDS, **hidden(html)}).status_code == 422
    together = "/competitions/low-a/pins/"
    assert list(ticks(client.get(together).content.decode())) == []
    assert pins_of(entry) == before


def test_nothing_to_move(client: Client, maintainer: User) -> None:
    entry = make_regradable()
    for page in PAGES:
        answer = client.get(page.format(slug=entry.slug))
        assert "Nothing to move" in text_of(answer)
        assert 'method="post"' not in re.sub(r"<form[^>]+logout.+?</form>", "", answer.content.decode())


# All entries of a competition.


@pytest.fixture
def other(entry: Entry) -> Entry:
    other = make_published(entry.benchmark, {"s1": {"low-a": 0.95}})
    add_grading(run_of(other, "s1", "low-a"), 0.5, Competition.objects.get(pk="low-a").answers.get())
    return other


def test_each_entry_ticked_gets_its_decision(
    client: Client, entry: Entry, other: Entry, maintainer: User
) -> None:
    address = "/competitions/low-a/pins/"
    html = client.get(address).content.decode()
    chosen = list(ticks(html, only_checked=True))
    assert len(chosen) == 2
    answer = client.post(address, {**GROUNDS, "entries": chosen})
    assert answer.status_code == 302
    assert [run_of(each, "s1", "low-a").score for each in (entry, other)] == [0.85, 0.5]
    assert {decision.entry for decision in Decision.objects.filter(kind="repin")} == {entry, other}
    page = text_of(client.get(answer["Location"]))
    assert "Pins moved" in page
    assert client.post(address, {**GROUNDS, "entries": chosen}).status_code == 422
    assert Decision.objects.filter(kind="repin").count() == 2


def test_an_entry_left_out_stays(client: Client, entry: Entry, other: Entry, maintainer: User) -> None:
    html = client.get("/competitions/low-a/pins/").content.decode()
    chosen = [tick for tick in ticks(html) if tick.startswith(f"{other.pk}:")]
    before = pins_of(entry)
    client.post("/competitions/low-a/pins/", {**GROUNDS, "entries": chosen})
    assert pins_of(entry) == before
    assert run_of(other, "s1", "low-a").score == 0.5


@pytest.mark.parametrize("entries", [[], ["1:2:abc"], ["nonsense"]])
def test_ticks_that_were_not_offered(
    client: Client, entry: Entry, maintainer: User, entries: list[str]
) -> None:
    answer = client.post("/competitions/low-a/pins/", {**GROUNDS, "entries": entries})
    assert answer.status_code == 422
    said = text_of(answer)
    assert "Tick at least one entry." in said or "has changed since you looked" in said
    assert not PinMove.objects.exists()


def test_other_versions_can_be_chosen(client: Client, entry: Entry, maintainer: User) -> None:
    make.make_thresholds(Competition.objects.get(pk="low-a"), (0.96, 0.9, 0.86, 0.3))
    newest = text_of(client.get("/competitions/low-a/pins/"))
    assert "thresholds 1 → 2" in newest
    older: Any = client.get("/competitions/low-a/pins/?answers=1&thresholds=1")
    assert "thresholds 1" not in text_of(older).split("What would change")[1]
    chosen = list(ticks(older.content.decode()))
    address = "/competitions/low-a/pins/?answers=1&thresholds=1"
    assert client.post(address, {**GROUNDS, "entries": chosen}).status_code == 302
    run = run_of(entry, "s1", "low-a")
    assert (run.score, run.medal, run.thresholds.number) == (0.85, "silver", 1)


def test_the_docket_says_where_pins_could_move(client: Client, entry: Entry, maintainer: User) -> None:
    address = "/competitions/low-a/pins/"
    assert address in client.get("/docket/?kind=pins").content.decode()
    fields = hidden(client.get(f"/entries/{entry.slug}/pins/").content.decode())
    client.post(f"/entries/{entry.slug}/pins/", {**GROUNDS, **fields})
    assert address not in client.get("/docket/?kind=pins").content.decode()
