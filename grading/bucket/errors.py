"""What a bucket's failures are called here. All are OSError: the machine's fault, after which tasks try again."""

from collections.abc import Iterator
from contextlib import contextmanager


class StoreSilent(OSError):
    """The store does not answer, or answers that it cannot at the moment. Later it may."""


class StoreRefused(OSError):
    """The store answers and says no: these credentials may not do that, or there is no such bucket."""


class ObjectChanged(OSError):
    """Under this key lies something else than what was put there, or announced."""


class ConditionFailed(ObjectChanged):
    """What the request was made on condition of is not so: there is another version, or one already."""


SILENT = (
    "The store '{store}' is not answering ({why}). Nothing is lost: what has arrived is kept, and the work is tried "
    "again by itself."
)
REFUSED = (
    "The store '{store}' refuses this process ({why}). Check that its bucket exists, and the key and the policy "
    "of this process: docs/running.md, Object storage."
)
CHANGED = "In the store '{store}' an object is no longer what was put there ({why})."
ABSENT = frozenset({"404", "NoSuchKey", "NoSuchVersion", "NoSuchUpload", "NotFound"})
CONDITION_CODES = frozenset({"412", "PreconditionFailed"})
CHANGED_CODES = frozenset({"BadDigest", "InvalidPart", "XAmzContentChecksumMismatch"})
# Busy, or failing: worth another try.
PASSING_CODES = frozenset(
    {
        "ConditionalRequestConflict",
        "InternalError",
        "RequestTimeout",
        "ServiceUnavailable",
        "SlowDown",
        "Throttling",
    }
)


@contextmanager
def as_ours(store: str) -> Iterator[None]:
    """Turns what the client library and the connection raise into the errors above, and into FileNotFoundError."""
    from botocore.exceptions import BotoCoreError, ClientError
    from urllib3.exceptions import HTTPError

    try:
        yield
    except ClientError as error:
        raise _translated(store, error.response) from error
    except (BotoCoreError, HTTPError) as error:
        raise StoreSilent(SILENT.format(store=store, why=type(error).__name__)) from error


def _translated(store: str, response: object) -> OSError:
    code, status = code_of(response)
    if code in ABSENT:
        return FileNotFoundError(f"In the store '{store}' there is no such object ({code}).")
    if code in CONDITION_CODES:
        return ConditionFailed(CHANGED.format(store=store, why=code))
    if code in CHANGED_CODES:
        return ObjectChanged(CHANGED.format(store=store, why=code))
    if status >= 500 or code in PASSING_CODES:
        return StoreSilent(SILENT.format(store=store, why=f"{status} {code}"))
    return StoreRefused(REFUSED.format(store=store, why=f"{status} {code}"))


def code_of(response: object) -> tuple[str, int]:
    """The store's own word for an error, and its HTTP status."""
    plain = response if isinstance(response, dict) else {}
    code = str(plain.get("Error", {}).get("Code", ""))
    return code, int(plain.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
