"""Recipes for classes, probabilities and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from grading.specs import CompetitionSpec

from ..rows import Size
from .frames import Frame
from .words import WORDS, Rng, change_words, make_ids, make_texts

SHARE_RIGHT = 0.8
Predict = Callable[[Rng], Frame]


@dataclass(frozen=True)
class MadeUp:
    """Labels, in the order of the answers, and a function that draws one set of imperfect predictions of them.

    `ids`: the id columns where the usual pattern does not fit. `extra`: further columns of the answers.
    `in_order`: predictions keep the order of the answers, since rows are paired by position. `lines`: the
    answers as JSON lines. `whole`: predictions are whole tables, ids and all.
    """

    labels: Frame
    predict: Predict
    ids: Frame | None = None
    extra: Frame | None = None
    in_order: bool = False
    lines: Sequence[str] | None = None
    whole: bool = False


Recipe = Callable[[CompetitionSpec, Size, Rng], MadeUp]


def target_names(spec: CompetitionSpec, size: Size) -> list[str]:
    """The target columns; `*` stands for as many as there are classes."""
    if spec.target_columns == ("*",):
        return [f"class_{i:03}" for i in range(size.classes)]
    return list(spec.target_columns)


def label_names(spec: CompetitionSpec, size: Size) -> list[str]:
    """The columns of the answers that hold the labels."""
    return list(spec.metric.params.get("labels", ())) or target_names(spec, size)


def make_flags(rows: int, share: float, rng: Rng) -> np.ndarray:
    """Zeros and ones, at least one of each."""
    flags = (rng.random(rows) < share).astype(np.int64)
    flags[:2] = 0, 1
    return flags


def guess_flags(flags: np.ndarray, rng: Rng) -> np.ndarray:
    """Probabilities that mostly lie on the right side of one half."""
    return np.clip(0.25 + 0.5 * flags + rng.normal(0, 0.2, flags.shape), 0.0, 1.0)


def make_probabilities(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Yes or no in every target column, predicted by probabilities."""
    names = label_names(spec, size)
    labels: Frame = {name: make_flags(size.rows, 0.2, rng) for name in names}

    def predict(rng: Rng) -> Frame:
        cells = zip(target_names(spec, size), labels.values(), strict=True)
        return {name: guess_flags(np.asarray(flags), rng) for name, flags in cells}

    return MadeUp(labels, predict)


def make_distribution(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """One class of many per row, predicted by probabilities that sum to one."""
    names = target_names(spec, size)
    right = rng.integers(len(names), size=size.rows)
    one_hot = np.eye(len(names), dtype=np.int64)[right]

    def predict(rng: Rng) -> Frame:
        weights = rng.exponential(1.0, (size.rows, len(names))) + one_hot * rng.exponential(
            len(names), (size.rows, 1)
        )
        return dict(zip(names, (weights / weights.sum(axis=1, keepdims=True)).T, strict=True))

    return MadeUp(dict(zip(names, one_hot.T, strict=True)), predict)


def make_classes(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """One whole number per row."""
    return _replace_some(
        spec,
        rng.integers(1, size.classes + 1, size=size.rows),
        lambda n, rng: rng.integers(1, size.classes + 1, size=n),
    )


def make_yes_no(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """0 or 1 per row."""
    return _replace_some(spec, make_flags(size.rows, 0.1, rng), lambda n, rng: rng.integers(2, size=n))


def make_true_false(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """True or False per row."""
    return _replace_some(spec, make_flags(size.rows, 0.5, rng) > 0, lambda n, rng: rng.random(n) < 0.5)


def make_names(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """One word of a few per row."""
    names = np.array([f"{WORDS[3 * i]}_{WORDS[i]}" for i in range(size.classes)], dtype=object)
    return _replace_some(
        spec,
        names[rng.integers(len(names), size=size.rows)],
        lambda n, rng: names[rng.integers(len(names), size=n)],
    )


def make_measurements(
    spec: CompetitionSpec, size: Size, rng: Rng, low: float = 1.0, high: float = 99.0
) -> MadeUp:
    """A number between the bounds in every target column, predicted with an error."""
    names = target_names(spec, size)
    labels: Frame = {name: np.round(rng.uniform(low, high, size.rows), 4) for name in names}

    def predict(rng: Rng) -> Frame:
        noise = (high - low) / 20
        return {
            name: np.clip(np.asarray(cells) + rng.normal(0, noise, size.rows), low, high)
            for name, cells in labels.items()
        }

    return MadeUp(labels, predict)


def make_texts_to_repeat(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """A few words per row, of which predictions get one wrong now and then."""
    words = make_texts(rng.integers(1, 2 * size.objects + 1, size=size.rows), rng)
    return _texts(
        spec, words, lambda rng: [each or ["none"] for each in change_words(words, 1 - SHARE_RIGHT, rng)]
    )


def make_tags(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Several tags per row."""
    tags = [f"{i}" if "attribute" in spec.target_columns[0] else f"tag{i}" for i in range(size.classes)]

    def draw(rng: Rng) -> list[list[str]]:
        counts = rng.integers(1, 2 * size.objects, size=size.rows)
        flat = (rng.random(int(counts.sum())) ** 3 * len(tags)).astype(np.intp).tolist()
        ends = np.cumsum(counts).tolist()
        return [[tags[i] for i in flat[start:end]] for start, end in zip([0, *ends[:-1]], ends, strict=True)]

    right = draw(rng)

    def predict(rng: Rng) -> list[list[str]]:
        keep = rng.random(size.rows) < SHARE_RIGHT
        return [old if kept else new for old, new, kept in zip(right, draw(rng), keep, strict=True)]

    return _texts(spec, right, predict)


def make_ranked(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """One class per row, predicted by a list of five."""
    classes = (
        make_ids("w_{hex:7}", size.classes, 0, rng)
        if "whale" in spec.id
        else list(map(str, range(size.classes)))
    )
    right = rng.integers(len(classes), size=size.rows)

    def predict(rng: Rng) -> list[list[str]]:
        drawn = rng.integers(len(classes), size=(size.rows, 5))
        hit = np.flatnonzero(rng.random(size.rows) < SHARE_RIGHT)
        drawn[hit, rng.integers(5, size=len(hit))] = right[hit]
        return [[classes[i] for i in row] for row in drawn.tolist()]

    return _texts(spec, [[classes[i]] for i in right.tolist()], predict)


def _texts(
    spec: CompetitionSpec, right: Iterable[list[str]], predict: Callable[[Rng], list[list[str]]]
) -> MadeUp:
    (name,) = spec.target_columns
    return MadeUp({name: list(map(" ".join, right))}, lambda rng: {name: list(map(" ".join, predict(rng)))})


def _replace_some(spec: CompetitionSpec, right: np.ndarray, draw: Callable[[int, Rng], np.ndarray]) -> MadeUp:
    (name,) = spec.target_columns

    def predict(rng: Rng) -> Frame:
        wrong = rng.random(len(right)) > SHARE_RIGHT
        return {name: np.where(wrong, draw(len(right), rng), right)}

    return MadeUp({name: right}, predict)
