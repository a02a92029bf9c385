"""How long each part of a piece of work took, by the clock of the process that does it. No Django."""

from collections.abc import Callable
from time import perf_counter


class Laps:
    """Milliseconds by the name of the part, in the order in which they were done."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._since = clock()
        self.ms: dict[str, float] = {}

    def end(self, part: str) -> None:
        """The part began where the last one ended; what is done twice is added up."""
        now = self._clock()
        self.ms[part] = self.ms.get(part, 0.0) + 1000 * (now - self._since)
        self._since = now

    def __str__(self) -> str:
        return ", ".join(f"{part} {spent:.1f} ms" for part, spent in self.ms.items())
