"""From what happened to who is told: each thing once, to those it concerns, and to nobody else."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leaderboard.integrity.decide import move_entry, publish, raise_flag, withdraw_entry
from leaderboard.models import (
    Appeal,
    Decision,
    Flag,
    NewsTold,
    Notice,
    Question,
    Track,
)
from leaderboard.notices import outbox
from leaderboard.notices.kinds import Kind, Often
from leaderboard.notices.preferences import choose
from submissions.models import Submission
from submissions.states import move, record_event
from tests import factories as make
from tests.leaderboard.notices.happenings import (
    IN_REVIEW,
    MAINTAINERS,
    OTHER,
    PUBLISHED,
    TEAM,
    a_decision,
    a_finding,
    a_flag,
    a_status,
    an_appeal,
    at_once,
    decide,
    submission_of,
)
from tests.leaderboard.notices.told import (
    GROUNDS,
    forget_so_far,
    make_cast,
    make_webhook,
    tell,
    tell_again_after_losing_the_marks,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", IN_REVIEW)
def test_who_hears_of_what_before_publication(name: str) -> None:
    happen, expected = IN_REVIEW[name]
    cast = make_cast()
    happen(cast)
    tell()
    assert cast.told() == expected


@pytest.mark.parametrize("name", PUBLISHED)
def test_who_hears_of_what_after_it(name: str) -> None:
    happen, expected = PUBLISHED[name]
    cast = make_cast(is_published=True)
    happen(cast)
    tell()
    assert cast.told() == expected


def test_publishing_tells_the_team_once_and_the_other_maintainers() -> None:
    cast = make_cast()
    publish(cast.entry, Track.objects.get(slug="clean"), GROUNDS, cast.people["decider"], timezone.now())
    tell()
    assert cast.told() == {**at_once(TEAM, "submission.status"), **at_once(OTHER, "docket.decision")}
    assert Notice.objects.filter(kind=Kind.STATUS).count() == 2


def test_withdrawing_tells_the_team_once() -> None:
    cast = make_cast(is_published=True)
    withdraw_entry(cast.entry, GROUNDS, cast.people["decider"], timezone.now())
    tell()
    assert list(cast.people["owner"].notices.values_list("kind", flat=True)) == ["submission.status"]


def test_an_imported_entry_has_no_team_to_tell() -> None:
    entry = make.make_placed()
    raiser, maintainer = make.make_user(), make.make_maintainer()
    forget_so_far()
    raise_flag(entry, GROUNDS, raiser, timezone.now())
    tell()
    assert {notice.kind for notice in Notice.objects.all()} == {"docket.flag"}
    assert maintainer.notices.exists()
    assert not raiser.notices.exists()


def test_an_organisation_to_verify_is_told_to_maintainers() -> None:
    maintainer = make.make_maintainer()
    team = make.make_team(make.make_organisation(verified=False))
    submission = make.make_submission(team)
    record_event(submission, "status", at=timezone.now(), after="queued")
    tell()
    assert [notice.kind for notice in maintainer.notices.all()] == ["docket.review"]


def test_whoever_left_or_was_switched_off_hears_nothing() -> None:
    cast = make_cast()
    cast.team.members.get(user=cast.people["member"]).delete()
    cast.people["owner"].is_active = False
    cast.people["owner"].save()
    a_status("rejected")(cast)
    tell()
    assert cast.told() == {}


def test_a_maintainer_without_the_second_factor_hears_nothing_as_such(settings: Any) -> None:
    settings.REQUIRE_MAINTAINER_TOTP = True
    cast = make_cast()
    a_finding(cast)
    tell()
    assert cast.told() == {}


def test_telling_twice_doubles_nothing() -> None:
    cast = make_cast()
    a_finding(cast)
    a_status("rejected")(cast)
    assert tell() > 0
    before = Notice.objects.count()
    assert tell() == 0
    tell_again_after_losing_the_marks()
    assert cast.told()["owner"] == {"submission.status"}
    assert Notice.objects.filter(kind__in=["docket.finding", "submission.status"]).count() >= before
    assert (
        cast.people["owner"].notices.filter(kind="submission.status", facts__status="rejected").count() == 1
    )
    assert cast.people["maintainer"].notices.filter(kind="docket.finding").count() == 1


def test_a_row_with_a_lower_number_that_shows_up_late_is_told() -> None:
    cast = make_cast()
    a_status("rejected")(cast)
    late = submission_of(cast).events.get(after="rejected")
    a_status("abandoned")(cast)
    held_back = NewsTold.objects.create(source="event", number=late.pk, told_at=timezone.now())
    tell()
    held_back.delete()
    assert tell() == 1
    assert cast.people["owner"].notices.count() == 2


def test_an_old_question_is_news_on_the_day_it_is_answered() -> None:
    """Its number lies far below those that were told of last."""
    cast = make_cast()
    decision = decide(cast, "ask")
    now = timezone.now()
    question = Question.objects.create(
        decision=decision, entry=cast.entry, text="?", asked_at=now, due_at=now
    )
    NewsTold.objects.create(source="answer", number=question.pk + 5000, told_at=now)
    forget_so_far()
    Question.objects.filter(pk=question.pk).update(
        answer="So.", answered_at=now, answered_by=cast.people["owner"]
    )
    tell()
    assert cast.told() == at_once(MAINTAINERS, "docket.reply")


def test_a_sweep_does_not_read_what_is_long_over(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = make_cast()
    a_status("rejected")(cast)
    event = submission_of(cast).events.get(after="rejected")
    NewsTold.objects.filter(source="event").delete()
    NewsTold.objects.create(source="event", number=event.pk + 1001, told_at=timezone.now())
    assert tell() == 0
    NewsTold.objects.filter(number=event.pk + 1001).update(number=event.pk + 1000)
    assert tell() > 0


def test_old_news_is_not_told() -> None:
    cast = make_cast()
    a_status("rejected")(cast)
    assert tell(timezone.now() + timedelta(days=3)) == 0
    assert cast.told() == {}


def test_a_row_that_cannot_be_read_does_not_silence_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cast = make_cast()
    a_status("rejected")(cast)
    a_finding(cast)
    broken = next(source for source in outbox.SOURCES if source.name == "event")

    def fail(row: Any) -> Any:
        raise KeyError("ours")

    others = [source for source in outbox.SOURCES if source is not broken]
    made = type(broken)(broken.name, broken.rows, broken.at, fail)
    monkeypatch.setattr(outbox, "SOURCES", (made, *others))
    tell()
    assert set(cast.told()) == MAINTAINERS
    assert "cannot be told" in caplog.text
    monkeypatch.undo()
    tell()
    assert "owner" in cast.told()


def test_marks_are_forgotten_once_their_rows_are_old() -> None:
    cast = make_cast()
    a_status("rejected")(cast)
    tell()
    later = timezone.now() + timedelta(days=5)
    assert outbox.forget_told(later) > 0
    assert tell(later) == 0


def test_a_person_chooses_never_daily_or_at_once() -> None:
    cast = make_cast()
    choose(cast.people["owner"], {Kind.STATUS: Often.NEVER, Kind.PROGRESS: Often.NOW})
    choose(cast.people["member"], {Kind.STATUS: Often.DAILY})
    now = timezone.now().replace(hour=12)
    a_status("rejected")(cast)
    a_status("queued")(cast)
    tell(now)
    assert cast.told() == {"owner": {"submission.progress"}, "member": {"submission.status"}}
    daily = cast.people["member"].notices.get()
    assert daily.is_digest
    assert (daily.next_try_at.hour, daily.next_try_at.minute) == (7, 0)
    assert daily.next_try_at > now
    assert cast.people["owner"].notices.get().next_try_at == now


def test_webhooks_hear_what_their_group_hears_and_what_they_asked_for() -> None:
    cast = make_cast()
    own, other_team = make_webhook(cast.team), make_webhook(make.make_team())
    picky = make_webhook(cast.team, ["entry.flag"])
    off = make_webhook(cast.team, is_on=False)
    site = make_webhook(None)
    a_status("in_review")(cast)
    a_status("grading")(cast)
    tell()
    kinds = {
        hook: [notice.kind for notice in hook.notices.all()] for hook in (own, other_team, picky, off, site)
    }
    assert kinds == {
        own: ["submission.status", "submission.progress"],
        other_team: [],
        picky: [],
        off: [],
        site: ["docket.review"],
    }


def test_a_real_change_of_status_is_told(django_capture_on_commit_callbacks: Any) -> None:
    submission = make.make_submission(status=Submission.Status.CHECKING)
    move(submission, Submission.Status.REJECTED, at=timezone.now())
    tell()
    owner = submission.team.members.get().user
    assert [notice.facts["status"] for notice in owner.notices.all()] == ["rejected"]


def test_a_move_links_to_its_decision() -> None:
    cast = make_cast(is_published=True)
    decision = move_entry(
        cast.entry, Track.objects.get(slug="no-private-lb"), GROUNDS, cast.people["decider"], timezone.now()
    )
    tell()
    notice = cast.people["owner"].notices.get()
    assert notice.path == f"/decisions/{decision.pk}/"
    assert notice.facts["decision"] == decision.pk


PATHS = {
    "flagged": (a_flag, "/flags/{flag}/", "/flags/{flag}/answer/"),
    "appealed": (an_appeal, "/decisions/{decision}/", "/appeals/{appeal}/"),
    "asked": (a_decision("ask"), "/questions/{decision}/", "/decisions/{decision}/"),
    "found": (a_finding, None, "/docket/{case}/"),
}


@pytest.mark.parametrize("name", PATHS)
def test_each_reads_on_where_they_can_act(name: str) -> None:
    happen, team_path, docket_path = PATHS[name]
    cast = make_cast(is_published=True)
    happen(cast)
    tell()
    newest = {
        model: model.objects.order_by("-pk").values_list("pk", flat=True).first()
        for model in (Flag, Decision, Appeal)
    }
    names = {"flag": newest[Flag], "decision": newest[Decision], "appeal": newest[Appeal]}
    names["case"] = submission_of(cast).public_id
    told = {
        person: list(cast.people[person].notices.values_list("path", flat=True))
        for person in ("member", "maintainer")
    }
    assert told["member"] == ([team_path.format(**names)] if team_path else [])
    assert told["maintainer"] == [docket_path.format(**names)]


def test_the_number_of_queries_does_not_grow_with_what_was_told(django_assert_max_num_queries: Any) -> None:
    cast = make_cast()
    for _ in range(30):
        a_status("rejected")(cast)
    tell()
    with django_assert_max_num_queries(2 * len(outbox.SOURCES)):
        assert tell() == 0
