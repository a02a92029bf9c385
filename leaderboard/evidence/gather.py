"""All files of a submission together: the facts that checks and findings are given. Pure."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from leaderboard.evidence.blocks import Budget, Readable, Spent, Unreadable, read_blocks
from leaderboard.evidence.clock import span_of
from leaderboard.evidence.facts import EvidenceFacts, Seen, SeenLlm, Span, Unread
from leaderboard.evidence.patterns import Pattern
from leaderboard.evidence.scan import FileScan, Kept, Line, LlmCount

MOST_UNREAD = 50


class Metered:
    """A file whose bytes are counted as they are read."""

    def __init__(self, source: Readable, spent: Spent) -> None:
        self._source, self._spent = source, spent

    def read(self, size: int, /) -> bytes:
        piece = self._source.read(size)
        self._spent.bytes += len(piece)
        return piece


class Gathering:
    """Reads file after file within one budget, and sums up."""

    def __init__(self, patterns: tuple[Pattern, ...], budget: Budget, latest: datetime) -> None:
        self._patterns, self._budget, self._latest = patterns, budget, latest
        self._spent = Spent(budget.clock())
        self._kept = Kept()
        self._scans: list[FileScan] = []
        self._unread: list[Unread] = []

    @property
    def lines(self) -> list[Line]:
        return self._kept.lines

    @property
    def what_is_over(self) -> str:
        """Why no further file is read; empty while there is room."""
        return self._spent.what_is_over(self._budget)

    def read(self, source: Readable, path: str, kind: str, place: str) -> None:
        """Reads the file as far as the budget goes, and notes what is left unread."""
        scan = FileScan(self._patterns, path, kind, place, self._latest, self._kept)
        try:
            self._feed(scan, Metered(source, self._spent))
        except Unreadable as kind_of_file:
            self.leave(path, f"{kind_of_file}; it is read where it is handed in as plain text")
            return
        self._scans.append(scan)

    def _feed(self, scan: FileScan, source: Readable) -> None:
        lines = self._spent.lines
        for block in read_blocks(source, self._budget.file_bytes):
            scan.feed(block)
            self._spent.lines = lines + scan.lines
            if why := self.what_is_over:
                self.leave(scan.path, f"{why} at line {scan.lines:,}")
                return
        if scan.is_full:
            self.leave(
                scan.path, f"more than {scan.matched:,} lines match; of later ones only the times were read"
            )
        if source.read(1):
            self.leave(scan.path, f"only its first {self._budget.file_bytes:,} bytes were read")

    def leave(self, path: str, reason: str) -> None:
        self._unread.append(Unread(path, reason))

    def facts(self) -> EvidenceFacts:
        return EvidenceFacts(
            files=len(self._scans),
            bytes=self._spent.bytes,
            lines=self._spent.lines,
            logs=tuple(sorted({scan.place for scan in self._logs()})),
            seen={
                pattern.code: seen for pattern in self._patterns if (seen := self._seen(pattern.code)).lines
            },
            implied=self._implied(),
            llms={name: _seen_llm(count) for name, count in self._llms().items()},
            spans=self._spans(),
            calls=self._calls(),
            unread=tuple(self._unread[:MOST_UNREAD]),
            unread_more=max(0, len(self._unread) - MOST_UNREAD),
        )

    def _logs(self) -> Iterator[FileScan]:
        """Those that belong to a run: of others nobody knows whether the agent was there."""
        return (scan for scan in self._scans if scan.kind == "log" and scan.place)

    def _seen(self, code: str) -> Seen:
        runs: dict[str, int] = defaultdict(int)
        for scan in self._logs():
            if scan.counts[code]:
                runs[scan.place] += scan.counts[code]
        of_no_run = sum(scan.counts[code] for scan in self._scans if scan.kind == "log" and not scan.place)
        in_code = sum(scan.counts[code] for scan in self._scans if scan.kind == "code")
        return Seen(dict(runs), of_no_run, in_code)

    def _implied(self) -> dict[str, tuple[str, ...]]:
        runs: dict[str, set[str]] = defaultdict(set)
        for pattern in self._patterns:
            for scan in self._logs():
                for signal in pattern.implies if scan.counts[pattern.code] else ():
                    runs[signal].add(scan.place)
        return {signal: tuple(sorted(found)) for signal, found in runs.items()}

    def _llms(self) -> dict[str, LlmCount]:
        together: dict[str, LlmCount] = defaultdict(LlmCount)
        for scan in self._scans:
            for name, count in scan.llms.items():
                together[name].lines += count.lines
                together[name].is_used |= count.is_used
                together[name].runs |= {scan.place} - {""}
        return together

    def _spans(self) -> dict[str, Span]:
        files = defaultdict(list)
        for scan in self._logs():
            files[scan.place].append(scan.clock.stretches)
        return {place: span for place, found in sorted(files.items()) if (span := span_of(found))}

    def _calls(self) -> dict[str, int]:
        """Of each run the most that one file and one pattern tell: a call is often written into several."""
        counting = [pattern.code for pattern in self._patterns if pattern.counts]
        calls: dict[str, int] = defaultdict(int)
        for scan in self._logs():
            calls[scan.place] = max(calls[scan.place], *(scan.counts[code] for code in counting), 0)
        return {place: number for place, number in sorted(calls.items()) if number}


def _seen_llm(count: LlmCount) -> SeenLlm:
    return SeenLlm(count.lines, tuple(sorted(count.runs)), count.is_used)
