"""Flags: who sees one on which day, what the team says to it, and how many one person may raise."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity import flags as stage
from leaderboard.integrity.appeals import may_be_appealed
from leaderboard.integrity.decide import DecisionRefused, answer_flag, move_entry, publish, raise_flag
from leaderboard.integrity.flag_record import details_of
from leaderboard.integrity.flags import FLAGS_PER_DAY, reply_to_flag
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.models import DecisionIsPermanent
from leaderboard.models import Decision, Flag, FlagReply
from submissions.models import User
from tests import factories as make
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.record.people import (
    FORM,
    NOW,
    PRIVATE,
    PRIVATE_FORM,
    Cast,
    after,
    grounds,
    make_cast,
    track,
    visit,
)
from tests.leaderboard.standings import find_standings

WORDS = "A doubt that was raised."


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the clock of the pages."""

    def set_clock(days: float) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: after(days))

    set_clock(0)
    return set_clock


@pytest.fixture
def flag(people: Cast) -> Flag:
    return raise_flag(people.entry, grounds(WORDS), people.stranger, NOW)


PRIVATE_TO = ("owner", "member", "maintainer", "conflicted")
EVERYBODY = (*PRIVATE_TO, "stranger", "anonymous")


@pytest.mark.parametrize(
    ("day", "answered", "seen_by"),
    [
        (0, False, PRIVATE_TO),
        (13.99, False, PRIVATE_TO),
        (14, False, EVERYBODY),
        (15, False, EVERYBODY),
        (1, True, EVERYBODY),
    ],
)
@pytest.mark.parametrize("role", EVERYBODY)
def test_who_sees_a_flag_on_which_day(
    people: Cast, flag: Flag, at: Any, day: float, answered: bool, seen_by: tuple[str, ...], role: str
) -> None:
    if answered:
        answer_flag(flag, False, GROUNDS, people.maintainer, after(day))
    user = people.of(role)
    at(day)
    client = visit(user)
    page = client.get(f"/flags/{flag.pk}/")
    assert page.status_code == (200 if role in seen_by else 404)
    assert (WORDS in page.content.decode()) == (role in seen_by)
    # Where all see the same, the list, the entry's page and the API have it too; before that they have not.
    is_public = seen_by == EVERYBODY
    for address in (
        "/flags/",
        f"/entries/{people.entry.slug}/",
        "/api/v1/flags/",
        f"/api/v1/flags/{flag.pk}",
    ):
        answer = client.get(address)
        assert (WORDS in answer.content.decode()) == is_public, address
    if is_public:
        assert "public" in page["Cache-Control"]
    elif role in seen_by:
        assert "no-store" in page["Cache-Control"]
        assert "public on" in page.content.decode()
        assert "15 May 2026, 12:00 UTC" in page.content.decode()


def test_a_flag_on_an_entry_that_is_not_public_stays_private(db: None, at: Any) -> None:
    people = make_cast(published=False)
    flag = stage.create_flag(people.entry, grounds(WORDS), people.owner, NOW, is_self_reported=True)
    at(100)
    assert visit(None).get(f"/flags/{flag.pk}/").status_code == 404
    assert WORDS not in visit(None).get("/flags/").content.decode()
    assert visit(None).get("/api/v1/flags/").json()["results"] == []
    assert visit(people.owner).get(f"/flags/{flag.pk}/").status_code == 200


def test_the_team_finds_what_is_not_public_yet_and_the_raiser_what_they_raised(
    people: Cast, flag: Flag, at: Any
) -> None:
    reply_to_flag(flag, "It was the sample submission.", people.member, NOW)
    ours = visit(people.owner).get("/flags/yours/").content.decode()
    assert WORDS in ours
    assert "It was the sample submission." in ours
    theirs = visit(people.stranger).get("/flags/yours/").content.decode()
    assert WORDS in theirs
    assert "It was the sample submission." not in theirs
    assert WORDS not in visit(make.make_user()).get("/flags/yours/").content.decode()
    assert visit(None).get("/flags/yours/").status_code == 302


@pytest.mark.parametrize("role", EVERYBODY)
def test_buttons_are_shown_to_those_who_may_press_them(people: Cast, flag: Flag, at: Any, role: str) -> None:
    client, reply = visit(people.of(role)), f'class="btn" href="/flags/{flag.pk}/reply/"'
    theirs = client.get(f"/flags/{flag.pk}/evidence/").content.decode()
    assert (reply in theirs) == (role in ("owner", "member"))
    at(20)
    for page in (f"/flags/{flag.pk}/", f"/entries/{people.entry.slug}/"):
        buttons = re.findall(r'class="btn[^>]*href="([^"]*)"', client.get(page).content.decode())
        assert buttons, page
        assert not any(url.endswith(("/reply/", "/report/", "/mask/")) for url in buttons), page
    assert f'href="/flags/{flag.pk}/evidence/"' in client.get(f"/flags/{flag.pk}/").content.decode()


