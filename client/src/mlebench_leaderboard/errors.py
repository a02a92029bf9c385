"""What can go wrong for the user, each with the exit code it ends the command with."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of docs/client.md. 2 is also argparse's own for a command it cannot read."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    REFUSED = 3
    UNREACHABLE = 4
    NOT_SIGNED_IN = 5
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason, as the server and its rules give it: a stable code, where, and a sentence with the mend."""

    code: str
    where: str
    message: str


class ClientError(Exception):
    """Shown to the user as it is: what, where, and how to mend it."""

    exit_code = Exit.USAGE


class Refused(ClientError):
    """The server understood and said no. `faults` holds every reason, `status` the HTTP status."""

    exit_code = Exit.REFUSED

    def __init__(self, message: str, status: int, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.faults = tuple(faults)

    @property
    def codes(self) -> frozenset[str]:
        return frozenset(fault.code for fault in self.faults)


class NotSignedIn(Refused):
    """There is no token, or the server does not take it (any more)."""

    exit_code = Exit.NOT_SIGNED_IN


class Unreachable(ClientError):
    """The server could not be reached, or broke off, however often it was tried. Doing it again goes on from there."""

    exit_code = Exit.UNREACHABLE
