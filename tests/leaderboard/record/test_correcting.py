"""Correcting decisions: which can be, by whom, and what becomes of both."""

from collections.abc import Callable
from typing import Any

import pytest

from leaderboard.integrity.annotating import annotate_entry
from leaderboard.integrity.correcting import FOLLOWED, supersede
from leaderboard.integrity.decide import (
    DecisionRefused,
    answer_flag,
    flag_entry,
    move_entry,
    raise_flag,
    withdraw_entry,
)
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.masking import lift_masks, mask_competitions
from leaderboard.integrity.questions import ask_team
from leaderboard.models import Decision
from leaderboard.standings import refresh_standings
from tests import factories as make
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.record.people import FORM, NOW, Cast, grounds, track, visit
from tests.leaderboard.standings import find_standings

Make = Callable[[Cast], Decision]
BETTER = grounds("The log shows it after all.")
SENT = {**FORM, "reason": BETTER.reason}


def placing(people: Cast) -> Decision:
    return Decision.objects.get(kind="publish")


def moved(people: Cast) -> Decision:
    return move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW)


def imported(people: Cast) -> Decision:
    return Decision.objects.get(entry=make.make_placed(organisation=people.entry.agent.organisation))


def dismissed(people: Cast) -> Decision:
    return answer_flag(
        raise_flag(people.entry, GROUNDS, people.stranger, NOW), False, GROUNDS, people.maintainer, NOW
    )


CORRECTED: dict[str, Make] = {
    "import": imported,
    "publish": placing,
    "move": moved,
    "flag": lambda people: flag_entry(people.entry, GROUNDS, people.maintainer, NOW),
    "dismiss": dismissed,
    "withdraw": lambda people: withdraw_entry(people.entry, GROUNDS, people.maintainer, NOW),
    "annotate": lambda people: annotate_entry(people.entry, GROUNDS, people.maintainer, NOW),
}
IN_OTHER_TESTS = {"repin"}


def masked(people: Cast) -> Decision:
    return mask_competitions(people.entry, ["comp-low"], GROUNDS, people.maintainer, NOW)


def unmasked(people: Cast) -> Decision:
    masked(people)
    return lift_masks(people.entry, ["comp-low"], GROUNDS, people.maintainer, NOW)


def address(decision: Decision) -> str:
    return f"/decisions/{decision.pk}/correct/"


def test_every_kind_is_one_or_the_other() -> None:
    assert {*CORRECTED, *IN_OTHER_TESTS, *FOLLOWED} == set(Decision.Kind)
    assert not set(CORRECTED) & set(FOLLOWED)


@pytest.mark.parametrize("make_decision", CORRECTED.values(), ids=CORRECTED)
def test_the_grounds_alone(people: Cast, make_decision: Make) -> None:
    decision = make_decision(people)
    refresh_standings(decision.entry.benchmark, NOW)
    boards = {each.track for each in find_standings(decision.entry)}
    asked = visit(people.second).get(address(decision))
    assert decision.reason.splitlines()[0] in asked.content.decode()
    sent = {**SENT, "track": decision.track.slug} if decision.track else SENT
    assert visit(people.second).post(address(decision), sent).status_code == 302
    new = Decision.objects.latest("pk")
    assert (new.supersedes, new.kind, new.reason.splitlines()[0]) == (decision, decision.kind, BETTER.reason)
    # What the checks had proposed stays said, whoever words the reason.
    assert new.reason.splitlines()[1:] == decision.reason.splitlines()[1:]
    assert {each.track for each in find_standings(decision.entry)} == boards
    assert verify_decisions() == []


def test_another_track_moves_the_entry(people: Cast) -> None:
    decision = placing(people)
    assert visit(people.second).post(address(decision), {**SENT, "track": "additional"}).status_code == 302
    new = Decision.objects.latest("pk")
    assert (new.kind, new.track, new.supersedes) == ("move", track("additional"), decision)
    assert {each.track for each in find_standings(people.entry)} == {"additional", "all"}
    page = visit(None).get(f"/decisions/{decision.pk}/").content.decode()
    assert f'href="/decisions/{new.pk}/"' in page
    assert address(decision) not in page


