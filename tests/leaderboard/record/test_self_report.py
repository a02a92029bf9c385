"""Who said it first: a team's own report, its run card, or nobody."""

from typing import Any

import pytest

from leaderboard.integrity.candour import Candour, candour_of, candour_said
from leaderboard.integrity.checks import ClaimResult, Severity, State
from leaderboard.integrity.decide import (
    DecisionRefused,
    answer_flag,
    move_entry,
    publish,
    raise_flag,
    withdraw_entry,
)
from leaderboard.integrity.masking import mask_competitions
from leaderboard.integrity.self_report import report_own_leak
from leaderboard.models import Decision, Flag
from submissions.models import Submission
from tests import factories as make
from tests.leaderboard.boards import GROUNDS, SPLITS
from tests.leaderboard.record.people import FORM, NOW, Cast, make_cast, track, visit


def claim(state: State, declared: str = "", code: str = "test-set-signal") -> ClaimResult:
    return ClaimResult(code, "Signal", state, False, "A sentence.", {"declared": declared}, Severity.SERIOUS)


@pytest.mark.parametrize(
    ("claims", "word"),
    [
        ([claim(State.DECLARED, "medal_or_threshold")], "self-reported"),
        ([claim(State.DECLARED, "score")], "self-reported"),
        ([claim(State.DECLARED, "selection")], "self-reported"),
        ([claim(State.MAINTAINER_VERIFIED, "score")], "self-reported"),
        ([claim(State.UNDISCLOSED)], "undisclosed"),
        ([claim(State.CONTRADICTED, "none")], ""),
        ([claim(State.CONTRADICTED, "score")], ""),
        ([claim(State.DECLARED, "none")], ""),
        ([claim(State.DECLARED, "validity_only")], ""),
        ([claim(State.DECLARED, "label_leak")], ""),
        ([claim(State.UNDISCLOSED, code="cost")], ""),
        ([], ""),
    ],
)
def test_how_the_run_card_answers(claims: list[ClaimResult], word: str) -> None:
    assert candour_of(claims) == word


@pytest.mark.parametrize(
    ("reported", "details", "word"),
    [
        (True, {}, Candour.SELF_REPORTED),
        (True, {"undisclosed": True}, Candour.SELF_REPORTED),
        (False, {"undisclosed": True}, Candour.UNDISCLOSED),
        (False, {"masked": ["a"]}, Candour.NEITHER),
    ],
)
def test_how_a_decision_says_it(reported: bool, details: dict[str, Any], word: Candour) -> None:
    assert candour_said(reported, details) == word


CARDS = {
    "self-reported": {"integrity": {"test_set_signal": "medal_or_threshold"}},
    "undisclosed": {"integrity": {}},
    "": {"integrity": {"test_set_signal": "validity_only"}},
}


@pytest.mark.django_db
@pytest.mark.parametrize("word", CARDS)
def test_the_word_is_said_wherever_the_decision_is(word: str, client: Any) -> None:
    people = make_cast(published=False, document=CARDS[word])
    decision = publish(people.entry, track("additional"), GROUNDS, people.maintainer, NOW)
    assert (decision.is_self_reported, bool(decision.details.get("undisclosed"))) == (
        word == "self-reported",
        word == "undisclosed",
    )
    row = client.get("/api/v1/rankings/additional?benchmark=bench&split=low").json()["rows"][0]
    assert row["warning"]["candour"] == word
    assert client.get(f"/api/v1/decisions/{decision.pk}").json()["candour"] == word
    assert client.get("/api/v1/decisions/?format=csv").content.decode().count(
        f",{word or 'nothing'},"
    ) == bool(word)
    board = client.get("/boards/bench/additional/low/").content.decode()
    chip = f"decision {decision.pk}: {word}</a>" if word else f"decision {decision.pk}</a>"
    assert chip in board
    for address in (f"/decisions/{decision.pk}/", "/decisions/", f"/entries/{people.entry.slug}/"):
        assert (
            f'<span class="chip chip--warning">{word}</span>' in client.get(address).content.decode()
        ) == bool(word)
    assert (word.capitalize() in client.get("/feeds/decisions.atom").content.decode()) == bool(
        word
    ) or not word


@pytest.mark.django_db
def test_on_a_ranked_track_there_is_no_such_word() -> None:
    people = make_cast(published=False, document=CARDS["undisclosed"])
    decision = publish(people.entry, track("clean"), GROUNDS, people.maintainer, NOW)
    assert (decision.is_self_reported, decision.details) == (False, {})


# A team's own report.


@pytest.fixture
def report(people: Cast) -> Flag:
    return report_own_leak(people.entry, GROUNDS, ["comp-low"], people.member, NOW)


def test_a_report_is_a_flag_that_says_so(people: Cast, report: Flag) -> None:
    assert (report.is_self_reported, report.competitions, report.state) == (True, ["comp-low"], "open")
    assert report_own_leak(people.entry, GROUNDS, ["comp-low"], people.member, NOW) == report
    assert report_own_leak(people.entry, GROUNDS, [], people.member, NOW) != report


