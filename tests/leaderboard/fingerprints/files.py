"""Made-up predictions as CSV files, and what their fingerprints come to."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grading.catalogue import job_for, shipped_competitions
from grading.graders.job import Job
from leaderboard.fingerprints.near import distances, unpack
from leaderboard.fingerprints.read import Print, read_print

NUMBERS, LABELS, CLASSES = "aerial-cactus-identification", "spaceship-titanic", "plant-pathology-2020-fgvc7"
WORDS, BY_PLACE, BY_RANK, TWO_IDS = (
    "text-normalization-challenge-english-language",
    "nomad2018-predict-transparent-conductors",
    "new-york-city-taxi-fare-prediction",
    "smartphone-decimeter-2022",
)
ROWS = 400
Columns = Mapping[str, Sequence[object]]


def csv_of(columns: Columns, order: Sequence[int] | None = None) -> bytes:
    """The columns as a CSV, its rows in this order."""
    rows = list(zip(*columns.values(), strict=True))
    listed = [rows[at] for at in order] if order is not None else rows
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in listed), ""]).encode()


def job_of(competition: str) -> Job:
    return Job.from_dict(job_for(shipped_competitions()[competition]))


def print_of(tmp_path: Path, competition: str, content: bytes) -> Print:
    path = tmp_path / "submission.csv"
    path.write_bytes(content)
    return read_print(job_of(competition), path)


def apart(one: Print, other: Print) -> list[float]:
    """The distance in either half."""
    first, second = unpack([one.sketch])[0], unpack([other.sketch])
    return [float(each) for each in distances(second, first)[0]]


def ids(rows: int = ROWS) -> list[str]:
    return [f"image-{at:05}.jpg" for at in range(rows)]


def guesses(seed: int, rows: int = ROWS, noise: float = 1.0) -> Any:
    """Probabilities that have the truth in common and nothing else."""
    truth = np.random.default_rng(99).normal(size=rows)
    own = np.random.default_rng(seed).normal(size=rows)
    return 1 / (1 + np.exp(-3 * truth - noise * own))
