"""The straightforward way to grade the large cases, with pandas and scikit-learn. Started as a process of its own.

    python -m bench.plain_way COMPETITION SUBMISSION ANSWERS

Prints one JSON object: the score to 5 decimals, and the versions of the libraries.
"""

import json
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import sklearn
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score, root_mean_squared_error

TOXIC = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]


def main() -> None:
    competition, submission, answers = sys.argv[1:]
    score = round(float(WAYS[competition](pd.read_csv(submission), pd.read_csv(answers))), 5)
    versions = {"pandas": pd.__version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__}
    print(json.dumps({"score": score, "versions": versions}))


def _sorted(frames: tuple[pd.DataFrame, pd.DataFrame], name: str) -> list[pd.DataFrame]:
    return [frame.sort_values(name, kind="stable").reset_index(drop=True) for frame in frames]


def _errors(name: str, value: str) -> Callable[[pd.DataFrame, pd.DataFrame], float]:
    def score(guess: pd.DataFrame, true: pd.DataFrame) -> float:
        guess, true = _sorted((guess, true), name)
        return float(root_mean_squared_error(true[value], guess[value]))

    return score


def _accuracy(
    name: str, value: str, *, as_text: bool = False
) -> Callable[[pd.DataFrame, pd.DataFrame], float]:
    def score(guess: pd.DataFrame, true: pd.DataFrame) -> float:
        guess, true = _sorted((guess, true), name)
        sides = [
            frame[value].astype(object).fillna("nan").astype(str) if as_text else frame[value]
            for frame in (true, guess)
        ]
        return float(accuracy_score(*sides))

    return score


def _breeds(guess: pd.DataFrame, true: pd.DataFrame) -> float:
    guess, true = _sorted((guess, true), "id")
    classes = [name for name in true.columns if name != "id"]
    return float(log_loss(true[classes].to_numpy(), guess[classes].to_numpy()))


def _toxic(guess: pd.DataFrame, true: pd.DataFrame) -> float:
    guess, true = _sorted((guess, true), "id")
    scored = true[TOXIC].sum(axis=1) >= 0
    return float(roc_auc_score(true.loc[scored, TOXIC], guess.loc[scored, TOXIC]))


WAYS: dict[str, Callable[[pd.DataFrame, pd.DataFrame], float]] = {
    "new-york-city-taxi-fare-prediction": _errors("key", "fare_amount"),
    "text-normalization-challenge-english-language": _accuracy("id", "after", as_text=True),
    "tabular-playground-series-dec-2021": _accuracy("Id", "Cover_Type"),
    "dog-breed-identification": _breeds,
    "jigsaw-toxic-comment-classification-challenge": _toxic,
    "denoising-dirty-documents": _errors("id", "value"),
}

if __name__ == "__main__":
    main()
