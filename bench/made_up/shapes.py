"""Recipes for masks and boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grading.specs import CompetitionSpec

from ..rows import Size
from .frames import Frame
from .labels import MadeUp
from .words import Rng, make_ids

Discs = np.ndarray  # centre across, centre down, radius; shape (discs, 3)
SHARE_EMPTY = 0.3
FINDINGS = 14
SLICES = 144


def draw_discs(count: int, size: Size, rng: Rng) -> Discs:
    """Discs somewhere in the image, small enough to leave room for others."""
    sides = np.array([size.width, size.height])
    radius = min(sides) / (4 * max(1.0, np.sqrt(count)))
    return np.column_stack(
        (rng.uniform(0, 1, (count, 2)) * sides, rng.uniform(0.4, 1, count) * max(radius, 1.5))
    )


def move_discs(discs: Discs, rng: Rng) -> Discs:
    """The discs a little off, by up to a quarter of their radius."""
    return np.asarray(discs + rng.uniform(-0.25, 0.25, discs.shape) * discs[:, 2:])


def encode_discs(discs: Discs, across: int, along: int) -> str:
    """Run lengths of the union of discs; pixels are numbered along lines of `along` pixels, one line after another."""
    starts, ends = [], []
    for x, y, radius in discs.tolist():
        lines = np.arange(max(0, int(x - radius)), min(across, int(x + radius) + 1))
        half = np.sqrt(np.maximum(radius**2 - (lines - x) ** 2, 0))
        low, high = np.clip(np.rint([y - half, y + half]).astype(np.int64), 0, along)
        starts.append((lines * along + low)[high > low])
        ends.append((lines * along + high)[high > low])
    return _join_runs(
        np.concatenate(starts or [np.zeros(0, np.int64)]), np.concatenate(ends or [np.zeros(0, np.int64)])
    )


def _join_runs(starts: np.ndarray, ends: np.ndarray) -> str:
    if not len(starts):
        return ""
    order = np.argsort(starts, kind="stable")
    starts, reach = starts[order], np.maximum.accumulate(ends[order])
    fresh = np.append(True, starts[1:] > reach[:-1])
    starts, ends = starts[fresh], reach[np.append(fresh[1:], True)]
    return " ".join(map(str, np.column_stack((starts + 1, ends - starts)).ravel().tolist()))


def make_masks(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Discs as run lengths; some images are empty, unless they are few."""
    (target,) = spec.target_columns
    (label,) = spec.metric.params.get("labels", (target,))
    by_rows = spec.id.startswith("vesuvius")  # This one numbers pixels along the rows.
    across, along = (size.height, size.width) if by_rows else (size.width, size.height)
    empty = spec.metric.params.get("empty_mask", "")
    full = rng.random(size.rows) > (SHARE_EMPTY if size.rows > 3 else 0)
    discs = [draw_discs(max(1, size.objects) if each else 0, size, rng) for each in full]

    def encode(images: Sequence[Discs]) -> list[str]:
        return [
            encode_discs(each[:, [1, 0, 2]] if by_rows else each, across, along) or empty for each in images
        ]

    sides = {"h": size.height, "w": size.width}
    extra: Frame = {
        name: [sides[name.replace("image_", "")[0]]] * size.rows
        for name in spec.metric.params.get("reads", ())
    }
    return MadeUp(
        {label: encode(discs)},
        lambda rng: {target: encode([move_discs(each, rng) for each in discs])},
        extra=extra,
        in_order=spec.id.startswith("vesuvius"),
    )


