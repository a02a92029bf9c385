"""Rebuilds the benchmark's four Spaceship Titanic files, byte for byte, from Kaggle's training file.

The benchmark draws its split with `train_test_split(train, test_size=0.1, random_state=0)`. The two orders it
returns are kept beside the data as lists of ids, so the demo needs neither scikit-learn nor pandas:
`train.csv` is already written the way pandas writes it, and a row moves as a whole line.
Source: MLE-bench, `mlebench/competitions/spaceship-titanic/prepare.py` (the rule, not the code).
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

COMPETITION = "spaceship-titanic"
DATA = Path(__file__).parent / "data" / COMPETITION
ID, TARGET = "PassengerId", "Transported"


@dataclass(frozen=True)
class Split:
    """The four files as text, in the benchmark's row order."""

    answers: str
    test: str
    train: str
    sample_submission: str


def split_rows(source: str, test_ids: list[str], train_ids: list[str]) -> Split:
    """The four files made from the text of Kaggle's `train.csv` and the two id orders.

    Raises KeyError if an id is not in `source`, ValueError if the target is not its last column.
    """
    header, *rows = source.splitlines()
    if header.rpartition(",")[2] != TARGET:
        raise ValueError(f"the last column of the training file must be {TARGET}")
    row_of = {row.partition(",")[0]: row for row in rows}
    answers = [header, *(row_of[passenger] for passenger in test_ids)]
    return Split(
        answers=_as_text(answers),
        test=_as_text([row.rpartition(",")[0] for row in answers]),
        train=_as_text([header, *(row_of[passenger] for passenger in train_ids)]),
        sample_submission=_as_text([f"{ID},{TARGET}", *(f"{passenger},False" for passenger in test_ids)]),
    )


def read_split(data: Path = DATA) -> Split:
    """The split of the training file and id lists in the folder `data`."""
    test_ids = (data / "test_ids.txt").read_text().split()
    train_ids = (data / "train_ids.txt").read_text().split()
    return split_rows((data / "train.csv").read_text(), test_ids, train_ids)


def write_split(split: Split, root: Path) -> None:
    """Writes the four files under `root` where the benchmark's prepare command leaves them."""
    prepared = root / COMPETITION / "prepared"
    files = {
        "private/test.csv": split.answers,
        "public/test.csv": split.test,
        "public/train.csv": split.train,
        "public/sample_submission.csv": split.sample_submission,
    }
    for name, text in files.items():
        path = prepared / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="\n")


def main() -> None:
    """Writes the prepared competition below the folder given with `--to`."""
    parser = argparse.ArgumentParser(description="Write the demo competition as the benchmark prepares it.")
    parser.add_argument(
        "--to", type=Path, required=True, help="folder that will hold spaceship-titanic/prepared"
    )
    write_split(read_split(), parser.parse_args().to)


def _as_text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
