"""The demo entry's accuracies, worked out from the files alone.

A second opinion on the site's numbers: it reads the bundle and the answers with the standard library and
shares no code with the grader.

    python -m demo.scores
"""

import csv
import io
import tarfile
from pathlib import Path

from demo.split import ID, TARGET, read_split

BUNDLE = Path(__file__).parent / "bundle.tar.gz"


def read_labels(text: str) -> dict[str, str]:
    """The label of every passenger in a CSV text; raises ValueError if one is named twice."""
    rows = list(csv.DictReader(io.StringIO(text)))
    labels = {row[ID]: row[TARGET] for row in rows}
    if len(labels) != len(rows):
        raise ValueError("a passenger is named twice")
    return labels


def compute_accuracy(submission: str, answers: str) -> float:
    """Share of passengers with the right label, 0 to 1; raises ValueError if the passengers differ."""
    predicted, actual = read_labels(submission), read_labels(answers)
    if predicted.keys() != actual.keys():
        raise ValueError("the submission and the answers name different passengers")
    return sum(predicted[passenger] == label for passenger, label in actual.items()) / len(actual)


def read_submissions(bundle: Path) -> dict[str, str]:
    """The text of each submission in the bundle, by seed."""
    submissions = {}
    with tarfile.open(bundle) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file and member.name.endswith("/submission.csv"):
                submissions[member.name.split("/")[0]] = file.read().decode()
    return submissions


def score_bundle(bundle: Path = BUNDLE) -> dict[str, float]:
    """The accuracy of each seed of the bundle, rounded to 5 decimals."""
    answers = read_split().answers
    submissions = read_submissions(bundle)
    return {seed: round(compute_accuracy(text, answers), 5) for seed, text in sorted(submissions.items())}


if __name__ == "__main__":
    for seed, accuracy in score_bundle().items():
        print(f"{seed}  {accuracy:.5f}")
