"""Everybody who has to do with a published entry, and what they say."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.test import Client

from leaderboard.integrity.decide import Grounds
from leaderboard.models import Entry, Track
from submissions.models import User
from submissions.states import record_event
from tests import factories as make
from tests.leaderboard.boards import GROUNDS, make_board_benchmark, make_published, make_reviewed

NOW = make.NOW
PRIVATE = replace(GROUNDS, evidence_url="https://secret.example/log", evidence_is_private=True)
FORM = {"reason": GROUNDS.reason, "rule": GROUNDS.rule, "evidence_url": GROUNDS.evidence_url}
PRIVATE_FORM = {**FORM, "evidence_url": PRIVATE.evidence_url, "evidence_is_private": "on"}
SCORES = {"s1": {"comp-low": 0.95}, "s2": {"comp-low": 0.75}}


def after(days: float) -> datetime:
    return NOW + timedelta(days=days)


@dataclass(frozen=True)
class Cast:
    """An entry and the people around it. `second`: a maintainer who has decided nothing."""

    entry: Entry
    owner: User
    member: User
    stranger: User
    maintainer: User
    second: User

    def of(self, role: str) -> Any:
        return {"anonymous": None, "conflicted": self.conflicted}.get(role) or getattr(self, role, None)

    @property
    def conflicted(self) -> User:
        """A maintainer who belongs to the organisation, though not to the team."""
        maintainer = make.make_maintainer()
        make.make_team(self.entry.agent.organisation, members=[maintainer])
        return maintainer


def make_cast(track: str = "clean", published: bool = True, document: Any = None) -> Cast:
    owner, member = make.make_user(), make.make_user()
    team = make.make_team(owner=owner, members=[member])
    columns = {"team": team, "document": document}
    benchmark = make_board_benchmark()
    entry = (
        make_published(benchmark, SCORES, track=track, **columns)
        if published
        else make_reviewed(benchmark, SCORES, **columns)
    )
    assert entry.submission is not None
    record_event(entry.submission, "status", at=NOW, after="grading")
    people = (make.make_user(), make.make_maintainer(), make.make_maintainer())
    return Cast(entry, owner, member, *people)


def track(slug: str) -> Track:
    return Track.objects.get(slug=slug)


def visit(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def grounds(reason: str) -> Grounds:
    return replace(GROUNDS, reason=reason)