def make_organs(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Scans of 144 slices, three organs each: discs that wander and swell from slice to slice."""
    row = np.arange(size.rows)
    organ, slice_, scan = row % 3, row // 3 % SLICES, row // (3 * SLICES)
    middle = rng.uniform(0.3, 0.7, (scan.max() + 1, 3, 2))[scan, organ] * np.array([size.width, size.height])
    drift = 10 * np.column_stack((np.sin(slice_ / 20 + organ), np.cos(slice_ / 20 - organ)))
    radius = 20 * np.sqrt(np.maximum(0, 1 - ((slice_ - SLICES / 2) / (SLICES / 3)) ** 2))
    discs = np.column_stack((middle + drift, radius))

    def encode(discs: Discs) -> list[str]:
        return [encode_discs(each[None], size.width, size.height) if each[2] > 0 else "" for each in discs]

    def predict(rng: Rng) -> Frame:
        off = np.cumsum(rng.normal(0, 0.3, discs.shape), axis=0) % 4 - 2
        return {"predicted": encode(discs + np.where(discs[:, 2:] > 0, off, 0))}

    names = ("large_bowel", "small_bowel", "stomach")
    ids: Frame = {
        "id": [
            f"case{a + 1}_day{a % 5}_slice_{b + 1:04}"
            for a, b in zip(scan.tolist(), slice_.tolist(), strict=True)
        ],
        "class": [names[i] for i in organ.tolist()],
    }
    extra: Frame = {"image_width": [size.width] * size.rows, "image_height": [size.height] * size.rows}
    return MadeUp({"predicted": encode(discs)}, predict, ids=ids, extra=extra, in_order=True)


def make_points(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Characters in boxes on a page, predicted by points."""
    pages = [_draw_characters(int(n), size.classes, rng) for n in _counts(size, rng)]

    def guess(page: np.ndarray, rng: Rng) -> str:
        points = page[:, 1:3] + page[:, 3:] * rng.uniform(0.1, 1.1, (len(page), 2))
        kept = rng.random(len(page)) < 0.95
        return " ".join(
            f"U+{c:04X} {x} {y}"
            for (c, *_), (x, y), k in zip(page.tolist(), points.astype(int).tolist(), kept, strict=True)
            if k
        )

    labels = [" ".join(f"U+{c:04X} {x} {y} {w} {h}" for c, x, y, w, h in page.tolist()) for page in pages]
    return MadeUp({"labels": labels}, lambda rng: {"labels": [guess(page, rng) for page in pages]})


def _draw_characters(count: int, classes: int, rng: Rng) -> np.ndarray:
    kinds = (rng.random(count) ** 3 * classes).astype(np.int64) + 0x3041
    return np.column_stack((kinds, rng.integers(0, 2500, (count, 2)), rng.integers(40, 120, (count, 2))))


def make_boxes_3d(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Cars and others on a street, predicted a little off."""
    kinds = ("car", "other_vehicle", "pedestrian", "bicycle", "truck", "bus")
    samples = [_draw_vehicles(int(n), rng) for n in _counts(size, rng)]

    def write(boxes: np.ndarray, scores: np.ndarray) -> str:
        numbers = np.round(np.column_stack((scores, boxes[:, 1:])), 6).tolist()
        cells = zip(numbers, boxes[:, 0].astype(int).tolist(), strict=True)
        return " ".join(f"{' '.join(map(str, row))} {kinds[kind]}" for row, kind in cells)

    def guess(boxes: np.ndarray, rng: Rng) -> str:
        off = boxes + rng.normal(0, 0.08, boxes.shape) * np.array([0, 2, 2, 1, 1, 1, 1, 1])
        off[:, 4:7] = np.maximum(off[:, 4:7], 0.2)
        return write(np.concatenate((off, _draw_vehicles(3, rng))), rng.random(len(boxes) + 3))

    return MadeUp(
        {"PredictionString": [write(boxes, np.ones(len(boxes))) for boxes in samples]},
        lambda rng: {"PredictionString": [guess(boxes, rng) for boxes in samples]},
    )


def _draw_vehicles(count: int, rng: Rng) -> np.ndarray:
    """Kind, centre x y z, width, length, height, yaw; shape (count, 8)."""
    kinds = np.minimum(rng.geometric(0.6, count) - 1, 5)
    return np.column_stack(
        (
            kinds,
            rng.uniform(1000, 1120, (count, 2)),
            rng.normal(-20, 0.5, count),
            rng.uniform(1.5, 2.5, count),
            rng.uniform(3.5, 6, count),
            rng.uniform(1.3, 2.2, count),
            rng.uniform(-np.pi, np.pi, count),
        )
    )


def make_studies_and_images(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Half of the rows are studies with one of four words, half images with boxes or none."""
    words = ("negative", "typical", "indeterminate", "atypical")
    studies = size.rows // 2
    kinds = rng.integers(len(words), size=studies)
    images = [_draw_rectangles(int(n), rng) for n in rng.integers(0, 4, size=size.rows - studies)]
    ids = make_ids(size.id, size.rows, 0, rng)
    named = [f"{each}_{'study' if i < studies else 'image'}" for i, each in enumerate(ids)]

    def write(boxes: np.ndarray, scores: Sequence[float]) -> str:
        lines = [
            f"opacity {s:.4f} {' '.join(map(str, box))}"
            for box, s in zip(boxes.tolist(), scores, strict=True)
        ]
        return " ".join(lines) or "none 1 0 0 1 1"

    def guess(rng: Rng) -> Frame:
        scores = rng.dirichlet(np.ones(4), studies) + np.eye(4)[kinds]
        cells = [
            " ".join(f"{word} {s:.4f} 0 0 1 1" for word, s in zip(words, row, strict=True))
            for row in scores.tolist()
        ]
        boxes = [np.round(each + rng.normal(0, 30, each.shape), 2) for each in images]
        return {
            "PredictionString": cells
            + [
                f"none {float(rng.random()):.4f} 0 0 1 1 {write(each, rng.random(len(each)).tolist())}"
                for each in boxes
            ]
        }

    right = [f"{words[kind]} 1 0 0 1 1" for kind in kinds.tolist()] + [
        write(each, [1.0] * len(each)) for each in images
    ]
    return MadeUp({"PredictionString": right}, guess, ids={"id": named})


def make_findings(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Several boxes per X-ray in the answers, one row each; a submission has one row per image."""
    images = make_ids(size.id, size.rows, 0, rng)
    boxes = [_draw_rectangles(int(n), rng) for n in _counts(size, rng)]
    kinds = [rng.integers(FINDINGS, size=len(each)) for each in boxes]
    flat = np.concatenate(boxes)
    ids = [image for image, each in zip(images, boxes, strict=True) for _ in range(len(each))]
    labels: Frame = {
        "class_id": np.concatenate(kinds),
        **dict(zip(("x_min", "y_min", "x_max", "y_max"), flat.T, strict=True)),
    }

    def guess(rng: Rng) -> Frame:
        cells = []
        for each, of_each in zip(boxes, kinds, strict=True):
            off = np.concatenate((each + rng.normal(0, 40, each.shape), _draw_rectangles(4, rng)))
            words = zip(
                [*of_each.tolist(), *rng.integers(FINDINGS, size=4).tolist()],
                rng.random(len(off)).tolist(),
                np.round(off, 1).tolist(),
                strict=True,
            )
            cells.append(
                " ".join(f"{kind} {score:.4f} {' '.join(map(str, box))}" for kind, score, box in words)
            )
        return {"image_id": images, "PredictionString": cells}

    return MadeUp(labels, guess, ids={"image_id": ids}, whole=True)


def _draw_rectangles(count: int, rng: Rng) -> np.ndarray:
    low = rng.integers(0, 1500, (count, 2))
    return np.concatenate((low, low + rng.integers(100, 900, (count, 2))), axis=1).astype(np.float64)


def _counts(size: Size, rng: Rng) -> np.ndarray:
    """Objects per cell, one at least."""
    return 1 + rng.poisson(max(0, size.objects - 1), size=size.rows)
