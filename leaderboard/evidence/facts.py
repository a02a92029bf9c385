"""What reading logs and code comes to, without a line of them: what checks and findings are given. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Seen:
    """How often one pattern matched. `runs`: lines in the logs of each run; `elsewhere`: in logs of no single run."""

    runs: Mapping[str, int] = field(default_factory=dict)
    elsewhere: int = 0
    in_code: int = 0

    @property
    def lines(self) -> int:
        return sum(self.runs.values()) + self.elsewhere + self.in_code


@dataclass(frozen=True)
class SeenLlm:
    """An llm's id in the logs: how many lines, and in which runs. `is_called`: where it is used, not only spoken of."""

    lines: int
    runs: tuple[str, ...] = ()
    is_called: bool = True


@dataclass(frozen=True)
class Span:
    """From the first to the last time in the logs of one run, long silences left out. Times as ISO 8601."""

    hours: float
    first: str
    last: str


@dataclass(frozen=True)
class Unread:
    """A file, or the end of one, that was not read, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class EvidenceFacts:
    """One reading. Runs are named `seed/competition`. `is_given_up`: nothing could be read, which clears nobody.

    `files`: how many were read; `logs`: the runs that have one. `implied`: what patterns say of runs, such as `score`,
    with the runs. `calls`: of the validity check, by run.
    """

    files: int = 0
    bytes: int = 0
    lines: int = 0
    logs: tuple[str, ...] = ()
    seen: Mapping[str, Seen] = field(default_factory=dict)
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    llms: Mapping[str, SeenLlm] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    calls: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    unread_more: int = 0
    is_given_up: bool = False


def to_json(facts: EvidenceFacts) -> dict[str, Any]:
    return {
        "files": facts.files,
        "bytes": facts.bytes,
        "lines": facts.lines,
        "logs": list(facts.logs),
        "seen": {
            code: {"runs": dict(seen.runs), "elsewhere": seen.elsewhere, "in_code": seen.in_code}
            for code, seen in facts.seen.items()
        },
        "implied": {signal: list(runs) for signal, runs in facts.implied.items()},
        "llms": {
            name: {"lines": llm.lines, "runs": list(llm.runs), "is_called": llm.is_called}
            for name, llm in facts.llms.items()
        },
        "spans": {
            run: {"hours": span.hours, "first": span.first, "last": span.last}
            for run, span in facts.spans.items()
        },
        "calls": dict(facts.calls),
        "unread": [{"path": unread.path, "reason": unread.reason} for unread in facts.unread],
        "unread_more": facts.unread_more,
    }


def from_json(kept: Mapping[str, Any], is_given_up: bool = False) -> EvidenceFacts:
    """What `to_json` wrote; nothing at all where nothing was kept."""
    if not kept:
        return EvidenceFacts(is_given_up=is_given_up)
    return EvidenceFacts(
        files=kept["files"],
        bytes=kept["bytes"],
        lines=kept["lines"],
        logs=tuple(kept["logs"]),
        seen={code: Seen(**seen) for code, seen in kept["seen"].items()},
        implied={signal: tuple(runs) for signal, runs in kept["implied"].items()},
        llms={
            name: SeenLlm(llm["lines"], tuple(llm["runs"]), llm["is_called"])
            for name, llm in kept["llms"].items()
        },
        spans={run: Span(**span) for run, span in kept["spans"].items()},
        calls=kept["calls"],
        unread=tuple(Unread(**unread) for unread in kept["unread"]),
        unread_more=kept["unread_more"],
        is_given_up=is_given_up,
    )
