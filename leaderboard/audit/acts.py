"""What the audit log keeps. Pure."""

from enum import StrEnum


class Act(StrEnum):
    """The value is stored; `label` is what maintainers read."""

    SIGNED_UP = "signed_up"
    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    SESSIONS_ENDED = "sessions_ended"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105
    PASSWORD_RESET = "password_reset"  # noqa: S105
    EMAIL_ADDED = "email_added"
    EMAIL_CONFIRMED = "email_confirmed"
    EMAIL_CHANGED = "email_changed"
    EMAIL_REMOVED = "email_removed"
    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    FACTOR_USED = "factor_used"
    FACTOR_FAILED = "factor_failed"
    TOKEN_MADE = "token_made"  # noqa: S105
    TOKEN_ENDED = "token_ended"  # noqa: S105
    MEMBER_JOINED = "member_joined"
    MEMBER_CHANGED = "member_changed"
    MEMBER_LEFT = "member_left"
    PERSON_CHANGED = "person_changed"
    ORGANISATION_MADE = "organisation_made"
    ORGANISATION_CHANGED = "organisation_changed"
    ORGANISATION_VERIFIED = "organisation_verified"
    ACCOUNT_DELETED = "account_deleted"
    DATA_EXPORTED = "data_exported"
    ADMIN_EDIT = "admin_edit"
    EVIDENCE_SEEN = "evidence_seen"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")
