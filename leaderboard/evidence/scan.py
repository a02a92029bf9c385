"""Reading one file: which patterns match, which llms it names, and when its lines were written. Pure.

Blocks in which nothing at all matches are passed over whole; only the others are taken apart into lines.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Final

from leaderboard.evidence.blocks import Block
from leaderboard.evidence.clock import Clock
from leaderboard.evidence.files import competition_of
from leaderboard.evidence.linear import Sieve, compile_any
from leaderboard.evidence.llm_ids import find_ids, id_expression
from leaderboard.evidence.patterns import Pattern, matchers, sieve_expression

Match = tuple[Pattern, tuple[int, int]]
LLM: Final = "llm"
KEPT: Final = 20  # Lines of one pattern, of the whole submission.
KEPT_OF_LLM: Final = 3
MOST_LLMS: Final = 60
AROUND: Final = 2
CUT: Final = 300
MOST_MATCHED: Final = 20_000  # Lines of one file.
NOTHING: Final = r"[^\x00-\xff]"
# Keys and passwords that a team forgot in its logs are nobody's business.
KEYS: Final = (
    r"\b(?:sk|pk|hf|ghp|gho|github_pat|xai|gsk|glpat|KGAT)[-_][A-Za-z0-9_-]{12,}",
    r"\b(?:AKIA|AIza)[A-Za-z0-9_-]{12,}",
    r"(?i)\bbearer [a-z0-9._~+/-]{12,}",
    r"""(?i)(?:api[_-]?key|secret|password|token)["']?\s?[:=]\s?["']?[a-z0-9._~+/-]{12,}""",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]{8,}",
)
KEY: Final = b"[key]"
# For so many lines after a private file was read, neighbours are not kept: they may be answers.
WITHHELD_AFTER: Final = 50
WITHHELD = "(not kept: it may show what was read)"


@dataclass
class Line:
    """A line that is kept. `after` is filled in by what follows."""

    code: str
    subject: str
    path: str
    place: str
    kind: str
    number: int
    text: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


@dataclass
class LlmCount:
    """Lines that name one llm; `runs` where several files are taken together."""

    lines: int = 0
    is_used: bool = False
    runs: set[str] = field(default_factory=set)


@dataclass
class Kept:
    """The lines kept of all files so far, the first ones of each pattern and each llm."""

    lines: list[Line] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def has_room(self, code: str, subject: str) -> bool:
        most = KEPT_OF_LLM if code == LLM else KEPT
        return self.counts[code, subject] < most

    def add(self, line: Line) -> None:
        self.counts[line.code, line.subject] += 1
        self.lines.append(line)


