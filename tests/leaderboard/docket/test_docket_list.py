"""The docket as one list: what is on it, in what order, narrowed by what, at what cost."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from leaderboard.docket import Narrowed, may_decide, open_docket
from leaderboard.docket_items import Item, Kind
from leaderboard.integrity.annotating import annotate_entry
from leaderboard.integrity.appeals import Objection, file_appeal
from leaderboard.integrity.correcting import supersede
from leaderboard.integrity.ledger import Grounds
from leaderboard.integrity.questions import ANSWER_WITHIN, answer_question, ask_team
from leaderboard.models import Entry, Finding, Flag
from leaderboard.templatetags.case import clock, evidence_lines, linked, waited
from leaderboard.views import docket
from submissions.models import User
from submissions.people import find_tie, tied_organisations
from tests.factories import (
    make_maintainer,
    make_organisation,
    make_submission,
    make_team,
    make_user,
)
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published, make_reviewed
from tests.leaderboard.docket.conftest import FORM, SCORES, make_case, signed_in
from tests.leaderboard.test_board_page import text_of
from tests.leaderboard.test_conflict import (
    accept_and_leave,
    add_card,
    hand_in_for_another_team,
    invite_and_leave,
)

pytestmark = pytest.mark.django_db
GROUNDS = Grounds(**FORM)
NOW = timezone.now()


def items(maintainer: User, now: Any = NOW, **wanted: Any) -> list[Item]:
    return list(open_docket(maintainer, Narrowed(**wanted), now).items)


def kinds(maintainer: User, now: Any = NOW) -> list[str]:
    return [item.kind.value for item in items(maintainer, now)]


def make_flag(entry: Entry, days: int = 0) -> Flag:
    return Flag.objects.create(
        entry=entry, raised_by=make_user(), raised_at=NOW - timedelta(days=days), **FORM
    )


def test_one_of_each_kind_the_most_urgent_first(maintainer: User, owner: User) -> None:
    benchmark = make_board_benchmark()
    make_flag(make_placed(benchmark, "no-private-lb", 40.0), days=13)
    make_team(make_organisation("Newcomers", verified=False))
    make_reviewed(benchmark, SCORES)
    entry = make_published(benchmark, SCORES, team=make_team(owner=owner))
    publication = entry.decisions.get()
    file_appeal(publication, Objection("No.", "https://example.org"), owner, publication.recorded_at)
    ask_team(entry, "Why?", GROUNDS, maintainer, NOW)
    assert kinds(maintainer) == ["appeal", "flag", "organisation", "question", "in review"]
    assert [item.due <= NOW for item in items(maintainer) if item.due] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("answered", "days", "decided", "state"),
    [
        (False, 1, False, "Waits for the team"),
        (False, 1, True, "Waits for the team"),
        (False, 15, False, "No answer in time"),
        (False, 15, True, None),
        (True, 1, False, "Answered"),
        (True, 1, True, None),
    ],
)
def test_a_question_leaves_with_the_decision_that_follows_it(
    entry: Entry, maintainer: User, owner: User, answered: bool, days: int, decided: bool, state: str | None
) -> None:
    question = ask_team(entry, "Why?", GROUNDS, maintainer, NOW)
    if answered:
        answer_question(question, "Because.", "", owner, NOW)
    later = NOW + timedelta(days=days)
    if decided:
        annotate_entry(entry, GROUNDS, maintainer, later)
    said = [item.what for item in items(maintainer, later, kind="question")]
    assert said == ([f"{state}: Why?"] if state else [])
    assert question.due_at == NOW + ANSWER_WITHIN


def test_counts_are_of_what_answers_the_other_words(maintainer: User) -> None:
    benchmark = make_board_benchmark()
    make_flag(make_placed(benchmark, "no-private-lb", 40.0))
    make_reviewed(benchmark, SCORES)
    found = open_docket(maintainer, Narrowed(kind="flag"), NOW)
    assert [item.kind for item in found.items] == [Kind.FLAG]
    assert (found.counts["flag"], found.counts["in review"], found.total) == (1, 1, 2)
    assert open_docket(maintainer, Narrowed(benchmark="none"), NOW).total == 0


@pytest.mark.parametrize(
    ("least", "found"), [("", 1), ("info", 1), ("notice", 1), ("warning", 1), ("serious", 0)]
)
def test_narrowed_by_the_gravest_open_finding(entry: Entry, maintainer: User, least: str, found: int) -> None:
    assert entry.submission is not None
    entry.submission.findings.all().delete()
    for severity, state in (("warning", {}), ("notice", {}), ("serious", dismissed(maintainer))):
        Finding.objects.create(
            submission=entry.submission, code="x", title="X", severity=severity, sentence="X.",
            raised_at=NOW, **state,
        )  # fmt: skip
    assert len(items(maintainer, severity=least)) == found


def dismissed(by: User) -> dict[str, Any]:
    return {"state": "dismissed", "answered_by": by, "answered_at": NOW, "note": "Known."}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), 1),
        (("cross",), 1),
        (("cross", "low"), 1),
        (("lab",), 1),
        (("nothing",), 0),
        (("cross", "nothing"), 0),
    ],
)
def test_searched_by_every_word(maintainer: User, words: tuple[str, ...], found: int) -> None:
    make_case(team=make_team(make_organisation("Example Lab")))
    assert len(items(maintainer, words=words)) == found


@pytest.mark.parametrize(
    "take_part", [add_card, accept_and_leave, invite_and_leave, hand_in_for_another_team]
)
def test_a_conflict_is_known_in_the_list_as_in_the_case(
    entry: Entry, maintainer: User, take_part: Any
) -> None:
    assert entry.submission is not None
    organisation = entry.agent.organisation
    assert tied_organisations(maintainer) == frozenset()
    assert items(maintainer, mine=True)
    take_part(entry.submission, maintainer)
    assert find_tie(maintainer, organisation)
    assert tied_organisations(maintainer) == {organisation.pk}
    assert items(maintainer, mine=True) == []
    assert "conflict: not yours" in text_of(signed_in(maintainer).get("/docket/"))


def test_whoever_decided_does_not_answer_the_appeal(owner: User) -> None:
    entry = make_published(make_board_benchmark(), SCORES, team=make_team(owner=owner))
    decision = entry.decisions.get()
    file_appeal(decision, Objection("No.", "https://example.org"), owner, decision.recorded_at)
    assert decision.decided_by is not None
    for maintainer, may in ((decision.decided_by, False), (make_maintainer(), True)):
        (item,) = items(maintainer, kind="appeal")
        assert may_decide(item, maintainer, ()) is may


def test_nor_does_who_decided_the_same_before_it_was_reworded(owner: User) -> None:
    entry = make_published(make_board_benchmark(), SCORES, team=make_team(owner=owner))
    first, second = entry.decisions.get(), make_maintainer()
    assert first.decided_by is not None
    later = first.recorded_at + timedelta(hours=1)
    reworded = supersede(
        first, replace(GROUNDS, reason="The same, spelt better."), second, later, first.track
    )
    file_appeal(reworded, Objection("No.", "https://example.org"), owner, reworded.recorded_at)
    for author in (first.decided_by, second):
        (item,) = items(author, kind="appeal")
        assert not may_decide(item, author, ())
        assert items(author, kind="appeal", mine=True) == []
    assert len(items(make_maintainer(), kind="appeal", mine=True)) == 1


@pytest.mark.parametrize("word", ["ÄRZTE", "ärzte", "Ärzte"])
def test_letters_of_other_alphabets_are_found_as_they_are_written(maintainer: User, word: str) -> None:
    make_team(make_organisation("Ärzte", verified=False))
    # SQLite knows capitals of ASCII alone.
    found = word[0] == "Ä" or connection.vendor != "sqlite"
    assert len(items(maintainer, words=(word,))) == found


def appeal_reworded_twice(entry: Entry, owner: User) -> None:
    """An appeal against a decision that others have put into other words, and these into others again."""
    decision = entry.decisions.get()
    for hours in (1, 2):
        later = decision.recorded_at + timedelta(hours=hours)
        other_words = replace(GROUNDS, reason=f"The same, {hours} times spelt better.")
        decision = supersede(decision, other_words, make_maintainer(), later, decision.track)
    file_appeal(decision, Objection("No.", "https://example.org"), owner, decision.recorded_at)


@pytest.mark.parametrize("query", ["", "?mine=on", "?kind=appeal"])
def test_the_number_of_queries_does_not_grow(
    query: str, maintainer: User, owner: User, django_assert_max_num_queries: Any, client: Client
) -> None:
    benchmark = make_board_benchmark()
    client.force_login(maintainer)

    def cost() -> int:
        with django_assert_max_num_queries(40) as queries:
            assert client.get(f"/docket/{query}").status_code == 200
        return len(queries)

    def fill() -> None:
        entry = make_reviewed(benchmark, SCORES)
        make_flag(make_placed(benchmark, "no-private-lb", 40.0))
        ask_team(entry, "Why?", GROUNDS, maintainer, NOW)
        appeal_reworded_twice(make_published(benchmark, SCORES, team=make_team(owner=owner)), owner)
        make_team(make_organisation(verified=False))

    fill()
    first = cost()
    for _ in range(3):
        fill()
    assert cost() == first


def test_pages_are_parts_of_the_whole(maintainer: User) -> None:
    benchmark = make_board_benchmark()
    for days in (20, 10, 0):
        make_flag(make_placed(benchmark, "no-private-lb", 40.0), days)
        make_reviewed(benchmark, SCORES)
        make_team(make_organisation(verified=False))
    found = open_docket(maintainer, Narrowed(), NOW).items
    whole = list(found)
    assert len(whole) == len(found) == 9
    assert [item.urgency for item in whole] == sorted(item.urgency for item in whole)
    for at in range(0, 9, 2):
        assert found[at : at + 2] == whole[at : at + 2]
    assert found[4] == whole[4]


@pytest.mark.parametrize("severity", ["info", "serious"])
def test_of_their_own_organisation_findings_narrow_nothing(
    entry: Entry, maintainer: User, conflicted: User, severity: str
) -> None:
    assert entry.submission is not None
    Finding.objects.create(
        submission=entry.submission, code="y", title="Y", severity="serious", sentence="Y.", raised_at=NOW
    )
    assert len(items(maintainer, severity=severity)) == 1
    assert items(conflicted, severity=severity) == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("reported", "itself", "logs"), "flag"),
        (("scope", "low"), "in review"),
        (("verify", "newcomers"), "organisation"),
        (("waits", "why?"), "question"),
        (("against", "published", "no."), "appeal"),
    ],
)
def test_searched_in_what_a_line_says(
    maintainer: User, owner: User, words: tuple[str, ...], kind: str
) -> None:
    benchmark = make_board_benchmark()
    flag = make_flag(make_placed(benchmark, "no-private-lb", 40.0))
    Flag.objects.filter(pk=flag.pk).update(is_self_reported=True)
    make_team(make_organisation("Newcomers", verified=False))
    make_reviewed(benchmark, SCORES)
    entry = make_published(benchmark, SCORES, team=make_team(owner=owner))
    publication = entry.decisions.get()
    file_appeal(publication, Objection("No.", "https://example.org"), owner, publication.recorded_at)
    ask_team(entry, "Why?", GROUNDS, maintainer, NOW)
    (item,) = items(maintainer, words=words)
    assert item.kind.value == kind
    assert item.holds(words)


# The page.


def test_a_page_holds_so_many(maintainer: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docket, "PER_PAGE", 2)
    benchmark = make_board_benchmark()
    for _ in range(3):
        make_reviewed(benchmark, SCORES)
    client.force_login(maintainer)
    first = client.get("/docket/?kind=in+review&q=organisation")
    assert "1–2 of 3" in text_of(first)
    assert 'href="/docket/?q=organisation&amp;kind=in+review&amp;page=2"' in first.content.decode()
    assert "3–3 of 3" in text_of(client.get("/docket/?kind=in+review&page=2"))


@pytest.mark.parametrize("query", ["kind=nonsense", "severity=nonsense", "benchmark=none", "q=" + "x" * 300])
def test_words_that_make_no_sense_are_left_out(entry: Entry, maintainer: User, query: str) -> None:
    answer = signed_in(maintainer).get(f"/docket/?{query}")
    assert answer.status_code == 200
    assert entry.agent.name in text_of(answer)


def test_it_says_what_to_do_where_nothing_answers(entry: Entry, maintainer: User) -> None:
    assert "Show everything" in text_of(signed_in(maintainer).get("/docket/?q=nothing"))


def test_each_line_is_a_link_for_keys_and_tab(entry: Entry, maintainer: User) -> None:
    assert entry.submission is not None
    html = signed_in(maintainer).get("/docket/").content.decode()
    assert f'<a href="/docket/{entry.submission.public_id}/" data-item>' in html
    assert "data-keys hidden" in html  # Keys need the script, which shows the line.


def test_a_flag_leads_straight_to_masking(maintainer: User) -> None:
    benchmark = make_board_benchmark()
    graded, imported = make_published(benchmark, SCORES), make_placed(benchmark, "no-private-lb", 40.0)
    flag, _ = make_flag(graded), make_flag(imported)
    html = signed_in(maintainer).get("/docket/?kind=flag").content.decode()
    assert re.findall(r'href="([^"]*mask[^"]*)"', html) == [f"/entries/{graded.slug}/mask/?flag={flag.pk}"]


def test_an_organisation_is_looked_at_before_it_is_verified(maintainer: User) -> None:
    organisation = make_organisation("Newcomers", verified=False)
    team = make_team(organisation)
    make_submission(team, make_board_benchmark())
    browser = signed_in(maintainer)
    page = text_of(browser.get(f"/organisations/{organisation.slug}/verify/"))
    assert team.members.get().user.email in page
    browser.post(f"/organisations/{organisation.slug}/verify/")
    organisation.refresh_from_db()
    assert organisation.verified_by == maintainer


# Words.


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (0.5, "less than an hour left"),
        (1, "1 hour left"),
        (47, "47 hours left"),
        (48, "2 days left"),
        (-0.5, "less than an hour over"),
        (-72, "3 days over"),
    ],
)
def test_a_clock_in_words(hours: float, said: str) -> None:
    item = Item(Kind.FLAG, "X", "/", "Y", due=NOW + timedelta(hours=hours))
    assert clock(item, NOW) == said


def test_waiting_is_never_negative() -> None:
    assert waited(NOW + timedelta(days=1), NOW) == "less than an hour"


def test_evidence_is_escaped_and_cases_are_linked() -> None:
    uuid = "0b9d3f0e-7a55-4c3e-9f6d-2f0c6b1f4d11"
    assert linked(f"<b>submission {uuid}") == (f'&lt;b&gt;<a href="/docket/{uuid}/">submission {uuid}</a>')
    evidence = {"open": [], "two_words": ["a", "<"], "n": 0, "map": {"x": 1}, "many": list(range(20))}
    assert evidence_lines(evidence) == [
        ("two words", "a, &lt;"),
        ("n", "0"),
        ("map", "x: 1"),
        ("many", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more"),
    ]