@pytest.mark.parametrize(("role", "own"), [("owner", True), ("member", True), ("stranger", False)])
def test_the_common_form_is_as_good_for_the_team(people: Cast, role: str, own: bool) -> None:
    assert raise_flag(people.entry, GROUNDS, people.of(role), NOW).is_self_reported == own


@pytest.mark.parametrize("act", ["move", "mask", "uphold"])
def test_the_decision_that_follows_says_self_reported(
    people: Cast, report: Flag, act: str, client: Any
) -> None:
    entry, by = people.entry, people.maintainer
    decision = {
        "move": lambda: move_entry(entry, track("additional"), GROUNDS, by, NOW, flag=report),
        "mask": lambda: mask_competitions(entry, ["comp-low"], GROUNDS, by, NOW, flag=report),
        "uphold": lambda: answer_flag(report, True, GROUNDS, by, NOW),
    }[act]()
    report.refresh_from_db()
    assert (decision.is_self_reported, report.state, report.decision) == (True, "upheld", decision)
    assert "self-reported" in client.get(f"/decisions/{decision.pk}/").content.decode()
    assert "The team reported a leak itself" in client.get(f"/entries/{entry.slug}/").content.decode()
    board = "additional" if act == "move" else "clean"
    row = client.get(f"/api/v1/rankings/{board}?split=low").json()["rows"][0]
    notes = [row["warning"] or {}, *row["flags"]]
    assert {note.get("candour", "") for note in notes if note} == {"self-reported"}
    assert "self-reported" in client.get(f"/boards/bench/{board}/low/").content.decode()


def test_a_dismissed_report_is_no_self_reported_decision(people: Cast, report: Flag) -> None:
    assert not answer_flag(report, False, GROUNDS, people.maintainer, NOW).is_self_reported


def test_a_report_upheld_before_still_marks_the_move(people: Cast, report: Flag) -> None:
    upheld = answer_flag(report, True, GROUNDS, people.maintainer, NOW)
    moved = move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW, flag=report)
    report.refresh_from_db()
    assert (moved.is_self_reported, report.decision) == (True, upheld)


def test_the_move_form_chooses_the_teams_own_report_by_itself(people: Cast, report: Flag) -> None:
    page = visit(people.maintainer).get(f"/entries/{people.entry.slug}/move/").content.decode()
    assert f'<option value="{report.pk}" selected>' in page


@pytest.mark.django_db
def test_a_report_in_review_marks_the_publication() -> None:
    people = make_cast(published=False, document=CARDS[""])
    report = report_own_leak(people.entry, GROUNDS, [], people.owner, NOW)
    decision = publish(people.entry, track("additional"), GROUNDS, people.maintainer, NOW)
    report.refresh_from_db()
    assert (decision.is_self_reported, report.state, report.decision) == (True, "upheld", decision)


def test_what_cannot_be_reported(people: Cast) -> None:
    with pytest.raises(DecisionRefused, match="own team reports itself"):
        report_own_leak(people.entry, GROUNDS, [], people.stranger, NOW)
    with pytest.raises(DecisionRefused, match="Not among the competitions of this entry: comp-nope"):
        report_own_leak(people.entry, GROUNDS, ["comp-nope"], people.owner, NOW)
    withdraw_entry(people.entry, GROUNDS, people.maintainer, NOW)
    with pytest.raises(DecisionRefused, match="withdrawn for good"):
        report_own_leak(people.entry, GROUNDS, [], people.owner, NOW)
    assert not Flag.objects.exists()


@pytest.mark.parametrize(
    ("role", "status"),
    [("owner", 302), ("member", 302), ("stranger", 404), ("maintainer", 404), ("anonymous", 302)],
)
@pytest.mark.parametrize("published", [True, False])
@pytest.mark.django_db
def test_who_reports_by_the_form(role: str, status: int, published: bool) -> None:
    people = make_cast(published=published)
    address = f"/entries/{people.entry.slug}/report/"
    answer = visit(people.of(role)).post(address, {**FORM, "competitions": ["comp-low"]})
    assert answer.status_code == status
    assert Flag.objects.filter(is_self_reported=True).exists() == (role in ("owner", "member"))
    if role == "owner":
        assert "comp-low" in visit(people.owner).get(address).content.decode()


@pytest.mark.django_db
def test_an_imported_entry_is_reported_by_its_organisation() -> None:
    benchmark = make.make_benchmark("mle", SPLITS)
    entry, owner = make.make_placed(benchmark=benchmark), make.make_user()
    make.make_team(entry.agent.organisation, owner=owner)
    assert report_own_leak(entry, GROUNDS, ["comp-high"], owner, NOW).competitions == ["comp-high"]
    assert Submission.objects.count() == 0
    assert Decision.objects.count() == 1
