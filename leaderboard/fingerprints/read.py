"""The fingerprint of one CSV, read by the rules of its competition's grader. Pure but for the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from grading.graders.columns import Column
from grading.graders.grade import read_submission
from grading.graders.job import EVERY_OTHER, Job
from grading.graders.reader import Table
from grading.graders.verdict import InvalidSubmission

from .content import content_of
from .hashes import Hashes, hash_cells, mix
from .sketch import sketch_of


@dataclass(frozen=True)
class Print:
    """`state` as in FingerprintState; without a sketch where every row is alike or the file cannot be read."""

    state: str
    rows: int = 0
    content: str = ""
    sketch: bytes = b""


UNREADABLE = Print("unreadable")


def read_print(job: Job, path: Path) -> Print:
    """What the file looks like. Whether it would be scored is not asked."""
    try:
        table = read_submission(_reading_all(job), path, [])
    except InvalidSubmission:
        return UNREADABLE
    ids, columns = _ids(job, table), _targets(job, table)
    if ids is None or not columns:
        return UNREADABLE
    sketch = sketch_of(ids, columns)
    content = content_of(ids, columns)
    if sketch is None:
        return Print("constant", table.rows, content)
    return Print("made", table.rows, content, sketch.tobytes())


def _reading_all(job: Job) -> Job:
    """Where the targets are every other column, the file says which they are."""
    is_open = EVERY_OTHER in job.target_columns
    return replace(job, checks=replace(job.checks, extra_columns="kept")) if is_open else job


def _targets(job: Job, table: Table) -> Mapping[str, Column]:
    return {name: table.column(name) for name in job.targets(table.names) if name in table}


def _ids(job: Job, table: Table) -> Hashes | None:
    """One number for each row, as the grader tells rows apart. None where a column is missing."""
    if job.checks.ids == "position":
        return mix(np.arange(table.rows, dtype=np.uint64))
    if not table.rows or any(name not in table for name in job.id_columns):
        return None
    if job.checks.ids == "ranked":
        return _ranked(table.column(job.id_columns[0]))
    ids = np.zeros(table.rows, dtype=np.uint64)
    for name in job.id_columns:
        ids = mix(ids ^ hash_cells(table.column(name)))
    return ids


def _ranked(column: Column) -> Hashes:
    ranks = np.empty(len(column), dtype=np.uint64)
    ranks[column.sorted_rows()] = np.arange(len(column), dtype=np.uint64)
    return mix(ranks)