@pytest.mark.parametrize(
    ("role", "status"),
    [("owner", 302), ("member", 302), ("stranger", 404), ("maintainer", 404), ("anonymous", 302)],
)
def test_only_the_team_replies(people: Cast, flag: Flag, at: Any, role: str, status: int) -> None:
    answer = visit(people.of(role)).post(f"/flags/{flag.pk}/reply/", {"text": "We can explain."})
    assert answer.status_code == status
    assert FlagReply.objects.exists() == (role in ("owner", "member"))


def test_a_reply_is_added_and_never_changed(
    people: Cast, flag: Flag, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = reply_to_flag(flag, " We can explain. ", people.owner, NOW)
    assert reply_to_flag(flag, "We can explain.", people.member, NOW) == first
    assert reply_to_flag(flag, "And more.", people.member, NOW) != first
    assert [reply.text for reply in flag.replies.all()] == ["We can explain.", "And more."]
    for changed in (first.save, first.delete, lambda: FlagReply.objects.update(text="x")):
        with pytest.raises(DecisionIsPermanent):
            changed()
    with pytest.raises(DecisionRefused, match="from 1 to 5,000"):
        reply_to_flag(flag, " ", people.owner, NOW)
    monkeypatch.setattr(stage, "REPLIES_PER_FLAG", 2)
    with pytest.raises(DecisionRefused, match="2 replies already"):
        reply_to_flag(flag, "Once more.", people.owner, NOW)


def test_so_many_flags_a_day_and_person(people: Cast) -> None:
    def send(number: int, user: User, days: float) -> Flag:
        return raise_flag(people.entry, grounds(f"Number {number}."), user, after(days))

    first = [send(number, people.stranger, 0) for number in range(FLAGS_PER_DAY)]
    with pytest.raises(DecisionRefused, match="from 2026-05-02 12:00 UTC"):
        send(99, people.stranger, 0.99)
    # The same once more is no new one; others may; a day later there is room again.
    assert send(0, people.stranger, 0.5) == first[0]
    assert send(99, people.member, 0.5)
    assert send(99, people.stranger, 1)
    assert Flag.objects.count() == FLAGS_PER_DAY + 2


def test_a_flag_is_raised_by_the_form_with_private_evidence(people: Cast, at: Any) -> None:
    address = f"/entries/{people.entry.slug}/flag/"
    assert visit(None).get(address).status_code == 302
    said = visit(people.stranger).post(address, PRIVATE_FORM, follow=True).content.decode()
    assert "on 15 May 2026 at the latest" in said
    flag = Flag.objects.get()
    assert (flag.evidence_is_private, flag.state, flag.raised_at) == (True, "open", NOW)
    for role, sees in (("owner", True), ("maintainer", True)):
        page = visit(people.of(role)).get(f"/flags/{flag.pk}/").content.decode()
        assert (PRIVATE.evidence_url in page) == sees
    at(14)
    for address in (f"/flags/{flag.pk}/", "/flags/", "/api/v1/flags/", "/api/v1/flags/?format=csv"):
        said = visit(people.stranger).get(address).content.decode()
        assert PRIVATE.evidence_url not in said, address
        assert "evidence seen by maintainers and the team" in said, address
    for role, status in (("owner", 200), ("second", 200), ("stranger", 404), ("anonymous", 302)):
        answer = visit(people.of(role)).get(f"/flags/{flag.pk}/evidence/")
        assert answer.status_code == status
        assert (PRIVATE.evidence_url in answer.content.decode()) == (status == 200)


@pytest.mark.parametrize(
    ("role", "said", "not_said"),
    [
        ("stranger", "Your name is not shown.", "with your name"),
        ("second", "public at once, with your name", "Your name is not shown."),
    ],
)
def test_the_form_says_whether_the_name_is_shown(people: Cast, role: str, said: str, not_said: str) -> None:
    page = visit(people.of(role)).get(f"/entries/{people.entry.slug}/flag/").content.decode()
    assert said in page
    assert not_said not in page


# A move that answers a flag.


def test_a_move_upholds_the_flag_it_answers(people: Cast, flag: Flag, at: Any) -> None:
    page = visit(people.maintainer).get(f"/entries/{people.entry.slug}/move/?flag={flag.pk}").content.decode()
    assert f'<option value="{flag.pk}" selected>' in page
    form = {**FORM, "track": "additional", "flag": flag.pk}
    visit(people.maintainer).post(f"/entries/{people.entry.slug}/move/", form)
    decision = Decision.objects.get(kind="move")
    flag.refresh_from_db()
    assert (flag.state, flag.decision) == ("upheld", decision)
    assert (decision.is_self_reported, decision.details) == (False, details_of(flag, "upholds_flag"))
    row = find_standings(track="additional", split="low")[0].row
    assert [each["decision"] for each in row["flags"]] == [decision.pk] == [row["warning"]["decision"]]
    assert verify_decisions() == []


@pytest.mark.parametrize("number", ["0", "x", "99999999999999999999", "²"])
def test_a_flag_that_is_none_is_not_chosen(people: Cast, number: str, client: Client) -> None:
    client.force_login(people.maintainer)
    answer = client.get(f"/entries/{people.entry.slug}/move/", {"flag": number})
    assert answer.status_code == 200
    assert 'value="" selected>no flag' in answer.content.decode()


def test_a_move_does_not_answer_a_dismissed_flag_or_one_of_another_entry(people: Cast, flag: Flag) -> None:
    answer_flag(flag, False, GROUNDS, people.maintainer, NOW)
    other = make_other(people)
    stray = raise_flag(other, GROUNDS, people.stranger, NOW)
    for refused in (flag, stray):
        with pytest.raises(DecisionRefused, match="dismissed, or is about another entry"):
            move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW, flag=refused)
    assert not Decision.objects.filter(kind="move").exists()


