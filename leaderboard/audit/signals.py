"""Turns what Django, allauth, knox and this site's own models announce into lines of the audit log.

Changes that pass by the models (`update()`, SQL) are announced by nobody; `organisation_verified` is sent by hand.
"""

from collections.abc import Sequence
from typing import Any, Final

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as factor
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver
from knox.models import AuthToken

from leaderboard.audit.acts import Act
from leaderboard.audit.record import record
from submissions.models import Organisation, TeamMember, TokenGrant, User
from submissions.signals import organisation_verified, sessions_ended

# What of an account decides who may do what, or what others see of it.
RIGHTS: Final = ("is_active", "is_maintainer", "is_staff", "is_superuser", "email", "public_name")
NAMES: Final = ("name", "url")
# What allauth announces about somebody's own account, each with the user.
ABOUT_ONESELF: Final = (
    (account.user_signed_up, Act.SIGNED_UP),
    (account.user_logged_in, Act.SIGNED_IN),
    (account.password_set, Act.PASSWORD_CHANGED),
    (account.password_changed, Act.PASSWORD_CHANGED),
    (account.password_reset, Act.PASSWORD_RESET),
)
ABOUT_ADDRESSES: Final = (
    (account.email_added, Act.EMAIL_ADDED),
    (account.email_removed, Act.EMAIL_REMOVED),
)
ABOUT_FACTORS: Final = (
    (factor.authenticator_used, Act.FACTOR_USED),
    (factor.authentication_failed, Act.FACTOR_FAILED),
)


def connect() -> None:
    """Receivers that differ only in what they write. Kept by their ids: once, and not forgotten."""
    for signal, act in ABOUT_ONESELF:
        _connect(signal, act, lambda told: "")
    for signal, act in ABOUT_ADDRESSES:
        _connect(signal, act, lambda told: told["email_address"].email)
    for signal, act in ABOUT_FACTORS:
        _connect(signal, act, lambda told: told["authenticator"].type)


def _connect(signal: Any, act: Act, say: Any) -> None:
    def write(user: Any, **told: Any) -> None:
        record(act, say(told), account=user, actor=user)

    signal.connect(write, weak=False, dispatch_uid=f"audit-{act}-{id(signal)}")


@receiver(user_login_failed)
def note_failure(credentials: Any, **_: Any) -> None:
    """Whose account was tried. What was typed is not kept: people type passwords into the wrong field."""
    tried = EmailAddress.objects.filter(email__iexact=str(credentials.get("email", ""))).select_related(
        "user"
    )
    found = tried.first()
    record(Act.SIGN_IN_FAILED, "" if found else "no such account", account=found.user if found else None)


@receiver(user_logged_out)
def note_leaving(user: Any, **_: Any) -> None:
    if user is not None:
        record(Act.SIGNED_OUT, account=user, actor=user)


@receiver(account.email_confirmed)
def note_confirmation(email_address: EmailAddress, **_: Any) -> None:
    record(Act.EMAIL_CONFIRMED, email_address.email, account=email_address.user)


@receiver(account.email_changed)
def note_address(user: Any, from_email_address: Any, to_email_address: Any, **_: Any) -> None:
    before = from_email_address.email if from_email_address else ""
    record(Act.EMAIL_CHANGED, f"{before} to {to_email_address.email}", account=user)


# Not allauth's own signals of these: they come after the commit, where a killed process would lose them.
@receiver(post_save, sender=Authenticator)
def note_factor(instance: Authenticator, created: bool, **_: Any) -> None:
    if created:
        record(Act.FACTOR_ADDED, instance.type, account=instance.user)


@receiver(post_delete, sender=Authenticator)
def note_end_of_factor(instance: Authenticator, **_: Any) -> None:
    record(Act.FACTOR_REMOVED, instance.type, account=_still_there(instance.user_id))


@receiver(post_save, sender=TokenGrant)
def note_token(instance: TokenGrant, created: bool, **_: Any) -> None:
    if created:
        said = {"scopes": list(instance.scopes), "ends": f"{instance.token.expiry}"}
        record(Act.TOKEN_MADE, instance.token.token_key[:8], account=instance.token.user, detail=said)


@receiver(post_delete, sender=AuthToken)
def note_end_of_token(instance: Any, **_: Any) -> None:
    record(Act.TOKEN_ENDED, instance.token_key[:8], account=_still_there(instance.user_id))


def _still_there(number: int) -> User | None:
    """None where the account itself is being deleted."""
    return User.objects.filter(pk=number).first()


@receiver(post_save, sender=TeamMember)
def note_member(instance: TeamMember, created: bool, **_: Any) -> None:
    act = Act.MEMBER_JOINED if created else Act.MEMBER_CHANGED
    record(act, instance.team, account=instance.user, detail={"role": str(instance.role)})


@receiver(post_delete, sender=TeamMember)
def note_leaver(instance: TeamMember, **_: Any) -> None:
    record(Act.MEMBER_LEFT, instance.team, account=_still_there(instance.user_id))


def _changes(instance: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    """By column what stands there now and what will; nothing for a new row."""
    before = type(instance).objects.filter(pk=instance.pk).values(*names).first() or {}
    pairs = {name: [old, getattr(instance, name)] for name, old in before.items()}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@receiver(pre_save, sender=User)
def note_rights(instance: User, update_fields: Any = None, **_: Any) -> None:
    """Before and after of what changed. A new account is none, unless it comes with rights."""
    names = [name for name in RIGHTS if update_fields is None or name in update_fields]
    if not names or instance.pk is None:
        return
    if changes := _changes(instance, names):
        record(Act.PERSON_CHANGED, ", ".join(sorted(changes)), account=instance, detail=changes)


@receiver(post_save, sender=User)
def note_new_maintainer(instance: User, created: bool, **_: Any) -> None:
    if created and (instance.is_maintainer or instance.is_superuser):
        rights = {
            name: [False, True] for name in ("is_maintainer", "is_superuser") if getattr(instance, name)
        }
        record(Act.PERSON_CHANGED, ", ".join(sorted(rights)), account=instance, detail=rights)


@receiver(pre_save, sender=Organisation)
def note_organisation(instance: Organisation, **_: Any) -> None:
    if changes := _changes(instance, NAMES):
        record(Act.ORGANISATION_CHANGED, instance.name, detail=changes)


@receiver(post_save, sender=Organisation)
def note_new_organisation(instance: Organisation, created: bool, **_: Any) -> None:
    if created:
        record(Act.ORGANISATION_MADE, instance.name)


@receiver(organisation_verified)
def note_verification(organisation: Organisation, maintainer: User, **_: Any) -> None:
    record(Act.ORGANISATION_VERIFIED, organisation.name, actor=maintainer)


@receiver(sessions_ended)
def note_sessions(user: User, number: int, **_: Any) -> None:
    record(Act.SESSIONS_ENDED, f"{number} ended", account=user, actor=user)


@receiver(post_save, sender=LogEntry)
def note_admin_edit(instance: LogEntry, **_: Any) -> None:
    """What the admin says of it: the row, and which of its fields were changed."""
    said = {"row": f"{instance.content_type} {instance.object_id}", "change": instance.get_change_message()}
    record(Act.ADMIN_EDIT, instance.object_repr, actor=instance.user, detail=said)
