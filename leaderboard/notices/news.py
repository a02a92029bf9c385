"""What a row of the site means as news: who hears of it, in what words' terms, and where they read on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.urls import reverse

from leaderboard.models import Appeal, Decision, Entry, Finding, Flag, FlagReply, Question, SourcePromise
from leaderboard.notices.hears import (
    APPEAL,
    FINDING,
    FLAG,
    PROMISE,
    REPLY,
    Hearings,
    hear_decision,
    hear_status,
)
from leaderboard.notices.kinds import Group
from leaderboard.public import public_entries
from submissions.models import Event, Submission, Team, User


@dataclass(frozen=True)
class News:
    """Something that happened. Whoever has the same key for the same kind has heard of it.

    `by` did it and needs no mail about it. `organisations`: maintainers tied to one of these hear it as members of
    the team alone, if at all.
    """

    key: str
    at: datetime
    hearings: Hearings
    facts: Mapping[str, Any]
    path: str
    docket_path: str = ""
    team: Team | None = None
    organisations: tuple[int, ...] = ()
    by: int | None = None
    raisers: tuple[User, ...] = field(default=())

    def path_for(self, group: Group) -> str:
        return self.docket_path or self.path if group == Group.MAINTAINERS else self.path


def of_status(event: Event) -> Iterator[News]:
    """A new status; being held and let go are told like one."""
    submission = event.submission
    status = event.after if event.kind == "status" else event.kind
    yield News(
        key=f"event:{event.pk}",
        at=event.recorded_at,
        hearings=hear_status(status, submission.team.organisation.is_verified),
        by=event.actor_id,
        **_of_submission(submission),
        facts=_facts(submission) | {"status": status, "before": event.before} | _decided(event.detail),
    )


def of_decision(decision: Decision) -> Iterator[News]:
    entry = decision.entry
    is_public = public_entries().filter(pk=entry.pk).exists()
    hearings = hear_decision(decision.kind, is_public, decision.restatements.exists())
    known = {"decision": decision.pk, "decision_kind": decision.kind}
    origin = _of_entry(entry, reverse("decision", args=[decision.pk]) if is_public else "")
    if decision.kind == Decision.Kind.ASK:
        origin["path"] = reverse("question", args=[decision.pk])
    yield News(
        key=f"decision:{decision.pk}",
        at=decision.recorded_at,
        hearings=hearings,
        by=decision.decided_by_id,
        raisers=tuple(flag.raised_by for flag in decision.flags.all() if not flag.is_self_reported),
        **origin,
        facts=_entry_facts(entry) | known,
    )


def of_flag(flag: Flag) -> Iterator[News]:
    """One that still waits for its answer; where there is one, its decision is the news."""
    if flag.state == Flag.State.OPEN:
        yield _about_flag(flag, f"flag:{flag.pk}", flag.raised_at, FLAG, flag.raised_by_id)


def of_reply(reply: FlagReply) -> Iterator[News]:
    yield _about_flag(reply.flag, f"reply:{reply.pk}", reply.written_at, REPLY, reply.author_id)


def _about_flag(flag: Flag, key: str, at: datetime, hearings: Hearings, by: int) -> News:
    origin = _of_entry(flag.entry, reverse("flag", args=[flag.pk]))
    origin["docket_path"] = reverse("flag-answer", args=[flag.pk])
    return News(key, at, hearings, _entry_facts(flag.entry) | {"flag": flag.pk}, by=by, **origin)


def of_appeal(appeal: Appeal) -> Iterator[News]:
    decision = appeal.decision
    origin = _of_entry(decision.entry, reverse("decision", args=[decision.pk]))
    origin["docket_path"] = reverse("appeal-answer", args=[appeal.pk])
    yield News(
        key=f"appeal:{appeal.pk}",
        at=appeal.filed_at,
        hearings=APPEAL,
        by=appeal.filed_by_id,
        **origin,
        facts=_entry_facts(decision.entry) | {"decision": decision.pk},
    )


def of_answer(question: Question) -> Iterator[News]:
    assert question.answered_at is not None, "only answered ones are looked for"
    yield News(
        key=f"answer:{question.pk}",
        at=question.answered_at,
        hearings=REPLY,
        by=question.answered_by_id,
        **_of_entry(question.entry),
        facts=_entry_facts(question.entry) | {"decision": question.decision_id},
    )


def of_finding(finding: Finding) -> Iterator[News]:
    """Those of one look are one piece of news."""
    moment = f"{finding.raised_at:%Y%m%d%H%M%S%f}"
    yield News(
        key=f"finding:{finding.submission_id}:{moment}",
        at=finding.raised_at,
        hearings=FINDING,
        **_of_submission(finding.submission),
        facts=_facts(finding.submission),
    )


def of_promise(promise: SourcePromise) -> Iterator[News]:
    assert promise.expired_at is not None, "only expired ones are looked for"
    yield News(
        key=f"promise:{promise.pk}:{promise.due_on}",
        at=promise.expired_at,
        hearings=PROMISE,
        **_of_submission(promise.submission) | {"path": _source_path(promise.submission)},
        facts=_facts(promise.submission),
    )


def of_source(event: Event) -> Iterator[News]:
    """The link to a promised source, which a maintainer has to look at."""
    yield News(
        key=f"source:{event.pk}",
        at=event.recorded_at,
        hearings=REPLY,
        by=event.actor_id,
        **_of_submission(event.submission),
        facts=_facts(event.submission),
    )


def _source_path(submission: Submission) -> str:
    return reverse("submission-source", args=[submission.public_id])


def _of_submission(submission: Submission) -> dict[str, Any]:
    """Where its people read on, and whose it is."""
    return {
        "path": reverse("submission", args=[submission.public_id]),
        "docket_path": reverse("docket-case", args=[submission.public_id]),
        "team": submission.team,
        "organisations": (submission.team.organisation_id,),
    }


def _of_entry(entry: Entry, public_path: str = "") -> dict[str, Any]:
    """The same for an entry; an imported one has no team. `public_path`: where everybody may read on."""
    if entry.submission is None:
        path = public_path or reverse("entry", args=[entry.slug])
        return {"path": path, "organisations": (entry.agent.organisation_id,)}
    origin = _of_submission(entry.submission)
    origin["organisations"] += (entry.agent.organisation_id,)
    if public_path:
        origin["path"] = origin["docket_path"] = public_path
    return origin


def _facts(submission: Submission) -> dict[str, Any]:
    return {
        "submission": str(submission.public_id),
        "submitted": f"{submission.created_at:%Y-%m-%d %H:%M} UTC",
        "benchmark": submission.benchmark.slug,
        "team": submission.team.name,
    }


def _entry_facts(entry: Entry) -> dict[str, Any]:
    of_submission = _facts(entry.submission) if entry.submission else {}
    return {**of_submission, "entry": entry.pk, "benchmark": entry.benchmark.slug}


def _decided(detail: Any) -> dict[str, Any]:
    """The decision that an event carries, if it does."""
    return {"decision": detail["decision"]} if isinstance(detail, dict) and "decision" in detail else {}
