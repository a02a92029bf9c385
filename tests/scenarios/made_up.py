"""Answers and predictions of the rehearsal benchmark, made by code: the same names always give the same bytes."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path

ROWS = 1000
HEADERS = {
    "random-acts-of-pizza": ("request_id", "requester_received_pizza"),
    "spaceship-titanic": ("PassengerId", "Transported"),
    "rehearsal-levels": ("id", "level"),
}
COMPETITIONS = tuple(HEADERS)
# Columns of the answers file beside id and label.
SPACESHIP_ANSWERS = (
    "PassengerId,HomePlanet,CryoSleep,Cabin,Destination,Age,VIP,RoomService,FoodCourt,ShoppingMall,Spa,VRDeck,Name,"
    "Transported"
)
Labels = dict[str, str]


def make_answers(competition: str) -> Labels:
    """Id to label."""
    draw = random.Random(f"answers of {competition}")
    return {f"{competition}-{number:04d}": LABELS[competition](draw) for number in range(ROWS)}


LABELS: Mapping[str, Callable[[random.Random], str]] = {
    "random-acts-of-pizza": lambda draw: str(int(draw.random() < 0.4)),
    "spaceship-titanic": lambda draw: str(draw.random() < 0.5),
    "rehearsal-levels": lambda draw: f"{draw.uniform(-2, 2):.4f}",
}
# What a score needs to be: no medal, a bronze one, gold, and full marks. By competition, in its own terms.
SKILLS: Mapping[str, Mapping[str, float]] = {
    "random-acts-of-pizza": {"none": 0.1, "bronze": 0.4, "gold": 0.97, "perfect": 1},
    "spaceship-titanic": {"none": 0.7, "bronze": 0.811, "gold": 0.84, "perfect": 1},
    "rehearsal-levels": {"none": 0.4, "bronze": 0.75, "gold": 0.92, "perfect": 1},
}


def predict(competition: str, skill: str, name: str, seed: int) -> str:
    """A CSV as good as the skill says. Another name makes other mistakes, another seed one or two fewer or more."""
    draw = random.Random(f"{name} seed {seed} on {competition}")
    answers = make_answers(competition)
    level = min(1, SKILLS[competition][skill] + seed % 3 / ROWS)
    predicted = PREDICT[competition](answers, level, draw)
    lines = [",".join(HEADERS[competition]), *(f"{key},{value}" for key, value in predicted.items())]
    return "\n".join(lines) + "\n"


def nudge(csv: str, name: str) -> str:
    """The same predictions as a copier would hide them: rows in another order, numbers moved a little, some flipped."""
    header, *rows = csv.splitlines()
    draw = random.Random(f"nudges of {name}")
    draw.shuffle(rows)
    return "\n".join([header, *(_nudged(row, draw) for row in rows)]) + "\n"


def _nudged(row: str, draw: random.Random) -> str:
    key, value = row.split(",")
    if value in ("True", "False"):
        return f"{key},{(value == 'True') != (draw.random() < 0.01)}"
    moved = float(value) + draw.uniform(-1e-3, 1e-3)
    return f"{key},{min(max(moved, 0), 1) if 0 <= float(value) <= 1 else moved:.5f}"


def _flip(answers: Labels, level: float, draw: random.Random) -> Labels:
    """Exactly the share `level` of the labels is right."""
    wrong = set(draw.sample(sorted(answers), round(len(answers) * (1 - level))))
    return {key: str((label == "True") != (key in wrong)) for key, label in answers.items()}


def _probabilities(answers: Labels, level: float, draw: random.Random) -> Labels:
    """Positives and negatives, of which the share `level` is told apart for sure and the rest by chance."""
    known = set(draw.sample(sorted(answers), round(len(answers) * level)))
    return {
        key: f"{(0.6 * int(label) + 0.2 + draw.uniform(-0.2, 0.2)) if key in known else draw.random():.4f}"
        for key, label in answers.items()
    }


def _levels(answers: Labels, level: float, draw: random.Random) -> Labels:
    return {key: f"{float(label) + draw.gauss(0, 1 - level):.4f}" for key, label in answers.items()}


PREDICT: Mapping[str, Callable[[Labels, float, random.Random], Labels]] = {
    "random-acts-of-pizza": _probabilities,
    "spaceship-titanic": _flip,
    "rehearsal-levels": _levels,
}


def write_answers(root: Path) -> None:
    """Writes the answers where the benchmark's prepare command leaves them."""
    for competition in COMPETITIONS:
        folder = root / competition / "prepared" / "private"
        folder.mkdir(parents=True)
        (folder / "test.csv").write_text(_answers_file(competition))


def _answers_file(competition: str) -> str:
    answers = make_answers(competition).items()
    if competition == "spaceship-titanic":
        rows = [f"{key}{',' * 13}{label}" for key, label in answers]
        return "\n".join([SPACESHIP_ANSWERS, *rows]) + "\n"
    return "\n".join([",".join(HEADERS[competition]), *(",".join(pair) for pair in answers)]) + "\n"
