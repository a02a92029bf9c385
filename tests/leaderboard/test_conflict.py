"""Nobody decides on what they took part in, whether they are still there or not."""

from collections.abc import Callable

import pytest

from leaderboard.integrity.decide import (
    DecisionRefused,
    Grounds,
    flag_entry,
    publish,
    withdraw_entry,
)
from leaderboard.models import Decision, Entry
from submissions.cards import add_revision
from submissions.membership import leave_team
from submissions.models import Submission, User
from submissions.people import accept_invitation, invite
from tests import factories as make
from tests.leaderboard.test_decide import nothing_happened, track

Status = Submission.Status
Kind = Decision.Kind
NOW = make.NOW
GROUNDS = Grounds("The run card is complete.", "Tracks, 1. Clean", "https://example.org/evidence")
OTHER = Grounds("The logs show the grading command.", "Tracks, 3. Additional", "https://example.org/logs")


def test_nobody_decides_on_their_own_organisation(entry: Entry, maintainer: User) -> None:
    make.make_team(entry.agent.organisation, members=[maintainer])
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        publish(entry, track("clean"), GROUNDS, maintainer, NOW)
    nothing_happened(entry)


def add_card(submission: Submission, user: User) -> None:
    add_revision(submission, {"scaffold": {"name": "Mine"}}, user, based_on=1)


def accept_and_leave(submission: Submission, user: User) -> None:
    secret = invite(submission.team, submission.created_by, NOW)
    leave_team(accept_invitation(secret, user, NOW), user)


def invite_and_leave(submission: Submission, user: User) -> None:
    submission.team.members.create(user=user)
    invite(submission.team, user, NOW)
    leave_team(submission.team, user)


def hand_in_for_another_team(submission: Submission, user: User) -> None:
    team = make.make_team(submission.team.organisation, owner=user)
    make.make_submission(team, submission.benchmark)
    team.members.all().delete()


def change_the_organisation(submission: Submission, user: User) -> None:
    """The agent stays with the organisation it was handed in for; the team goes elsewhere."""
    submission.team.members.create(user=user)
    submission.team.organisation = make.make_organisation()
    submission.team.save()


@pytest.mark.parametrize(
    "take_part",
    [add_card, accept_and_leave, invite_and_leave, hand_in_for_another_team, change_the_organisation],
)
def test_leaving_does_not_end_a_conflict_of_interest(
    entry: Entry, maintainer: User, take_part: Callable[[Submission, User], None]
) -> None:
    assert entry.submission is not None
    take_part(entry.submission, maintainer)
    with pytest.raises(DecisionRefused, match="Another maintainer must decide"):
        publish(Entry.objects.get(pk=entry.pk), track("clean"), GROUNDS, maintainer, NOW)
    nothing_happened(entry)


def test_deciding_is_no_conflict_of_interest(published: Entry, maintainer: User) -> None:
    """A maintainer is named in the events of what they decided on, and may decide on it again."""
    make.make_graded_submission({"0": {"easy": 0.9}}, team=published.submission.team)
    flag_entry(published, OTHER, maintainer, NOW)
    assert withdraw_entry(published, OTHER, maintainer, NOW).decided_by == maintainer
