"""Every column that points at an account, and what becomes of its row when the account is deleted. Data."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Fate(StrEnum):
    DELETE = "delete"  # The row is the person's alone.
    EXPIRE = "expire"  # Deleted by a retention of its own, within days.
    KEEP = "keep"  # Part of a record that others stand on; the name is gone, since the account has none.


KEEP, DELETE, EXPIRE = Fate.KEEP, Fate.DELETE, Fate.EXPIRE
# A new column without a line here fails a test.
PLACES: Final[Mapping[str, Fate]] = {
    "account.EmailAddress.user": DELETE,
    "admin.LogEntry.user": KEEP,
    "knox.AuthToken.user": DELETE,
    "mfa.Authenticator.user": DELETE,
    "usersessions.UserSession.user": DELETE,
    "submissions.User_groups.user": DELETE,
    "submissions.User_user_permissions.user": DELETE,
    "submissions.TeamMember.user": DELETE,
    "submissions.Invitation.invited_by": DELETE,
    "submissions.Invitation.accepted_by": KEEP,
    "submissions.ValidityCheck.user": EXPIRE,
    "submissions.Organisation.verified_by": KEEP,
    "submissions.Submission.created_by": KEEP,
    "submissions.Submission.confirmed_by": KEEP,
    "submissions.RunCardRevision.author": KEEP,
    "submissions.Event.actor": KEEP,
    "submissions.Closure.closed_by": KEEP,
    "submissions.Closure.opened_by": KEEP,
    "leaderboard.NoticeSetting.user": DELETE,
    "leaderboard.Notice.user": DELETE,
    "leaderboard.Webhook.created_by": KEEP,
    "leaderboard.AuditRecord.actor": KEEP,
    "leaderboard.AuditRecord.account": KEEP,
    "leaderboard.Decision.decided_by": KEEP,
    "leaderboard.Flag.raised_by": KEEP,
    "leaderboard.FlagReply.author": KEEP,
    "leaderboard.Appeal.filed_by": KEEP,
    "leaderboard.Finding.answered_by": KEEP,
    "leaderboard.Question.answered_by": KEEP,
    "leaderboard.SourcePromise.shown_by": KEEP,
}
