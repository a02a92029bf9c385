"""Scores against the human cut-offs of a competition as positions of a drawing. Pure; the template draws it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# The seeds stand in a margin of their own, so that no line runs through their words.
WIDTH, LEFT, RIGHT = 400.0, 128.0, 14.0
SHOWN = 9
LABEL_STEP, SEED_STEP, TOP = 15.0, 19.0, 14.0


@dataclass(frozen=True)
class Label:
    """Where words begin, or end where `anchor` says so, which keeps them inside the drawing."""

    x: float
    y: float
    anchor: str


@dataclass(frozen=True)
class Cutoff:
    """A vertical line from `top` down, with its words at `label`; better is to the right."""

    name: str
    value: float
    x: float
    top: float
    label: Label


@dataclass(frozen=True)
class Dot:
    """One seed: a line of its own, with a dot at its score."""

    seed: str
    mark: str
    score: float
    x: float
    y: float

    @property
    def name(self) -> str:
        """The seed's label, cut where it would leave the margin."""
        return self.seed if len(self.seed) <= SHOWN else f"{self.seed[:SHOWN]}…"


@dataclass(frozen=True)
class Chart:
    """A drawing of WIDTH by `height` units."""

    height: float
    cutoffs: tuple[Cutoff, ...]
    dots: tuple[Dot, ...]
    width: float = WIDTH
    margin: float = LEFT - 16


def draw_cutoffs(
    cutoffs: Mapping[str, float], scores: Sequence[tuple[str, str, float]], lower_is_better: bool
) -> Chart | None:
    """The drawing of some seeds' scores. `scores`: seed, mark, score. None where there is no score to draw."""
    if not scores:
        return None
    sign = -1.0 if lower_is_better else 1.0
    values = [sign * value for value in (*cutoffs.values(), *(score for _, _, score in scores))]
    low, span = min(values), (max(values) - min(values)) or 1.0

    def place(value: float) -> float:
        return round(LEFT + (sign * value - low) / span * (WIDTH - LEFT - RIGHT), 2)

    first_seed_y = TOP + LABEL_STEP * len(cutoffs)
    lines = sorted(cutoffs.items(), key=lambda item: sign * item[1])
    return Chart(
        height=first_seed_y + SEED_STEP * len(scores),
        cutoffs=tuple(_cutoff(name, value, place(value), row) for row, (name, value) in enumerate(lines)),
        dots=tuple(
            Dot(seed, mark, score, place(score), first_seed_y + SEED_STEP * (row + 0.4))
            for row, (seed, mark, score) in enumerate(scores)
        ),
    )


def _cutoff(name: str, value: float, x: float, row: int) -> Cutoff:
    """Each label has a row of its own, so that close cut-offs stay readable."""
    y = TOP + LABEL_STEP * row
    # On the side that has more room.
    label = Label(x - 5, y, "end") if x > (LEFT + WIDTH) / 2 else Label(x + 5, y, "start")
    return Cutoff(name, value, x, y - 10, label)