def test_what_places_the_entry_no_more_has_no_track_to_choose(people: Cast) -> None:
    first = placing(people)
    moved(people)
    assert 'name="track"' not in visit(people.second).get(address(first)).content.decode()
    visit(people.second).post(address(first), {**SENT, "track": "clean"})
    assert Decision.objects.latest("pk").supersedes == first
    assert {each.track for each in find_standings(people.entry)} == {"additional", "all"}
    with pytest.raises(DecisionRefused, match="not the one that places the entry now"):
        supersede(Decision.objects.latest("pk"), BETTER, people.second, NOW, track("clean"))


@pytest.mark.parametrize(
    ("make_decision", "says"), [(masked, "or mask others"), (unmasked, "Mask the competitions again")]
)
def test_what_is_followed_by_another(people: Cast, make_decision: Make, says: str) -> None:
    decision = make_decision(people)
    page = visit(people.second).get(address(decision)).content.decode()
    assert says in page
    assert "<textarea" not in page
    assert visit(people.second).post(address(decision), SENT).status_code == 422
    with pytest.raises(DecisionRefused, match=says):
        supersede(decision, BETTER, people.second, NOW)


def test_a_question_is_asked_again(people: Cast) -> None:
    decision = ask_team(people.entry, "Which logs?", GROUNDS, people.maintainer, NOW).decision
    with pytest.raises(DecisionRefused, match="Ask the team again"):
        supersede(decision, BETTER, people.second, NOW)


def test_two_maintainers_at_once(people: Cast) -> None:
    decision = placing(people)
    sent = {**SENT, "track": "clean", "seen": str(decision.pk)}
    assert visit(people.second).post(address(decision), sent).status_code == 302
    late = visit(people.maintainer).post(address(decision), sent)
    assert late.status_code == 422
    assert f"Decision {decision.pk + 1} stands in its place. Correct that one." in late.content.decode()
    assert Decision.objects.filter(supersedes=decision).count() == 1


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 404), ("member", 404), ("stranger", 404), ("conflicted", 422)]
)
def test_who_may_not(people: Cast, role: str, status: int) -> None:
    decision = placing(people)
    client: Any = visit(people.of(role))
    assert client.post(address(decision), {**SENT, "track": "clean"}).status_code == status
    assert not Decision.objects.filter(supersedes=decision).exists()


def test_the_same_form_sent_twice_counts_once(people: Cast) -> None:
    decision = placing(people)
    sent = {**SENT, "track": "clean", "seen": str(decision.pk)}
    client = visit(people.second)
    assert [client.post(address(decision), sent).status_code for _ in range(2)] == [302, 302]
    assert Decision.objects.filter(supersedes=decision).count() == 1


def test_what_was_withdrawn_is_put_on_no_track(people: Cast) -> None:
    first = placing(people)
    withdraw_entry(people.entry, GROUNDS, people.maintainer, NOW)
    assert 'name="track"' not in visit(people.second).get(address(first)).content.decode()
    with pytest.raises(DecisionRefused, match="not the one that places the entry now"):
        supersede(first, BETTER, people.second, NOW, track("additional"))
    assert supersede(first, BETTER, people.second, NOW).track is None


def test_off_the_warned_track_nobody_reported_anything(people: Cast) -> None:
    flag = raise_flag(people.entry, GROUNDS, people.owner, NOW)
    type(flag).objects.update(is_self_reported=True)
    flag.refresh_from_db()
    warned = move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, NOW, flag=flag)
    again = supersede(warned, BETTER, people.second, NOW)
    assert (warned.is_self_reported, again.is_self_reported) == (True, True)
    ranked = supersede(again, GROUNDS, people.second, NOW, track("clean"))
    assert (ranked.kind, ranked.is_self_reported) == ("move", False)
