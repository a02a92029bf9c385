"""The label-free outline of an answers file, and the validity check that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .columns import STRING
from .grade import read_answers, read_submission
from .job import Job
from .reader import Table
from .reasons import find_reasons
from .registry import grader_for
from .verdict import InvalidSubmission

VERSION = 1


def outline_of(job: Job, answers: Path) -> dict[str, Any]:
    """Row count, column names, ids, and the public columns that say which rows are scored. No labels.

    Rows are sorted by id text, so that not even the order of the answers file shows. Where rows are joined to
    the answers by id, an id occurs once: how often it occurs in the answers is a label. Where only some ids of
    the sample are scored, none is written: which those are is a label as well. Raises AnswersError.
    """
    table = read_answers(job, answers)
    public = [*job.id_columns, *job.checks.scored_where]
    ids = table.cells[job.id_columns[0]]
    order = np.argsort(ids, kind="stable")
    if job.checks.ids == "joined":
        order = order[np.append(True, ids[order][1:] != ids[order][:-1])[: len(order)]]
    rows = len(order)
    if job.checks.ids == "superset":
        order = order[:0]
    cells = {name: table.cells[name][order].tolist() for name in public}
    return {
        "version": VERSION,
        "competition": job.competition,
        "rows": rows,
        "columns": table.names,
        "cells": cells,
    }


def problems_against(job: Job, outline: Mapping[str, Any], submission: Path) -> list[InvalidSubmission]:
    """The rules the submission breaks, first the one the grader would name; empty if it breaks none.

    Rules that depend on labels cannot be checked here. Raises GraderNotImplemented.
    """
    grader = grader_for(job.competition, job.family)
    table = table_of(outline)
    try:
        given = read_submission(job, submission, table.names, table.rows)
    except InvalidSubmission as problem:
        return [problem]
    with np.errstate(all="ignore"):
        return find_reasons(job, grader, given, table)


def table_of(outline: Mapping[str, Any]) -> Table:
    """The outline as the table it was made from, without the columns left out."""
    cells = {name: np.array(words, dtype=STRING) for name, words in outline["cells"].items()}
    return Table(list(outline["columns"]), int(outline["rows"]), cells)
