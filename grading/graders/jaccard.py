"""Mean Jaccard similarity of words.

Definition: per row the words in both texts over the words in either, lower case, split at blanks. Source:
competition pages of Tweet Sentiment Extraction and chaii.
"""

from __future__ import annotations

import numpy as np

from .answers import Labelled
from .values import read_as_text_or_empty
from .verdict import InvalidSubmission

BOTH_EMPTY = (
    "The score of this submission is not defined: a row is empty in the predictions and in the answers. "
    "Predict at least one word in every row."
)


def word_jaccard(predicted: str, true: str) -> float:
    """Similarity of one row, 0 to 1. NaN if both texts are empty."""
    p, t = set(predicted.lower().split()), set(true.lower().split())
    return len(p & t) / len(p | t) if p | t else float("nan")


def grade_word_jaccard(rows: Labelled) -> float:
    """With the parameter `both_empty` such rows count as its value; without it they are refused."""
    (name,) = rows.targets
    true = read_as_text_or_empty(name, rows.true(name)).values.tolist()
    predicted = rows.predicted(name).values.tolist()
    scores = np.array([word_jaccard(p, t) for p, t in zip(predicted, true, strict=True)])
    both_empty = rows.job.params.get("both_empty")
    if both_empty is None and np.isnan(scores).any():
        raise InvalidSubmission("score_undefined", BOTH_EMPTY)
    return float(np.mean(np.nan_to_num(scores, nan=both_empty or 0.0)))
