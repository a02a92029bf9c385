"""Appeals: who may appeal what until when, who answers, and what a granted one undoes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.integrity.annotating import annotate_entry
from leaderboard.integrity.appeals import (
    EFFECTS,
    Objection,
    deny_appeal,
    file_appeal,
    grant_appeal,
    may_be_appealed,
    open_appeals,
)
from leaderboard.integrity.correcting import supersede
from leaderboard.integrity.decide import (
    DecidedAlready,
    DecisionRefused,
    answer_flag,
    flag_entry,
    move_entry,
    raise_flag,
    withdraw_entry,
)
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.masking import mask_competitions
from leaderboard.models import Appeal, Decision, Entry, EntryRun, Flag
from tests import factories as make
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.record.people import FORM, NOW, Cast, after, grounds, track, visit
from tests.leaderboard.standings import find_standings

OTHER = grounds("Another reason.")

OBJECTION = Objection("It was the sample submission.", "https://example.org/our-side")
SENT = {"reason": OBJECTION.reason, "evidence_url": OBJECTION.evidence_url}


def move_it(people: Cast) -> Decision:
    return move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW)


def boards_of(entry: Entry) -> set[str]:
    return {standing.track for standing in find_standings(entry)}


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Any:
    def set_clock(days: float) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: after(days))

    set_clock(0)
    return set_clock


@pytest.fixture
def appeal(people: Cast) -> Appeal:
    return file_appeal(move_it(people), OBJECTION, people.owner, after(1))


# When, and by whom.


@pytest.mark.parametrize(
    ("day", "in_time"), [(0, True), (13, True), (14, True), (14.001, False), (15, False)]
)
def test_fourteen_days(people: Cast, day: float, in_time: bool) -> None:
    decision = move_it(people)
    assert may_be_appealed(decision, after(day)) == in_time
    if in_time:
        assert file_appeal(decision, OBJECTION, people.owner, after(day)).state == Appeal.State.OPEN
    else:
        with pytest.raises(DecisionRefused, match="until 2026-05-15 12:00 UTC, 14 days after"):
            file_appeal(decision, OBJECTION, people.owner, after(day))
        assert not Appeal.objects.exists()


@pytest.mark.parametrize(
    ("role", "status", "files"),
    [
        ("owner", 302, True),
        ("member", 422, False),
        ("stranger", 404, False),
        ("maintainer", 404, False),
        ("conflicted", 404, False),
        ("anonymous", 302, False),
    ],
)
def test_who_appeals(people: Cast, at: Any, role: str, status: int, files: bool) -> None:
    decision = move_it(people)
    client = visit(people.of(role))
    assert client.get(f"/decisions/{decision.pk}/appeal/").status_code == (
        200 if status == 422 or files else status
    )
    assert client.post(f"/decisions/{decision.pk}/appeal/", SENT).status_code == status
    assert Appeal.objects.exists() == files


def test_whoever_has_appealed_is_told_so_on_the_next_page(people: Cast, at: Any) -> None:
    decision = move_it(people)
    page = visit(people.owner).post(f"/decisions/{decision.pk}/appeal/", SENT, follow=True)
    assert page.status_code == 200
    said = page.content.decode()
    assert "Your appeal stands beside the decision" in said
    assert "Your team&#x27;s appeal" in said or "Your team's appeal" in said
    assert SENT["reason"] in said
    assert "cannot be appealed now" not in said


def test_once_per_decision(people: Cast, appeal: Appeal) -> None:
    assert file_appeal(appeal.decision, OBJECTION, people.owner, after(2)) == appeal
    with pytest.raises(DecisionRefused, match="was filed on 2026-05-02 12:00 UTC already"):
        file_appeal(appeal.decision, replace(OBJECTION, reason="Another."), people.owner, after(2))
    with pytest.raises(DecisionRefused, match="needs a reason and a link"):
        file_appeal(appeal.decision, Objection(" ", "javascript:1"), people.owner, after(2))
    assert Appeal.objects.count() == 1


MADE: dict[str, Callable[[Cast], Decision]] = {
    "publish": lambda people: Decision.objects.get(kind="publish"),
    "move": move_it,
    "flag": lambda people: flag_entry(people.entry, GROUNDS, people.maintainer, NOW),
    "mask": lambda people: mask_competitions(people.entry, ["comp-low"], GROUNDS, people.maintainer, NOW),
    "annotate": lambda people: annotate_entry(people.entry, GROUNDS, people.maintainer, NOW),
    "withdraw": lambda people: withdraw_entry(people.entry, GROUNDS, people.maintainer, NOW),
}


def dismissed(people: Cast) -> Decision:
    flag = raise_flag(people.entry, GROUNDS, people.stranger, NOW)
    return answer_flag(flag, False, GROUNDS, people.maintainer, NOW)


def denied(people: Cast) -> Decision:
    appeal = file_appeal(move_it(people), OBJECTION, people.owner, NOW)
    return deny_appeal(appeal, GROUNDS, people.second, NOW)


def imported(people: Cast) -> Decision:
    entry = make.make_placed(organisation=people.entry.agent.organisation)
    return Decision.objects.get(entry=entry)


def test_every_effect_is_tested() -> None:
    assert set(MADE) == set(EFFECTS)


@pytest.mark.parametrize("make_decision", [dismissed, denied, imported])
def test_what_cannot_be_appealed(people: Cast, make_decision: Callable[[Cast], Decision]) -> None:
    with pytest.raises(DecisionRefused, match="of this kind cannot be appealed"):
        file_appeal(make_decision(people), OBJECTION, people.owner, NOW)


def test_what_was_superseded_is_not_appealed_and_what_is_appealed_not_superseded(people: Cast) -> None:
    first = move_it(people)
    second = supersede(first, GROUNDS, people.maintainer, NOW)
    with pytest.raises(DecisionRefused, match=f"Decision {second.pk} stands in its place"):
        file_appeal(first, OBJECTION, people.owner, NOW)
    file_appeal(second, OBJECTION, people.owner, NOW)
    with pytest.raises(DecisionRefused, match="Answer the appeal instead"):
        supersede(second, GROUNDS, people.maintainer, NOW)


def test_a_flags_answer_that_is_appealed_is_not_given_anew(people: Cast) -> None:
    flag = raise_flag(people.entry, GROUNDS, people.stranger, NOW)
    decision = answer_flag(flag, True, GROUNDS, people.maintainer, NOW)
    file_appeal(decision, OBJECTION, people.owner, NOW)
    with pytest.raises(DecisionRefused, match="Answer the appeal instead"):
        answer_flag(flag, False, GROUNDS, people.second, NOW)


# The answer.


@pytest.mark.parametrize(
    ("role", "says"),
    [
        ("maintainer", "You made the decision that is appealed"),
        ("conflicted", "Another maintainer must decide"),
        ("stranger", "Only a maintainer"),
        ("owner", "belong"),
    ],
)
def test_who_does_not_answer(people: Cast, appeal: Appeal, role: str, says: str) -> None:
    user = people.of(role)
    for answer in (grant_appeal, deny_appeal):
        with pytest.raises(DecisionRefused, match=says):
            answer(appeal, GROUNDS, user, after(2))
    assert not Decision.objects.filter(kind__in=("grant", "deny")).exists()
    page = visit(user).get(f"/appeals/{appeal.pk}/")
    assert page.status_code == (200 if role in ("maintainer", "conflicted") else 404)
    assert ("Conflict of interest" in page.content.decode()) == (page.status_code == 200)


def test_granting_a_move_moves_back(people: Cast, appeal: Appeal) -> None:
    answer = grant_appeal(appeal, grounds("It was wrong."), people.second, after(2))
    assert (answer.kind, answer.track, answer.supersedes) == ("grant", track("clean"), appeal.decision)
    assert answer.details["appeal_against"] == appeal.decision_id
    assert (appeal.state, appeal.answer) == (Appeal.State.GRANTED, answer)
    assert boards_of(people.entry) == {"clean", "no-private-lb", "all"}
    assert verify_decisions() == []
    with pytest.raises(DecidedAlready):
        grant_appeal(appeal, grounds("It was wrong."), people.second, after(2))
    with pytest.raises(DecisionRefused, match="has answered this appeal"):
        deny_appeal(appeal, GROUNDS, make.make_maintainer(), after(2))


def test_granting_may_choose_another_track(people: Cast, appeal: Appeal) -> None:
    with pytest.raises(DecisionRefused, match="Choose the track it belongs on"):
        grant_appeal(appeal, GROUNDS, people.second, after(2), track("additional"))
    grant_appeal(appeal, GROUNDS, people.second, after(2), track("no-private-lb"))
    assert boards_of(people.entry) == {"no-private-lb", "all"}


def test_granting_the_appeal_against_publication_needs_a_track(people: Cast) -> None:
    appeal = file_appeal(Decision.objects.get(), OBJECTION, people.owner, NOW)
    with pytest.raises(DecisionRefused, match="Choose the track"):
        grant_appeal(appeal, GROUNDS, people.second, NOW)
    grant_appeal(appeal, GROUNDS, people.second, NOW, track("no-private-lb"))
    assert boards_of(people.entry) == {"no-private-lb", "all"}


def test_denying_changes_nothing_but_the_record(people: Cast, appeal: Appeal) -> None:
    answer = deny_appeal(appeal, GROUNDS, people.second, after(2))
    assert (answer.kind, answer.track, answer.supersedes) == ("deny", None, None)
    assert (appeal.state, boards_of(people.entry)) == (Appeal.State.DENIED, {"additional", "all"})
    assert verify_decisions() == []


def test_a_later_move_is_not_undone(people: Cast, appeal: Appeal) -> None:
    move_entry(people.entry, track("no-private-lb"), GROUNDS, people.maintainer, after(2))
    assert grant_appeal(appeal, GROUNDS, people.second, after(3)).track is None
    assert boards_of(people.entry) == {"no-private-lb", "all"}


@pytest.mark.parametrize("upheld_by", ["flag", "move"])
def test_granting_dismisses_the_flag(people: Cast, upheld_by: str) -> None:
    flag = raise_flag(people.entry, GROUNDS, people.stranger, NOW)
    decision = (
        answer_flag(flag, True, GROUNDS, people.maintainer, NOW)
        if upheld_by == "flag"
        else move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW, flag=flag)
    )
    answer = grant_appeal(file_appeal(decision, OBJECTION, people.owner, NOW), GROUNDS, people.second, NOW)
    flag.refresh_from_db()
    assert (flag.state, flag.decision) == (Flag.State.DISMISSED, answer)
    assert boards_of(people.entry) == {"clean", "no-private-lb", "all"}
    row = find_standings(track="clean", split="low")[0].row
    assert row["flags"] == []


def test_what_a_granted_appeal_settled_is_not_answered_anew(people: Cast) -> None:
    flag = raise_flag(people.entry, GROUNDS, people.stranger, NOW)
    decision = answer_flag(flag, True, GROUNDS, people.maintainer, NOW)
    granted = grant_appeal(file_appeal(decision, OBJECTION, people.owner, NOW), GROUNDS, people.second, NOW)
    flag.refresh_from_db()
    with pytest.raises(DecisionRefused, match=f"An appeal settled this flag, by decision {granted.pk}"):
        answer_flag(flag, True, OTHER, people.maintainer, after(1))
    flag.refresh_from_db()
    assert (flag.state, flag.decision) == (Flag.State.DISMISSED, granted)


def test_granting_counts_masked_competitions_again(people: Cast) -> None:
    decision = MADE["mask"](people)
    assert EntryRun.objects.filter(entry=people.entry, masked_by=decision).count() == 2
    answer = grant_appeal(file_appeal(decision, OBJECTION, people.owner, NOW), GROUNDS, people.second, NOW)
    assert not EntryRun.objects.filter(entry=people.entry).exclude(masked_by=None).exists()
    assert answer.restatements.exists()
    assert answer.details["unmasked"] == ["comp-low"]
    assert verify_decisions() == []


@pytest.mark.parametrize("kind", ["withdraw", "annotate"])
def test_granting_these_changes_no_board(people: Cast, kind: str) -> None:
    decision = MADE[kind](people)
    before = boards_of(people.entry)
    answer = grant_appeal(file_appeal(decision, OBJECTION, people.owner, NOW), GROUNDS, people.second, NOW)
    assert (answer.supersedes, answer.track) == (decision, None)
    assert boards_of(people.entry) == before
    assert verify_decisions() == []


def test_an_open_appeal_of_an_entry_withdrawn_since_is_answered_without_placing_it(
    people: Cast, appeal: Appeal
) -> None:
    withdraw_entry(people.entry, GROUNDS, people.maintainer, after(2))
    assert grant_appeal(appeal, GROUNDS, people.second, after(3)).track is None
    assert boards_of(people.entry) == set()


def test_an_appeal_edited_after_its_answer_is_detected(people: Cast, appeal: Appeal) -> None:
    answer = deny_appeal(appeal, GROUNDS, people.second, after(2))
    Appeal.objects.filter(pk=appeal.pk).update(reason="Kind words.")
    with pytest.raises(CommandError, match=f"{answer.pk} answered an appeal that says something else now"):
        call_command("verify_decisions")


# Pages.


def test_clocks_on_the_decision_page_and_for_the_docket(people: Cast, at: Any) -> None:
    decision = move_it(people)
    page = visit(None).get(f"/decisions/{decision.pk}/").content.decode()
    assert "open to appeal until" in page
    assert "15 May 2026, 12:00 UTC" in page
    assert list(open_appeals()) == []
    first = file_appeal(decision, OBJECTION, people.owner, after(3))
    second = file_appeal(Decision.objects.get(kind="publish"), OBJECTION, people.owner, after(2))
    assert [each.due_at for each in open_appeals()] == [after(16), after(17)] == [second.due_at, first.due_at]
    page = visit(None).get(f"/decisions/{decision.pk}/").content.decode()
    assert OBJECTION.reason in page
    assert "18 May 2026, 12:00 UTC" in page
    told = visit(None).get(f"/api/v1/decisions/{decision.pk}").json()
    assert told["appeal_until"].startswith("2026-05-15T12:00")
    assert (told["appeal"]["state"], told["appeal"]["reason"]) == ("open", OBJECTION.reason)


def test_the_page_changes_for_whoever_has_it_once_the_clock_is_over(people: Cast, at: Any) -> None:
    decision = move_it(people)
    etag = visit(None).get(f"/decisions/{decision.pk}/")["ETag"]
    asked = {"if-none-match": etag}
    assert visit(None).get(f"/decisions/{decision.pk}/", headers=asked).status_code == 304
    at(15)
    late = visit(None).get(f"/decisions/{decision.pk}/", headers=asked)
    assert late.status_code == 200
    assert "open to appeal" not in late.content.decode()
    assert visit(people.owner).get(f"/decisions/{decision.pk}/appeal/").status_code == 200
    assert visit(people.owner).post(f"/decisions/{decision.pk}/appeal/", SENT).status_code == 422


@pytest.mark.parametrize(("word", "kind"), [("grant", "grant"), ("deny", "deny")])
def test_a_second_maintainer_answers_by_the_form_and_both_decisions_link(
    people: Cast, appeal: Appeal, at: Any, word: str, kind: str
) -> None:
    form = {**FORM, "answer": word, "track": "no-private-lb" if word == "grant" else ""}
    assert visit(people.stranger).post(f"/appeals/{appeal.pk}/", form).status_code == 404
    assert visit(people.maintainer).post(f"/appeals/{appeal.pk}/", form).status_code == 422
    assert visit(people.second).post(f"/appeals/{appeal.pk}/", form).status_code == 302
    answer = Decision.objects.get(kind=kind)
    appealed = visit(None).get(f"/decisions/{appeal.decision_id}/").content.decode()
    assert f"/decisions/{answer.pk}/" in appealed
    said = visit(None).get(f"/decisions/{answer.pk}/").content.decode()
    assert f'<a href="/decisions/{appeal.decision_id}/">' in said
    told = visit(None).get(f"/api/v1/decisions/{answer.pk}").json()
    assert (told["details"]["appeal_against"], told["appeal_until"]) == (appeal.decision_id, None)
    assert verify_decisions() == []
