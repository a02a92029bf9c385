"""CV Baseline: a small agent without a language model.

It reads the public training and test files of Spaceship Titanic, compares a few classifiers by
cross-validation on the training part, fits the best one on the whole of it and predicts the test part.
`PUBLIC_FILES` are all it opens.

    python -m demo.agent --data DIR --out demo/bundle.tar.gz

`DIR` is what `python -m demo.split --to DIR` wrote.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

from demo.bundle import COMPETITION, Run, write_bundle
from demo.candidates import make_candidates
from demo.features import build_features

ID, TARGET = "PassengerId", "Transported"
PUBLIC_FILES = ["train.csv", "test.csv"]
SEEDS = [0, 1, 2]
FOLDS, JOBS = 5, 2


@dataclass(frozen=True)
class Task:
    """Features (rows, columns) of both parts, labels of the training part, ids of the test part."""

    train: pd.DataFrame
    labels: np.ndarray
    test: pd.DataFrame
    test_ids: pd.Series


def read_task(data: Path) -> Task:
    """The task as the agent sees it: the two public files below `data`."""
    train, test = (pd.read_csv(data / COMPETITION / "prepared" / "public" / name) for name in PUBLIC_FILES)
    features = build_features(pd.concat([train.drop(columns=TARGET), test], ignore_index=True))
    return Task(
        train=features.iloc[: len(train)],
        labels=train[TARGET].to_numpy(dtype=bool),
        test=features.iloc[len(train) :],
        test_ids=test[ID],
    )


def cross_validate(task: Task, seed: int) -> dict[str, np.ndarray]:
    """Accuracy of every candidate on each fold, by name; the folds are drawn anew for each seed."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    return {
        name: cross_val_score(model, task.train, task.labels, cv=folds, scoring="accuracy", n_jobs=JOBS)
        for name, model in make_candidates(seed).items()
    }


def choose_candidate(scores: dict[str, np.ndarray]) -> str:
    """The candidate with the best mean over folds; of equals, the one listed first."""
    return max(scores, key=lambda name: scores[name].mean())


def predict(task: Task, seed: int, name: str) -> pd.DataFrame:
    """The submission of one candidate fitted on all training rows."""
    model = clone(make_candidates(seed)[name]).fit(task.train, task.labels)
    return pd.DataFrame({ID: task.test_ids, TARGET: model.predict(task.test)})


def run_seed(task: Task, seed: int) -> Run:
    """One independent repetition: choice, fit and prediction, with its log and its wall time."""
    started = time.monotonic()
    scores = cross_validate(task, seed)
    chosen = choose_candidate(scores)
    submission = predict(task, seed, chosen).to_csv(index=False)
    return Run(f"seed-{seed}", submission, describe(scores, chosen), time.monotonic() - started)


def describe(scores: dict[str, np.ndarray], chosen: str) -> str:
    """The table of cross-validated accuracies, one candidate a line, the chosen one marked."""
    lines = [f"{'candidate':<22}{'mean':>9}{'sd':>9}  folds"]
    for name, folds in scores.items():
        mark = "  <- chosen" if name == chosen else ""
        shown = " ".join(f"{fold:.5f}" for fold in folds)
        lines.append(f"{name:<22}{folds.mean():9.5f}{folds.std(ddof=1):9.5f}  {shown}{mark}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Runs all seeds and writes the bundle named with `--out`."""
    parser = argparse.ArgumentParser(description="Run the CV Baseline agent and pack its bundle.")
    parser.add_argument("--data", type=Path, required=True, help="folder that demo.split wrote")
    parser.add_argument("--out", type=Path, required=True, help="the bundle to write, a .tar.gz")
    options = parser.parse_args()
    task = read_task(options.data)
    runs = []
    for seed in SEEDS:
        runs.append(run_seed(task, seed))
        print(f"seed {seed}, {runs[-1].wall_time_s:.0f} s\n{runs[-1].log}", flush=True)
    write_bundle(options.out, runs)


if __name__ == "__main__":
    main()
