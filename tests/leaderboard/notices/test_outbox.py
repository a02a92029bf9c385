"""From what happened to who is told: each thing once, to those it concerns, and to nobody else."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leaderboard.integrity.decide import answer_flag, move_entry, publish, raise_flag, withdraw_entry
from leaderboard.models import (
    Appeal,
    Decision,
    Finding,
    Flag,
    FlagReply,
    NewsTold,
    Notice,
    Question,
    Restatement,
    SourcePromise,
    Track,
)
from leaderboard.notices import outbox
from leaderboard.notices.kinds import Kind, Often
from leaderboard.notices.preferences import choose
from submissions.models import Submission
from submissions.states import move, record_event
from tests import factories as make
from tests.leaderboard.notices.told import (
    GROUNDS,
    Cast,
    forget_so_far,
    make_cast,
    make_webhook,
    tell,
    tell_again_after_losing_the_marks,
)

pytestmark = pytest.mark.django_db
TEAM = {"owner", "member"}
MAINTAINERS = {"decider", "maintainer"}
OTHER = MAINTAINERS - {"decider"}


def at_once(names: set[str], kind: str) -> dict[str, set[str]]:
    return {name: {kind} for name in names}


def decide(cast: Cast, kind: str, **details: Any) -> Decision:
    """A bare decision of a kind, as whatever writes it would leave it."""
    from leaderboard.integrity.ledger import Verdict, record_decision

    now = timezone.now()
    verdict = Verdict(Decision.Kind(kind), cast.entry, GROUNDS, cast.people["decider"], now, **details)
    return record_decision(verdict, now)


def a_status(after: str, by: str = "") -> Callable[[Cast], None]:
    def happen(cast: Cast) -> None:
        actor = cast.people[by] if by else None
        record_event(submission_of(cast), "status", at=timezone.now(), actor=actor, after=after)

    return happen


def submission_of(cast: Cast) -> Submission:
    assert cast.entry.submission is not None
    return cast.entry.submission


def a_decision(kind: str) -> Callable[[Cast], None]:
    return lambda cast: (decide(cast, kind), None)[1]


def a_flag(cast: Cast) -> Any:
    return raise_flag(cast.entry, GROUNDS, cast.people["raiser"], timezone.now())


def a_dismissal(cast: Cast) -> None:
    flag = a_flag(cast)
    forget_so_far()
    answer_flag(flag, False, GROUNDS, cast.people["decider"], timezone.now())


def a_reply(cast: Cast) -> None:
    flag = a_flag(cast)
    forget_so_far()
    FlagReply.objects.create(flag=flag, author=cast.people["owner"], text="No.", written_at=timezone.now())


def an_appeal(cast: Cast) -> None:
    decision = decide(cast, "annotate")
    forget_so_far()
    Appeal.objects.create(
        decision=decision, filed_by=cast.people["owner"], reason="Unfair.", evidence_url="https://e.org/",
        filed_at=timezone.now(),
    )  # fmt: skip


def an_answer(cast: Cast) -> None:
    decision = decide(cast, "ask")
    forget_so_far()
    now = timezone.now()
    Question.objects.create(
        decision=decision, entry=cast.entry, text="Why?", asked_at=now, due_at=now,
        answer="So.", answered_at=now, answered_by=cast.people["member"],
    )  # fmt: skip


def a_finding(cast: Cast) -> None:
    now = timezone.now()
    for code in ("one", "two"):
        Finding.objects.create(
            submission=submission_of(cast),
            code=code,
            title="T",
            severity="high",
            sentence="S.",
            raised_at=now,
        )


def an_expired_promise(cast: Cast) -> None:
    now = timezone.now()
    SourcePromise.objects.create(submission=submission_of(cast), due_on=now.date(), expired_at=now)


def a_shown_source(cast: Cast) -> None:
    record_event(submission_of(cast), "source_shown", at=timezone.now(), actor=cast.people["owner"])


def a_restatement(cast: Cast) -> None:
    decision = decide(cast, "repin")
    Restatement.objects.create(decision=decision, split="low", figure="any_medal_mean", before=1.0, after=2.0)


BOTH = {**at_once(TEAM, "entry.decision"), **at_once(OTHER, "docket.decision")}
IN_REVIEW: dict[str, tuple[Callable[[Cast], None], dict[str, set[str]]]] = {
    "rejected": (a_status("rejected"), at_once(TEAM, "submission.status")),
    "in review": (
        a_status("in_review"),
        {**at_once(TEAM, "submission.status"), **at_once(MAINTAINERS, "docket.review")},
    ),
    "failed here": (
        a_status("grading_failed"),
        {**at_once(TEAM, "submission.status"), **at_once(MAINTAINERS, "docket.failure")},
    ),
    "withdrawn by the owner": (a_status("withdrawn", by="owner"), at_once({"member"}, "submission.status")),
    "a step on the way": (a_status("checking"), {}),
    "asked": (
        a_decision("ask"),
        {**at_once(TEAM, "entry.question"), **at_once(OTHER, "docket.decision")},
    ),
    "verified, not public yet": (a_decision("verify"), at_once(OTHER, "docket.decision")),
    "annotated, not public yet": (a_decision("annotate"), at_once(OTHER, "docket.decision")),
    "answered": (an_answer, at_once(MAINTAINERS, "docket.reply")),
    "found": (a_finding, at_once(MAINTAINERS, "docket.finding")),
    "promise expired": (
        an_expired_promise,
        {**at_once(TEAM, "entry.promise"), **at_once(MAINTAINERS, "docket.review")},
    ),
    "source shown": (a_shown_source, at_once(MAINTAINERS, "docket.reply")),
}
PUBLISHED: dict[str, tuple[Callable[[Cast], None], dict[str, set[str]]]] = {
    "flagged": (a_flag, {**at_once(TEAM, "entry.flag"), **at_once(MAINTAINERS, "docket.flag")}),
    "flag dismissed": (a_dismissal, {**BOTH, "raiser": {"flag.answered"}}),
    "flag replied to": (a_reply, at_once(MAINTAINERS, "docket.reply")),
    "appealed": (
        an_appeal,
        {**at_once({"member"}, "entry.appeal"), **at_once(MAINTAINERS, "docket.appeal")},
    ),
    "annotated": (a_decision("annotate"), BOTH),
    "masked": (a_decision("mask"), BOTH),
    "granted": (a_decision("grant"), BOTH),
    "restated": (
        a_restatement,
        {**at_once(TEAM, "entry.restated"), **at_once(OTHER, "docket.decision")},
    ),
}


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
