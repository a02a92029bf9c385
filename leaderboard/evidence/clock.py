"""How long a run took by the times in its logs. Pure.

Times that stand at the beginning of a line, or under a key that names a time. Of each way to write them the
stretches are kept in which they go forward; a longer silence, or a step back, begins another one. So dates that are
data make no hours, a run that was started again the next day is not charged for the night, and what is said is a
lower bound.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice
from typing import Any, Final

from leaderboard.evidence.blocks import Block
from leaderboard.evidence.facts import Span
from leaderboard.evidence.linear import compile_any

Stretch = tuple[float, float]
# Longer than any step the benchmark's own agents allow (nine hours).
SILENCE_S: Final = 12 * 3600.0
EARLIEST: Final = datetime(2023, 1, 1, tzinfo=UTC).timestamp()
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_START: Final = r"^[^0-9\n]{0,40}"
_KEY: Final = (
    r"\"(timestamp|time|ts|asctime|datetime|date|created|created_at|start_time|end_time)"
    r"\\{0,3}\"\s{0,2}:\s{0,2}\\{0,3}\"?"
)
_TIME: Final = r"(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)"
_FORMATS: Final[Mapping[str, Any]] = {
    name: compile_any([f"(?m){expression}"], captures=True)
    for name, expression in {
        "date and time": (
            rf"({_START}|{_KEY})(?P<y>20\d\d)[-/](?P<m>\d\d)[-/](?P<d>\d\d)[T _]{_TIME}"
            r"([.,]\d{1,9})?( ?(?P<z>Z|UTC|[+-]\d\d:?\d\d))?"
        ),
        "day/month/year": (
            rf"{_START}(\d{{1,3}}(\.\d{{1,3}}){{3}} [^\[\n]{{0,40}}\[)?"
            rf"(?P<d>\d\d)/(?P<b>[A-Z][a-z]{{2}})/(?P<y>20\d\d)[: ]{_TIME}"
        ),
        "month day time year": (
            rf"^([A-Z][a-z]{{2}} )?(?P<b>[A-Z][a-z]{{2}}) {{1,2}}(?P<d>\d{{1,2}}) {_TIME}"
            r"( (AM|PM|[A-Z]{3,4})){0,2} (?P<y>20\d\d)"
        ),
        "seconds since 1970": rf"(^[\[(]?|{_KEY})(?P<e>1[6-9]\d{{8}})(\d{{3}})?(\.\d{{1,9}})?\b",
    }.items()
}
# Of a large file one time in every four kilobytes is looked at.
SMALL: Final = 1 << 13
STEP: Final = 1 << 12
LONGEST: Final = 128
NEWLINE: Final = 10
TRIED: Final = 16  # Blocks after which a way of writing times that was not seen is no longer looked for.
MOST_STRETCHES: Final = 1000


class Clock:
    """The stretches of one file, by how its times are written. `latest`: no time after this counts."""

    def __init__(self, latest: datetime) -> None:
        self._latest = latest.timestamp()
        self._blocks = 0
        self.stretches: dict[str, list[Stretch]] = {}

    def feed(self, block: Block) -> None:
        self._blocks += 1
        for name, pattern in _FORMATS.items():
            if self._blocks > TRIED and name not in self.stretches:
                continue
            for seconds in _times(pattern, block.data):
                if EARLIEST <= seconds <= self._latest:
                    self._add(name, seconds)

    def _add(self, name: str, seconds: float) -> None:
        found = self.stretches.setdefault(name, [])
        # Lines of several threads may be a minute out of order.
        if found and found[-1][1] - 60 <= seconds <= found[-1][1] + SILENCE_S:
            found[-1] = (found[-1][0], max(found[-1][1], seconds))
        else:
            found.append((seconds, seconds))
            if len(found) > MOST_STRETCHES:
                del found[0]


def _times(pattern: Any, text: bytes) -> Iterator[float]:
    """The times in a text; of a large one the first of each window."""
    most = None if len(text) <= SMALL else 1
    for start in range(0, len(text), STEP):
        for found in islice(pattern.finditer(_window(text, start)), most):
            if (seconds := _seconds(found.groupdict())) is not None:
                yield seconds


def _window(text: bytes, start: int) -> bytes:
    """A piece with a little of the next. Where it begins inside a line, a digit says so to the expressions."""
    window = text[start : start + STEP + LONGEST]
    return window if not start or text[start - 1] == NEWLINE else b"0" + window


def _seconds(parts: Mapping[bytes, bytes | None]) -> float | None:
    """None where the digits are no time."""
    named = {name.decode(): value.decode() for name, value in parts.items() if value}
    if epoch := named.get("e"):
        return float(epoch)
    try:
        month = named.get("m") or _MONTHS.index(named["b"].lower()) + 1
        moment = datetime(
            int(named["y"]), int(month), int(named["d"]), int(named["H"]), int(named["M"]), int(named["S"])
        )
        return moment.replace(tzinfo=_zone(named.get("z", ""))).timestamp()
    except (ValueError, OverflowError):
        return None


def _zone(text: str) -> timezone:
    """UTC where nothing is said: within one file only differences count."""
    if not text or text in ("Z", "UTC"):
        return UTC
    digits = text[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(offset if text[0] == "+" else -offset)


def span_of(files: Iterable[Mapping[str, Sequence[Stretch]]]) -> Span | None:
    """The hours of a run by its files, or None where they have no times.

    Files that write times alike may follow one another, so their stretches count together, overlaps once; two ways
    of writing may be two time zones, so the longest way counts.
    """
    together: dict[str, list[Stretch]] = {}
    for stretches in files:
        for name, found in stretches.items():
            together.setdefault(name, []).extend(found)
    spans = [span for found in together.values() if (span := _span(_union(found)))]
    return max(spans, key=lambda span: span.hours, default=None)


def _union(stretches: Iterable[Stretch]) -> list[Stretch]:
    merged: list[Stretch] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _span(stretches: Sequence[Stretch]) -> Span | None:
    lengths = [end - start for start, end in stretches]
    if not lengths or not max(lengths):
        return None
    real = [stretch for stretch in stretches if stretch[1] > stretch[0]]
    return Span(round(sum(lengths) / 3600, 2), _iso(real[0][0]), _iso(real[-1][1]))


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
