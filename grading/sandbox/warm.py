"""Warm gradings: each runs in a child of a template that has imported everything, behind walls of its own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from grading.sandbox.host import Host, this_host
from grading.sandbox.policy import Limits
from grading.sandbox.pool import GRADE, order
from grading.sandbox.result import SandboxResult, exit_code_of_wait
from grading.sandbox.template import Template, TemplateLost
from grading.sandbox.watch import Watch, conclude, watch_until_end
from grading.sandbox.watchdog import KB_PER_MB, Usage

RENEW_AFTER = 256  # children of one template, which share its layout of memory
SUBMISSION, ANSWERS = 4, 5  # descriptors inside


@dataclass
class Slot:
    """One sandbox at a time. The template is made when it is needed."""

    number: int
    template: Template | None = None

    def drop(self) -> None:
        template, self.template = self.template, None
        if template is not None:
            template.close()


class WarmPool:
    """Templates in slots. Threads may share it; a template dies with the thread that made it, and is made anew.

    Make it, or `start` it, after a fork of the worker: a template belongs to one process.
    """

    kind = "warm"

    def __init__(self, slots: Sequence[int] = (0,), host: Host | None = None) -> None:
        self._host = host or this_host()
        self._slots = [Slot(number) for number in slots]
        self._free: SimpleQueue[Slot] = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)

    def start(self) -> None:
        """Starts the templates now, by this thread. Raises as `run` does."""
        for template in [self._warm(slot) for slot in self._slots]:
            template.await_ready()

    def close(self) -> None:
        for slot in self._slots:
            slot.drop()

    def run(self, job: Mapping[str, Any], submission: int, answers: int, limits: Limits) -> SandboxResult:
        """As Pool says. Raises SandboxUnavailable where the walls cannot be had."""
        stdin = order(job, SUBMISSION, ANSWERS)
        return self.run_code(GRADE, stdin=stdin, files=(submission, answers), limits=limits)

    def run_code(
        self, code: str, *, stdin: bytes = b"", files: Sequence[int] = (), limits: Limits | None = None
    ) -> SandboxResult:
        """How Python code ended in a child, and what it wrote to the descriptor in $RESULT_FD."""
        with self._borrowed() as slot:
            try:
                return self._run(slot, code, stdin, files, limits or Limits())
            except TemplateLost:
                slot.drop()  # Its child never began, or its end is not known: once more, by a new one.
                return self._run(slot, code, stdin, files, limits or Limits())

    @contextmanager
    def _borrowed(self) -> Iterator[Slot]:
        slot = self._free.get()
        try:
            yield slot
        except BaseException:
            slot.drop()
            raise
        finally:
            self._free.put(slot)

    def _warm(self, slot: Slot) -> Template:
        if slot.template is not None and slot.template.children >= RENEW_AFTER:
            slot.drop()
        if slot.template is None:
            slot.template = Template(self._host, slot.number)
        return slot.template

    def _run(
        self, slot: Slot, code: str, stdin: bytes, files: Sequence[int], limits: Limits
    ) -> SandboxResult:
        template = self._warm(slot)
        with template.child() as child:
            watch = Watch(limits)
            child.order(code, stdin, files, limits)
            killed = watch_until_end(child, watch)
            wall_s = watch.wall_s
            template.end(child)
            _add_usage(watch.usage, child.how_it_ended)
            status: int = child.how_it_ended["status"]
            return conclude(child, watch, killed, wall_s, lambda: exit_code_of_wait(status))


def _add_usage(usage: Usage, end: Mapping[str, Any]) -> None:
    """What the kernel counted until the end, which no look in between has missed."""
    usage.peak_memory_mb = max(usage.peak_memory_mb, int(end["peak_kb"]) // KB_PER_MB)
    usage.cpu_s = max(usage.cpu_s, float(end["cpu_s"]))


@contextmanager
def warm_pool(slots: Sequence[int] = (0,), host: Host | None = None) -> Iterator[WarmPool]:
    """A pool with its templates started; all is ended on leaving."""
    pool = WarmPool(slots, host)
    try:
        pool.start()
        yield pool
    finally:
        pool.close()
