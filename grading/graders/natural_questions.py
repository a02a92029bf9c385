"""Answers to questions as spans of tokens: JSON lines in, agreement of predictions out.

Definition: a row agrees if its prediction is one of the valid answers, or if it gives none and there is none;
the score is the share of rows that agree. Source: the benchmark's grader of TensorFlow 2.0 Question
Answering, whose micro-averaged F1 over the two classes of a row is that share.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .answers import Labelled
from .columns import STRING, Column, Kind
from .job import Job
from .messages import count, list_rows
from .predictions import Predictions, read_predictions
from .reader import Table
from .values import read_as_text_or_empty
from .verdict import AnswersError, InvalidSubmission

WORDS = ("", "YES", "NO")
NAMES = ["example_id", "PredictionString"]


def read_questions(lines: Iterable[bytes]) -> Table:
    """Two rows per question, `<id>_long` and `<id>_short`; the cell lists its valid answers, blank for none.

    Takes line by line: the documents themselves make these files large. Raises AnswersError.
    """
    rows: list[tuple[str, str]] = []
    try:
        for line in lines:
            if line.strip():
                rows += _question_rows(json.loads(line))
    except (ValueError, LookupError, TypeError):
        raise AnswersError(f"question {len(rows) // 2 + 1} of the answers cannot be read") from None
    cells = {name: np.array([row[i] for row in rows], dtype=STRING) for i, name in enumerate(NAMES)}
    return Table(list(NAMES), len(rows), cells)


def _question_rows(question: dict[str, Any]) -> Iterator[tuple[str, str]]:
    annotation = question["annotations"][0]
    long, verdict = annotation["long_answer"], annotation["yes_no_answer"]
    short = [_span(each) for each in annotation["short_answers"]]
    yes_no = [] if verdict == "NONE" else [verdict]
    yield f"{question['example_id']}_long", "" if long["start_token"] == -1 else _span(long)
    yield f"{question['example_id']}_short", " ".join([*short, *yes_no])


def _span(tokens: dict[str, int]) -> str:
    return f"{int(tokens['start_token'])}:{int(tokens['end_token'])}"


def read_spans(job: Job, submission: Table, outline: Table) -> Predictions:
    """Blank, YES, NO or `start:end`, normalised. Raises InvalidSubmission for anything else."""
    predictions = read_predictions(job, submission, outline)
    (name,) = predictions.columns
    require_spans(name, submission.column(name))
    cells = [normalise(cell) or "" for cell in predictions.columns[name].values.tolist()]
    column = Column(Kind.TEXT, np.array(cells, dtype=STRING), predictions.columns[name].missing)
    return Predictions({name: column}, predictions.pairing)


def require_spans(name: str, column: Column) -> None:
    """Raises InvalidSubmission at cells that are neither blank, YES, NO nor `start:end`."""
    cells = read_as_text_or_empty(name, column).values.tolist()
    wrong = np.flatnonzero([normalise(cell) is None for cell in cells])
    if wrong.size:
        raise InvalidSubmission(
            "not_a_span",
            f"Column {name}: {count(wrong.size, 'cell is', 'cells are')} no answer "
            f"(data row {list_rows(wrong)}). Write start:end with two token numbers, YES, NO, or nothing.",
        )


def normalise(cell: str) -> str | None:
    """The prediction without blanks and leading zeros; None if it is no prediction."""
    word = cell.strip()
    if word in WORDS:
        return word
    try:
        start, end = map(int, word.split(":"))
    except ValueError:
        return None
    return f"{start}:{end}"


def grade_answers(rows: Labelled) -> float:
    """Share of rows that agree, 0 to 1."""
    (name,) = rows.targets
    predicted = rows.predicted(name).values.tolist()
    valid = [cell.split() for cell in rows.answers.cells[name][rows.predictions.pairing.answers].tolist()]
    return float(np.mean([p in v if p else not v for p, v in zip(predicted, valid, strict=True)]))