class FileScan:
    """One file, fed block by block. `place`: `seed/competition`, or empty; `latest`: no time after this counts."""

    def __init__(
        self, patterns: tuple[Pattern, ...], path: str, kind: str, place: str, latest: datetime, kept: Kept
    ) -> None:
        self.path, self.kind, self.place = path, kind, place
        self.counts: Counter[str] = Counter()
        self.llms: dict[str, LlmCount] = {}
        self.lines = 0
        self.matched = 0
        self.clock = Clock(latest)
        self._kept = kept
        self._matchers = matchers(patterns, competition_of(place))
        self._sieve = _sieve(patterns, kind)
        self._before: deque[bytes] = deque(maxlen=AROUND)
        self._open: list[Line] = []
        self._withhold_until = -WITHHELD_AFTER

    def feed(self, block: Block) -> None:
        if self.kind == "log":
            self.clock.feed(block)
        lines = block.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        self.lines = block.first + len(lines) - 1
        if not self.is_full and self._sieve.has_any(block.data):
            self._look(block, lines)
            return
        for line in lines[:AROUND]:
            self._follow(line)
        self._before.extend(lines[-AROUND:])

    def _look(self, block: Block, lines: Sequence[bytes]) -> None:
        for number, line in enumerate(lines, block.first):
            sieved = [] if self.is_full else self._sieve.which(line)
            found = self._find(line, sieved)
            if any(not pattern.has_context for pattern, _ in found):
                self._withhold(number)
            self._follow(line)
            self._count(number, line, found)
            if self.kind == "log" and len(self._matchers) in sieved:
                self._count_llms(number, line)
            self._before.append(line)

    @property
    def is_full(self) -> bool:
        """Whether so many lines matched that no more are looked for. Somebody may have filled the file with them."""
        return self.matched >= MOST_MATCHED

    def _follow(self, line: bytes) -> None:
        """Gives the line to those before it that still want neighbours."""
        if self.is_full:
            self._open = []  # Nobody looks any more whether the line may be shown.
        for kept in self._open:
            kept.after.append(printable(line[: 4 * CUT])[:CUT])
        self._open = [kept for kept in self._open if len(kept.after) < AROUND]

    def _find(self, line: bytes, sieved: Sequence[int]) -> list[Match]:
        """What matches on a closer look. Of the sieve's places the last one is that of the llms."""
        self.matched += bool(sieved)
        closer = [self._matchers[index] for index in sieved if index < len(self._matchers)]
        return [(each.pattern, span) for each in closer if (span := each.find(line))]

    def _count(self, number: int, line: bytes, found: Sequence[Match]) -> None:
        for pattern, span in found:
            self.counts[pattern.code] += 1
            self._keep(pattern.code, "", number, line, span)

    def _count_llms(self, number: int, line: bytes) -> None:
        for mention in find_ids(line):
            name = mention.name.lower()
            if name not in self.llms and len(self.llms) >= MOST_LLMS:
                continue
            count = self.llms.setdefault(name, LlmCount())
            count.lines += 1
            count.is_used |= mention.is_used
            self._keep(LLM, name, number, line, (mention.start, mention.end))

    def _withhold(self, number: int) -> None:
        """From here on, for a while, no neighbours; and those that were being collected are dropped."""
        self._withhold_until = number + WITHHELD_AFTER
        for kept in self._open:
            kept.after.append(WITHHELD)
        self._open = []

    def _keep(self, code: str, subject: str, number: int, line: bytes, span: tuple[int, int]) -> None:
        if not self._kept.has_room(code, subject):
            return
        is_withheld = number - AROUND <= self._withhold_until
        text = excerpt(line[: span[1]] if is_withheld else line, span)
        before = [] if is_withheld else [printable(each[: 4 * CUT])[:CUT] for each in self._before]
        kept = Line(code, subject, self.path, self.place, self.kind, number, text, before)
        self._kept.add(kept)
        if is_withheld:
            kept.after.append(WITHHELD)
        else:
            self._open.append(kept)


def excerpt(line: bytes, span: tuple[int, int]) -> str:
    """At most CUT characters of the line, with the match in the middle; `…` where something was cut off."""
    begin, end = span
    end = min(end, begin + CUT)
    room = (CUT - (end - begin)) // 2
    start, stop = max(0, begin - room), min(len(line), end + room)
    text = printable(line[start:stop].rstrip())
    return ("…" if start else "") + text[:CUT] + ("…" if stop < len(line) else "")


def printable(line: bytes) -> str:
    """The line as text, without keys. What cannot be printed, or turns the direction of text, is a sign of its own."""
    text = _keys().sub(KEY, line).decode("utf-8", "replace").replace("\t", "    ").rstrip("\r\n")
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


@cache
def _keys() -> Any:
    return compile_any(KEYS)


@lru_cache(maxsize=8)
def _sieve(patterns: tuple[Pattern, ...], kind: str) -> Sieve:
    """For all that is looked for in files of a kind; in logs the last one finds llms."""
    expressions = [sieve_expression(pattern) if kind in pattern.reads else NOTHING for pattern in patterns]
    return Sieve([*expressions, id_expression()] if kind == "log" else expressions)