def make_other(people: Cast) -> Any:
    submission = make.make_graded_submission({"s1": {"comp-low": 0.9}}, benchmark=people.entry.benchmark)
    other = make.make_reviewed(submission)
    publish(other, track("clean"), GROUNDS, people.maintainer, NOW)
    return other


def test_what_was_upheld_by_a_move_shows_on_boards_of_the_past(
    people: Cast, flag: Flag, client: Client
) -> None:
    move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, after(1), flag=flag)
    past = (after(1) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    row = client.get(f"/api/v1/rankings/additional?split=low&as_of={past}").json()["rows"][0]
    assert len(row["flags"]) == 1
    assert (
        client.get("/api/v1/rankings/clean?split=low&as_of=2026-05-01T13:00:00Z").json()["rows"][0]["flags"]
        == []
    )


def flags_at(client: Client, track: str, days: float) -> list[Any]:
    """Decisions of the flags that the entry's row showed some days in."""
    moment = after(days).strftime("%Y-%m-%dT%H:%M:%SZ")
    row = client.get(f"/api/v1/rankings/{track}?split=low&as_of={moment}").json()["rows"][0]
    return [each["decision"] for each in row["flags"]]


@pytest.mark.parametrize("upheld", [True, False])
def test_a_flag_answered_anew_leaves_the_move_that_upheld_it_standing(
    people: Cast, flag: Flag, client: Client, upheld: bool
) -> None:
    moved = move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, after(1), flag=flag)
    anew = answer_flag(flag, upheld, GROUNDS, people.second, after(2))
    assert anew.supersedes is None
    assert flags_at(client, "additional", 1.5) == [moved.pk]
    assert flags_at(client, "additional", 2.5) == ([anew.pk] if upheld else [])
    assert verify_decisions() == []
    # The team can still object to where its entry was moved.
    assert may_be_appealed(moved, after(3))


def test_an_answer_of_a_flag_alone_is_superseded_by_the_next(
    people: Cast, flag: Flag, client: Client
) -> None:
    first = answer_flag(flag, True, GROUNDS, people.maintainer, after(1))
    second = answer_flag(flag, False, GROUNDS, people.maintainer, after(2))
    third = answer_flag(flag, True, GROUNDS, people.maintainer, after(3))
    assert (second.supersedes, third.supersedes) == (first, second)
    assert [flags_at(client, "clean", days) for days in (1.5, 2.5, 3.5)] == [[first.pk], [], [third.pk]]
    assert verify_decisions() == []


def test_the_list_takes_a_number_of_queries_that_does_not_grow(
    people: Cast, at: Any, django_assert_num_queries: Any, client: Client
) -> None:
    for count in (1, 6):
        for number in range(count):
            flag = raise_flag(people.entry, grounds(f"{count}-{number}"), make.make_user(), NOW)
            reply_to_flag(flag, "No.", people.owner, NOW)
        at(15)
        with django_assert_num_queries(4):
            client.get("/flags/")
        with django_assert_num_queries(3):
            client.get("/api/v1/flags/")
        at(0)
    assert client.get("/flags/?state=nonsense").status_code == 404
