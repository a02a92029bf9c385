"""What the API answers, as typed values. Fields this version does not know are left aside."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .errors import Fault
from .http import read_faults


class Status(StrEnum):
    """A submission's status; `UNKNOWN` is one that a newer server has and this version does not."""

    UPLOADING = "uploading"
    RECEIVED = "received"
    CHECKING = "checking"
    AWAITING_TEAM = "awaiting_team"
    QUEUED = "queued"
    GRADING = "grading"
    GRADED = "graded"
    IN_REVIEW = "in_review"
    PUBLISHED = "published"
    ABANDONED = "abandoned"
    REJECTED = "rejected"
    GRADING_FAILED = "grading_failed"
    WITHDRAWN = "withdrawn"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> "Status":
        return cls.UNKNOWN


# Nothing of these moves before a person does something.
WAITING_FOR_PEOPLE = frozenset({Status.AWAITING_TEAM, Status.IN_REVIEW})
ENDED_BADLY = frozenset({Status.ABANDONED, Status.REJECTED, Status.GRADING_FAILED, Status.WITHDRAWN})


@dataclass(frozen=True)
class Submission:
    """One submission, as in a list. `page` is the address for people."""

    id: str
    page: str
    status: Status
    is_final: bool
    team: str
    organisation: str
    is_verified: bool
    benchmark: str
    scope: str
    created_at: str
    entry: str | None

    @property
    def is_resting(self) -> bool:
        """Whether waiting is of no use: it has ended, or somebody has to act."""
        return self.is_final or self.status in WAITING_FOR_PEOPLE or self.status in ENDED_BADLY


@dataclass(frozen=True)
class Run:
    """One seed on one competition. Scores are on the entry, once it is published."""

    seed: str
    competition: str
    outcome: str
    code: str
    message: str


@dataclass(frozen=True)
class Counts:
    seeds: int
    runs: int
    checkpoints: int
    files: int
    ignored: int
    expected: int
    graded: int
    outcomes: Mapping[str, int]


@dataclass(frozen=True)
class SubmissionDetail(Submission):
    problems: tuple[Fault, ...]
    counts: Counts
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Part:
    """One part of an upload. `url` may be relative to the site; None where an address has to be asked for."""

    number: int
    size: int
    url: str | None
    method: str
    headers: Mapping[str, str]
    is_received: bool
    sha256: str | None


@dataclass(frozen=True)
class Upload:
    size: int
    part_size: int
    received_bytes: int
    parts: tuple[Part, ...]
    addresses: str | None = None


@dataclass(frozen=True)
class RunCard:
    """A revision of a submission's run card. Number 0: there is none yet. `undisclosed`: open questions, as paths."""

    number: int
    document: Mapping[str, Any]
    undisclosed: tuple[str, ...]


@dataclass(frozen=True)
class Ranking:
    """One board. `rows` are as docs/api.md describes them; `plain` is the whole answer."""

    title: str
    benchmark: str
    split: str
    splits: tuple[str, ...]
    snapshot: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]
    plain: Mapping[str, Any]


def read_submission(plain: Mapping[str, Any], site: str) -> Submission:
    return Submission(**_submission(plain, site))


def read_detail(plain: Mapping[str, Any], site: str) -> SubmissionDetail:
    return SubmissionDetail(
        **_submission(plain, site),
        problems=tuple(read_faults(plain["problems"])),
        counts=Counts(**{name: plain["counts"][name] for name in Counts.__dataclass_fields__}),
        runs=tuple(Run(**{name: run[name] for name in Run.__dataclass_fields__}) for run in plain["runs"]),
    )


def _submission(plain: Mapping[str, Any], site: str) -> dict[str, Any]:
    same = ("id", "is_final", "benchmark", "scope", "created_at", "entry")
    return {
        **{name: plain[name] for name in same},
        "page": f"{site}{plain['page']}" if plain["page"].startswith("/") else plain["page"],
        "status": Status(plain["status"]),
        "team": plain["team"]["name"],
        "organisation": plain["team"]["organisation"],
        "is_verified": plain["team"]["verified"],
    }


def read_upload(plain: Mapping[str, Any]) -> Upload:
    parts = tuple(_part(each) for each in plain["parts"])
    return Upload(plain["size"], plain["part_size"], plain["received_bytes"], parts, plain.get("addresses"))


def _part(plain: Mapping[str, Any]) -> Part:
    same = ("number", "size", "url", "method", "headers", "sha256")
    return Part(**{name: plain[name] for name in same}, is_received=plain["received"])


def read_card(plain: Mapping[str, Any]) -> RunCard:
    return RunCard(plain["number"], plain["document"], tuple(plain["undisclosed"]))


def read_ranking(plain: Mapping[str, Any]) -> Ranking:
    return Ranking(
        title=plain["track"]["title"],
        benchmark=plain["benchmark"]["title"],
        split=plain["split"],
        splits=tuple(plain["splits"]),
        snapshot=plain["snapshot"],
        rows=tuple(plain["rows"]),
        plain=plain,
    )
