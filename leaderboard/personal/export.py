"""Everything the site knows of one person, for them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q
from knox.models import AuthToken

from leaderboard.models import AuditRecord, Decision, Flag, Notice, NoticeSetting
from submissions.models import Event, RunCardRevision, Submission, TeamMember, User, ValidityCheck


def export_of(user: User, now: datetime) -> Mapping[str, Any]:
    """By kind. Of the work of teams it names what the person did, not the work itself."""
    return {
        "exported_at": now,
        "account": _values(User.objects.filter(pk=user.pk), *ACCOUNT),
        "email_addresses": _values(EmailAddress.objects.filter(user=user), "email", "verified", "primary"),
        "second_factors": _values(Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"),
        "sessions": _values(UserSession.objects.filter(user=user), "ip", "user_agent", "created_at", "last_seen_at"),
        "api_tokens": _values(AuthToken.objects.filter(user=user), "token_key", "created", "expiry"),
        "teams": _values(
            TeamMember.objects.filter(user=user), "team__name", "team__organisation__name", "role", "joined_at"
        ),
        "submissions": _values(
            Submission.objects.filter(Q(created_by=user) | Q(confirmed_by=user)),
            "public_id", "status", "created_at", "confirmed_at", "attested_name",
        ),
        "run_cards": _values(
            RunCardRevision.objects.filter(author=user), "submission__public_id", "number", "document", "created_at"
        ),
        "events": _values(
            Event.objects.filter(actor=user), "submission__public_id", "kind", "effective_at", "detail"
        ),
        "validity_checks": _values(ValidityCheck.objects.filter(user=user), "public_id", "created_at", "outcome"),
        "notice_settings": _values(NoticeSetting.objects.filter(user=user), "kind", "often"),
        "notices": _values(Notice.objects.filter(user=user), "kind", "created_at"),
        "decisions": _values(Decision.objects.filter(decided_by=user), "pk", "kind", "reason", "effective_at"),
        "flags": _values(Flag.objects.filter(raised_by=user), "pk", "reason", "raised_at"),
        "audit_log": _audit_log(user),
    }  # fmt: skip


ACCOUNT = (
    "email", "username", "first_name", "last_name", "public_name", "date_joined", "last_login", "is_active",
    "is_maintainer",
)  # fmt: skip


def _audit_log(user: User) -> list[dict[str, Any]]:
    """From where a maintainer acted on the account is the maintainer's; a visitor who tried to get in has no name."""
    lines = _values(
        AuditRecord.objects.filter(Q(account=user) | Q(actor=user)), "at", "act", "what", "address", "actor"
    )
    for line in lines:
        if line.pop("actor") not in (user.pk, None):
            line["address"] = None
    return lines


def _values(rows: Any, *columns: str) -> list[dict[str, Any]]:
    return list(rows.order_by("pk").values(*columns))
