"""Whether answers can be graded against: what is wrong with them is found when they are loaded, not by a team.

For the maintainer on the grading host. Rows may be named to them, values never.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from grading.families import FAMILIES, SHARES, Family, Labels
from grading.graders.answers import Labelled
from grading.graders.columns import STRING, Column
from grading.graders.grade import read_answers
from grading.graders.job import Job
from grading.graders.messages import count, list_rows
from grading.graders.reader import Table
from grading.graders.registry import OWN_GRADERS, grader_for
from grading.graders.rounding import round_score
from grading.graders.verdict import AnswersError, InvalidSubmission
from grading.specs import CompetitionSpec, job_for

# Rows of one id are told apart by nothing but their order, or a row stands for all of its id's.
PAIRED_ONCE = ("paired",)
Bits = npt.NDArray[np.bool_]


def require_usable(spec: CompetitionSpec, answers: Path) -> None:
    """Raises AnswersError if no file a team could hand in would be graded rightly against these answers."""
    job = Job.from_dict(job_for(spec))
    family = FAMILIES[job.family]
    truth = read_answers(job, answers)
    if not truth.rows:
        raise AnswersError("the answers hold no row below the header")
    _require_ids(job, truth, spec.repeated_ids)
    if job.competition not in OWN_GRADERS:
        _require_labels(job, family, truth)
    _require_score(job, family, truth)


def _require_ids(job: Job, truth: Table, may_repeat: bool) -> None:
    """Each id once, none blank, where rows are paired by id."""
    if job.checks.ids == "position":
        return
    for name in job.id_columns:
        _refuse_rows(f"column {name}: the id is missing", truth.column(name).missing)
    if job.checks.ids in PAIRED_ONCE and len(job.id_columns) == 1 and not may_repeat:
        (name,) = job.id_columns
        _, first = np.unique(truth.column(name).values, return_index=True)
        again = np.ones(truth.rows, dtype=np.bool_)
        again[first] = False
        _refuse_rows(
            f"column {name}: an id that was there already (if ids do repeat in this competition, write "
            "repeated_ids = true under [columns])",
            again,
        )


def _require_labels(job: Job, family: Family, truth: Table) -> None:
    """What the grader of this family relies on. Only rows that are scored count."""
    if family.labels is Labels.ANY:
        return
    labels = {name: _numbers(name, truth) for name in job.labels(truth.names)}
    if family.labels is Labels.TWO_VALUES:
        for name, values in labels.items():
            if (found := len(np.unique(values))) != 2:
                raise AnswersError(
                    f"column {name} holds {count(found, 'distinct value')}; {job.family} needs two, 0 and 1"
                )
        return
    for name, values in labels.items():
        _refuse_rows(f"column {name}: neither 0 nor 1", (values != 0) & (values != 1))
    if family.labels is Labels.ONE_HOT:
        ones = np.sum(list(labels.values()), axis=0)
        _refuse_rows(f"not exactly one of the {len(labels)} label columns holds 1", ones != 1)


def _numbers(name: str, truth: Table) -> npt.NDArray[np.float64]:
    column = _column(name, truth)
    _refuse_rows(f"column {name}: the label is missing", column.missing)
    if not column.is_numeric:
        raise AnswersError(f"column {name} holds text; its labels are numbers")
    return column.floats()


def _column(name: str, truth: Table) -> Column:
    if name not in truth:
        raise AnswersError(f"the answers have no column {name}")
    return truth.column(name)


def _refuse_rows(what: str, wrong: Bits) -> None:
    rows = np.flatnonzero(wrong)
    if rows.size:
        raise AnswersError(f"{what}, in {count(rows.size, 'row')} (data row {list_rows(rows)})")


def _require_score(job: Job, family: Family, truth: Table) -> None:
    """A made-up file that is right in every row, or where labels are no predictions merely good, is scored."""
    try:
        score = _grade(job, truth, _made_up(job, family, truth))
    except InvalidSubmission as reason:
        raise AnswersError(
            f"a made-up {_quality(family)} file would be invalid ({reason.code}): {reason}"
        ) from None
    except AnswersError:
        raise
    except Exception as fault:  # Whatever the grader stumbles over here, it would stumble over for each team.
        raise AnswersError(
            f"the grader of {job.family} fails on these answers ({type(fault).__name__}); look at the kind of the "
            f"labels, which should be: {family.layout}"
        ) from None
    if not np.isfinite(score):
        raise AnswersError(f"a made-up {_quality(family)} file has no finite score; do the labels vary?")
    if family.best is not None and round_score(score) != family.best:
        raise AnswersError(
            f"a made-up perfect file does not reach the best score; the labels should be: {family.layout}"
        )


def _quality(family: Family) -> str:
    return "perfect" if family.guess is None else "harmless"


def _grade(job: Job, truth: Table, made_up: Table) -> float:
    grader = grader_for(job.competition, job.family)
    with np.errstate(all="ignore"):
        return float(grader.score(Labelled(job, grader.read(job, made_up, truth), truth)))


def _made_up(job: Job, family: Family, truth: Table) -> Table:
    """A submission made of the answers' own ids, and of their labels or the family's guess."""
    targets = job.targets(truth.names)
    labels = dict(zip(targets, job.labels(truth.names), strict=False))
    cells: dict[str, Any] = {name: truth.cells[name] for name in job.id_columns}
    for target in targets:
        if family.guess is None:
            cells[target] = truth.cells[labels[target]]
        else:
            guess = repr(1 / len(targets)) if family.guess == SHARES else family.guess
            cells[target] = np.full(truth.rows, guess, dtype=STRING)
    return Table(list(cells), truth.rows, cells)
