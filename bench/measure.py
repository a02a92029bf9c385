"""Timing one grading, one bundle, and what they are compared with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading.catalogue import job_for, shipped_competitions
from grading.graders.grade import digest_answers
from grading.graders.job import Job
from grading.sandbox.policy import Limits
from grading.sandbox.warm import WarmPool
from grading.verdict import Verdict, read_result

from .make_bundle import Pair

ROOT = Path(__file__).parents[1]
LIMITS = Limits(wall_s=1800, cpu_s=1800, memory_mb=16384)


@dataclass(frozen=True)
class Timed:
    """Seconds and the largest resident memory in MiB; `said` is what came of it."""

    seconds: float
    peak_mb: float
    said: Any


def digest(pair: Pair) -> Path:
    """The answers as the vault holds them: digested once, however many runs are graded on them."""
    path = pair.answers.with_name(pair.answers.name + ".digest")
    if not path.exists():
        job = Job.from_dict(job_for(shipped_competitions()[pair.competition]))
        with path.open("wb") as out:
            out.writelines(digest_answers(job, pair.answers))
    return path


def grade(pool: WarmPool, pair: Pair) -> Timed:
    """From go to verdict in a warm sandbox."""
    job = job_for(shipped_competitions()[pair.competition])
    with _open(pair.submission, digest(pair)) as (submission, answers):
        started = time.perf_counter()
        verdict = read_result(pool.run(job, submission, answers, LIMITS))
        return Timed(time.perf_counter() - started, verdict.peak_memory_mb or 0.0, verdict)


def grade_all(pairs: Sequence[Pair], slots: int, done: Callable[[], None] = lambda: None) -> Timed:
    """All runs of a bundle, so many at a time, the making of the pool and its refilling counted."""
    for pair in pairs:
        digest(pair)
    verdicts: list[Verdict] = []
    started = time.perf_counter()
    pool = WarmPool(range(slots))
    try:
        with ThreadPoolExecutor(slots) as threads:
            for timed in threads.map(lambda pair: grade(pool, pair), pairs):
                verdicts.append(timed.said)
                done()
            seconds = time.perf_counter() - started
    finally:
        pool.close()
    return Timed(seconds, max(verdict.peak_memory_mb or 0.0 for verdict in verdicts), verdicts)


def bare_read(pairs: Sequence[Pair]) -> Timed:
    """A fresh process that reads the files of all pairs, from its start to its end."""
    files = [str(path) for pair in pairs for path in (pair.submission, pair.answers)]
    seconds, said = _run("bench.bare_read", input="\n".join(files))
    return Timed(seconds, said["peak_mb"], said)


def plain_way(pair: Pair) -> Timed:
    """A fresh process that grades the straightforward way."""
    seconds, said = _run("bench.plain_way", pair.competition, str(pair.submission), str(pair.answers))
    return Timed(seconds, 0.0, said)


def _run(module: str, *arguments: str, input: str = "") -> tuple[float, dict[str, Any]]:
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        input=input,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return time.perf_counter() - started, json.loads(done.stdout)


@contextmanager
def _open(*paths: Path) -> Iterator[list[int]]:
    with ExitStack() as opened:
        descriptors = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in paths]
        for descriptor in descriptors:
            opened.callback(os.close, descriptor)
        yield descriptors
