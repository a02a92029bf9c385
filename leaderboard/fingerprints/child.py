"""The process that reads files of strangers: one JSON job a line on stdin, one strict JSON object a line to stdout.

It has given up what it can before it opens a file: no socket, no file written, memory and processor time bounded. The
job is `{"competition": <as catalogue.job_for makes it>, "path": "<path>"}`, the answer the fields of a Print.
"""

from __future__ import annotations

import base64
import json
import resource
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy.ma  # noqa: F401  # np.unique wants it: loaded before the walls are up.

from grading.graders.job import Job
from grading.sandbox.inside.walls import die_with_parent, load_filter

from .read import UNREADABLE, Print, read_print


def main() -> None:
    """Reads the walls from the first line, then file after file until stdin ends."""
    lines = iter(sys.stdin.readline, "")
    walls = json.loads(next(lines))
    _wall_off(walls)
    for line in lines:
        _allow_cpu(walls["cpu_s"])
        print(json.dumps(_answer(json.loads(line)), allow_nan=False), flush=True)


def _wall_off(walls: dict[str, Any]) -> None:
    die_with_parent()
    memory = int(walls["memory_bytes"])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    load_filter(base64.b64decode(walls["filter"]))


def _allow_cpu(seconds: int) -> None:
    """So much more than was used up to now; the kernel ends the process beyond that."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    found = _print_of(job)
    return {**asdict(found), "sketch": base64.b64encode(found.sketch).decode()}


def _print_of(job: dict[str, Any]) -> Print:
    try:
        return read_print(Job.from_dict(job["competition"]), Path(job["path"]))
    except MemoryError:
        return UNREADABLE
