"""The pages on which maintainers mask competitions: who gets in, what they do, and everywhere it shows afterwards."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.flag_record import details_of
from leaderboard.integrity.flags import raise_flag
from leaderboard.models import Decision, Entry, Flag
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS as FLAG_GROUNDS
from tests.leaderboard.boards import make_placed, make_published, make_reviewed
from tests.leaderboard.masking import SCORES, make_maskable, masked_runs
from tests.leaderboard.test_board_page import text_of

pytestmark = pytest.mark.django_db
GROUNDS = {
    "reason": "The labels of this one leak through the file names.",
    "rule": "Masks, known leaks",
    "evidence_url": "https://example.org/leak",
}
PAGES = ["mask", "unmask"]


@pytest.fixture
def entry() -> Entry:
    return make_maskable()


@pytest.fixture
def maintainer(client: Client) -> User:
    user = make.make_maintainer()
    client.force_login(user)
    return user


def address(entry: Entry, page: str = "mask") -> str:
    return f"/entries/{entry.slug}/{page}/"


def seen(entry: Entry) -> dict[str, Any]:
    return {"seen": entry.decisions.latest("pk").pk}


def mask(client: Client, entry: Entry, *competitions: str, **fields: Any) -> Decision:
    sent = {**GROUNDS, **seen(entry), "competitions": competitions or ["low-a"], **fields}
    assert client.post(address(entry), sent).status_code == 302
    return entry.decisions.latest("pk")


def boxes(html: str) -> dict[str, bool]:
    """The competitions that can be ticked, and whether they are."""
    tags = re.findall(r'<input type="checkbox" id="mask-[^>]+>', html)
    return {re.search(r'value="([^"]+)"', tag)[1]: " checked" in tag for tag in tags}  # type: ignore[index]


@pytest.mark.parametrize("page", PAGES)
def test_only_maintainers_get_in(client: Client, entry: Entry, page: str) -> None:
    assert client.get(address(entry, page))["Location"].startswith("/account/login/")
    for user in (make.make_user(), entry.submission.team.members.get().user):  # type: ignore[union-attr]
        client.force_login(user)
        assert client.get(address(entry, page)).status_code == 404
        assert client.post(address(entry, page), {**GROUNDS, "competitions": ["low-a"]}).status_code == 404
    assert masked_runs(entry) == []


@pytest.mark.parametrize("page", PAGES)
def test_an_unpublished_entry_has_no_page(client: Client, maintainer: User, page: str) -> None:
    waiting = make_reviewed(make_maskable().benchmark, SCORES, "all")
    assert client.get(address(waiting, page)).status_code == 404


def test_the_page_says_what_each_is_worth(client: Client, entry: Entry, maintainer: User) -> None:
    answer = client.get(address(entry))
    assert boxes(answer.content.decode()) == dict.fromkeys(("low-a", "low-b", "medium-a", "high-a"), False)
    page = text_of(answer)
    assert "4 counted. Tick those to be masked." in page
    assert re.search(r"low-a Low \(Lite\) gold s1: 0\.95000 gold s2: 0\.95000 2 of 2 33\.33", page)
    assert re.search(r"medium-a Medium .+? 0 of 2 66\.67", page)


def test_one_form_masks_and_everything_shows_it(client: Client, entry: Entry, maintainer: User) -> None:
    decision = mask(client, entry)
    number, chip = decision.pk, f'href="/decisions/{decision.pk}/"'
    board = client.get("/boards/bench/clean/all/")
    assert f"1 masked: decision {number}" in text_of(board)
    assert GROUNDS["reason"][:40] in text_of(board)
    assert "3 of 4 counted" in text_of(board)
    assert chip in board.content.decode()
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    for said in (
        "1 competition is shown, but not counted",
        GROUNDS["reason"],
        f"not counted: decision {number}",
        "3 of 4 counted",
        "50.00 → 33.33",
    ):
        assert said in page
    assert "0.95000" in page
    row = client.get("/api/v1/rankings/clean?benchmark=bench&split=all").json()["rows"][0]
    assert row["masked"]["text"] == f"3 of 4 counted, 1 masked by decision {number}"
    assert row["result"]["any_medal_mean"] == pytest.approx(100 / 3)
    other = text_of(client.get("/competitions/low-a/"))
    assert f"not counted: decision {number}" in other
    assert f"Decision {number}: masked: low-a" in text_of(client.get(f"/decisions/{number}/"))
    assert "50.00 → 33.33" in text_of(client.get("/restatements/"))


def test_the_api_marks_every_masked_run(client: Client, entry: Entry, maintainer: User) -> None:
    number = mask(client, entry).pk
    detail = client.get(f"/api/v1/entries/{entry.slug}").json()
    assert detail["masks"] == [{"decision": number, "reason": GROUNDS["reason"], "competitions": ["low-a"]}]
    assert {(run["competition"], run["masked_by"]) for run in detail["runs"]} == {
        ("low-a", number), ("low-b", None), ("medium-a", None), ("high-a", None),
    }  # fmt: skip
    runs = client.get(f"/api/v1/gradings/?entry={entry.slug}&competition=low-a").json()["results"]
    assert [run["masked_by"] for run in runs] == [number, number]
    text = client.get("/api/v1/rankings/clean?benchmark=bench&split=all&format=csv").content.decode()
    (line,) = csv.DictReader(io.StringIO(text))
    assert (line["masked"], line["masked_competitions"]) == (
        f"3 of 4 counted, 1 masked by decision {number}",
        "low-a",
    )
    said = client.get("/api/v1/restatements/?figure=any_medal_mean&split=all").json()["results"]
    assert [(each["before"], each["after"], each["decision"]) for each in said] == [
        (50.0, pytest.approx(100 / 3), number)
    ]


def test_a_comparison_says_what_does_not_count(client: Client, entry: Entry, maintainer: User) -> None:
    other = make_published(entry.benchmark, SCORES, scope="all")
    number = mask(client, entry).pk
    page = text_of(client.get(f"/compare/?entries={entry.pk},{other.pk}"))
    assert f"not counted: decision {number}" in page


def test_a_split_of_which_nothing_is_left_says_so(client: Client, entry: Entry, maintainer: User) -> None:
    mask(client, entry, "high-a")
    for page in ("/boards/bench/clean/high/", "/boards/bench/clean/all/", f"/entries/{entry.slug}/"):
        assert "nothing counted" in text_of(client.get(page))
        assert "not attempted" not in text_of(client.get(page))


def test_masked_ones_are_offered_for_counting_again(client: Client, entry: Entry, maintainer: User) -> None:
    put = mask(client, entry, "low-a", "high-a")
    assert set(boxes(client.get(address(entry)).content.decode())) == {"low-b", "medium-a"}
    lifting = client.get(address(entry, "unmask"))
    assert set(boxes(lifting.content.decode())) == {"low-a", "high-a"}
    sent = {**GROUNDS, **seen(entry), "competitions": ["low-a"]}
    done = client.get(client.post(address(entry, "unmask"), sent)["Location"])
    assert "Counted again by decision" in text_of(done)
    assert masked_runs(entry) == [("high-a", put.pk)] * 2


def test_without_grounds_or_a_tick_nothing_is_masked(client: Client, entry: Entry, maintainer: User) -> None:
    for sent, said in (
        ({"competitions": ["low-a"]}, "This field is required"),
        (GROUNDS, "Tick at least one competition"),
        ({**GROUNDS, "competitions": ["nothing"]}, "cannot be chosen"),
    ):
        answer = client.post(address(entry), sent)
        assert answer.status_code == 422
        assert said in text_of(answer)
    assert masked_runs(entry) == []


def test_ticks_stay_where_the_form_comes_back(client: Client, entry: Entry, maintainer: User) -> None:
    answer = client.post(address(entry), {"competitions": ["low-a", "high-a"]})
    ticked = {key for key, is_ticked in boxes(answer.content.decode()).items() if is_ticked}
    assert ticked == {"low-a", "high-a"}


def test_a_form_sent_twice_decides_once(client: Client, entry: Entry, maintainer: User) -> None:
    sent = {**GROUNDS, **seen(entry), "competitions": ["low-a"]}
    assert client.post(address(entry), sent).status_code == 302
    again = client.post(address(entry), sent)
    assert again.status_code == 422, "what was masked is not offered any more"
    assert Decision.objects.filter(kind="mask").count() == 1


def test_a_conflict_is_said_before_and_kept(client: Client, entry: Entry, maintainer: User) -> None:
    make.make_team(entry.agent.organisation, members=[maintainer])
    assert "Conflict of interest" in text_of(client.get(address(entry)))
    assert client.post(address(entry), {**GROUNDS, "competitions": ["low-a"]}).status_code == 422
    assert masked_runs(entry) == []


def test_an_imported_entry_has_nothing_to_mask(client: Client, maintainer: User, entry: Entry) -> None:
    imported = make_placed(entry.benchmark, "no-private-lb", 50.0)
    page = client.get(address(imported))
    assert "No runs to mask" in text_of(page)
    assert boxes(page.content.decode()) == {}
    assert client.post(address(imported), {**GROUNDS, "competitions": ["low-a"]}).status_code == 422


# In answer to a flag.


@pytest.fixture
def flag(entry: Entry) -> Flag:
    flag = raise_flag(entry, FLAG_GROUNDS, make.make_user(), make.NOW)
    Flag.objects.filter(pk=flag.pk).update(competitions=["low-b"])
    flag.refresh_from_db()
    return flag


def test_a_flag_brings_along_what_it_says(client: Client, entry: Entry, flag: Flag, maintainer: User) -> None:
    answer = client.get(f"{address(entry)}?flag={flag.pk}")
    html = answer.content.decode()
    assert boxes(html) == {"low-a": False, "low-b": True, "medium-a": False, "high-a": False}
    assert f'value="{FLAG_GROUNDS.rule}"' in html
    assert f'value="{FLAG_GROUNDS.evidence_url}"' in html
    assert "Uphold and mask" in text_of(answer)


def test_one_form_upholds_and_masks(client: Client, entry: Entry, flag: Flag, maintainer: User) -> None:
    decision = mask(client, entry, "low-b", flag=flag.pk)
    flag.refresh_from_db()
    assert (flag.state, flag.decision) == ("upheld", decision)
    assert decision.details == {"masked": ["low-b"], **details_of(flag, "upholds_flag")}
    assert entry.decisions.filter(decided_by=maintainer).count() == 1


@pytest.mark.parametrize("number", ["0", "x", "99999999999999999999", "1%00"])
def test_a_flag_that_is_none_of_this_entry_is_not_answered(
    client: Client, entry: Entry, maintainer: User, number: str
) -> None:
    answer = client.get(f"{address(entry)}?flag={number}")
    assert answer.status_code == 200
    assert "Uphold and mask" not in text_of(answer)


def test_the_flags_page_leads_here(client: Client, flag: Flag, entry: Entry, maintainer: User) -> None:
    page = client.get(f"/flags/{flag.pk}/answer/").content.decode()
    assert f'href="{address(entry)}?flag={flag.pk}"' in page


def test_private_evidence_stays_private(client: Client, entry: Entry, maintainer: User) -> None:
    number = mask(client, entry, evidence_is_private="on").pk
    client.logout()
    for page in (
        f"/entries/{entry.slug}/",
        f"/decisions/{number}/",
        "/boards/bench/clean/all/",
        "/restatements/",
        f"/api/v1/entries/{entry.slug}",
        "/api/v1/rankings/clean?benchmark=bench&split=all",
        "/api/v1/restatements/",
    ):
        assert GROUNDS["evidence_url"] not in client.get(page).content.decode(), page
