"""Everything that can be wrong with a bundle, and the exceptions that carry it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .manifest import Manifest

SHOWN_CHARACTERS = 100


class Code(StrEnum):
    """Stable names of the reasons for refusing a bundle; docs/bundle-format.md explains each."""

    # The archive as a whole
    NOT_AN_ARCHIVE = "not_an_archive"
    TRUNCATED = "truncated"
    CORRUPT_STREAM = "corrupt_stream"
    TRAILING_DATA = "trailing_data"
    BAD_TAR_HEADER = "bad_tar_header"
    BAD_ZIP_HEADER = "bad_zip_header"
    ZIP_DIRECTORY_MISMATCH = "zip_directory_mismatch"
    ZIP_CHECKSUM = "zip_checksum"
    ZIP_ENCRYPTED = "zip_encrypted"
    ZIP_METHOD = "zip_method"
    ZIP_STREAMED = "zip_streamed"
    ZIP64 = "zip64"
    # Budgets
    ARCHIVE_TOO_LARGE = "archive_too_large"
    TOTAL_TOO_LARGE = "total_too_large"
    MEMBER_TOO_LARGE = "member_too_large"
    TOO_MANY_MEMBERS = "too_many_members"
    TOO_MANY_SEEDS = "too_many_seeds"
    TOO_MANY_CHECKPOINTS = "too_many_checkpoints"
    RATIO_EXCEEDED = "ratio_exceeded"
    NESTED_RATIO_EXCEEDED = "nested_ratio_exceeded"
    TOO_MANY_STREAMS = "too_many_streams"
    NEEDS_TOO_MUCH_MEMORY = "needs_too_much_memory"
    EXTENSION_HEADER_TOO_LARGE = "extension_header_too_large"
    TOO_MANY_EXTENSION_HEADERS = "too_many_extension_headers"
    PATHS_TOO_LONG = "paths_too_long"
    RUN_CARD_TOO_LARGE = "run_card_too_large"
    GRADING_REPORT_TOO_LARGE = "grading_report_too_large"
    OUT_OF_TIME = "out_of_time"
    TOO_MANY_PROBLEMS = "too_many_problems"
    # Names
    NAME_EMPTY = "name_empty"
    NAME_NOT_UTF8 = "name_not_utf8"
    NAME_CONTROL_CHARACTER = "name_control_character"
    NAME_BIDI_CHARACTER = "name_bidi_character"
    NAME_INVISIBLE_CHARACTER = "name_invisible_character"
    NAME_BACKSLASH = "name_backslash"
    NAME_ABSOLUTE = "name_absolute"
    NAME_DRIVE = "name_drive"
    NAME_PARENT = "name_parent"
    NAME_DOT_PART = "name_dot_part"
    NAME_TOO_LONG = "name_too_long"
    NAME_TOO_DEEP = "name_too_deep"
    NAME_AMBIGUOUS = "name_ambiguous"
    # Kinds of members
    SYMLINK = "symlink"
    HARDLINK = "hardlink"
    DEVICE = "device"
    FIFO = "fifo"
    SPARSE = "sparse"
    SPECIAL = "special"
    # One against another
    DUPLICATE_MEMBER = "duplicate_member"
    COLLIDING_MEMBER = "colliding_member"
    DUPLICATE_RUN = "duplicate_run"
    TWO_RUN_CARDS = "two_run_cards"
    # The layout
    BAD_SEED = "bad_seed"
    MIXED_LAYOUT = "mixed_layout"
    NESTED_CORRUPT = "nested_corrupt"
    NO_SUBMISSION = "no_submission"


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason, written for the team. `member` is a name, escaped and shortened; None: the archive."""

    code: Code
    member: str | None
    message: str


class BundleError(Exception):
    """The bundle is refused. `stopped`: reading could not go on, so there may be more problems than these.

    `manifest` is what was read all the same, where reading came to the end: its run card can be checked too.
    """

    def __init__(
        self, problems: Sequence[Problem], *, stopped: bool, manifest: Manifest | None = None
    ) -> None:
        more = " Reading stopped there: there may be more problems behind." if stopped else ""
        super().__init__(" ".join(problem.message for problem in problems) + more)
        self.problems = list(problems)
        self.stopped = stopped
        self.manifest = manifest


class ArchiveFault(Exception):
    """Inside the reader: nothing after this point can be trusted or afforded."""

    def __init__(self, code: Code, message: str, member: str | None = None) -> None:
        super().__init__(message)
        self.problem = Problem(code, member, message)


class MemberFault(ArchiveFault):
    """Inside the reader: this member is refused, and the rest of the archive can still be read."""


def shown(name: str) -> str:
    """`name` as messages may carry it: what does not print is escaped, a long middle is left out."""
    head = name if len(name) <= SHOWN_CHARACTERS else f"{name[:60]}…{name[-35:]}"
    if head.isprintable():
        return head
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in head
    )


def size_text(count: int) -> str:
    """`count` bytes for people: '2 GB', '256 KB', '17 bytes'. Powers of 1024, rounded down."""
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if count >= unit:
            return f"{count // unit} {name}"
    return f"{count} bytes"
