"""Exact distance between two sets of voxels: how far the worst voxel of one is from the nearest of the other.

Distances are Euclidean after dividing each axis by a number of its own. Two searches share the work. Voxels
with a neighbour close by are found on a small grid, offset by offset, nearest offsets first. Those that are
left are far from everything: for them growing samples of the other set give upper bounds, and whatever cannot
exceed the largest distance known so far is dropped. Source: definition of the directed Hausdorff distance.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Voxels = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bits = npt.NDArray[np.bool_]

NEAR = 8  # voxels searched on the grid, along each axis
SAMPLES = (16, 128, 1024, 8192)
PROBES = 16
CELLS = 1 << 16  # distances looked at at once; more would leave the processor's cache


def hausdorff_distance(left: Voxels, right: Voxels, shape: tuple[int, int, int]) -> float:
    """The larger of the two directed distances between distinct voxels (n, 3), none of them empty."""
    low = np.minimum(left.min(axis=0), right.min(axis=0)) - 1  # one layer more, for the surfaces
    high = np.maximum(left.max(axis=0), right.max(axis=0)) + 1
    grids = [_draw(side, low, high) for side in (left, right)]
    only_left, only_right = (_list(grids[0] & ~grids[1], low), _list(grids[1] & ~grids[0], low))
    return max(
        directed_distance(only_left, _list(_surface(grids[1]), low), shape),
        directed_distance(only_right, _list(_surface(grids[0]), low), shape),
    )


def directed_distance(sources: Voxels, targets: Voxels, shape: tuple[int, int, int]) -> float:
    """Largest distance from a source to the nearest target, 0 without sources; axes divided by `shape`."""
    if not len(sources):
        return 0.0
    scale = np.array(shape, dtype=np.float64)
    scaled = targets / scale
    known = float(np.sqrt(_nearest_squares(sources[:: len(sources) // PROBES + 1] / scale, scaled).max()))
    offsets, distances = _offsets(scale)
    if known < distances[-1]:
        sources, reached = _drop_near(sources, targets, offsets, distances)
        known = max(known, reached)
    return _search_far(sources / scale, scaled, known)


def _drop_near(sources: Voxels, targets: Voxels, offsets: Voxels, distances: Floats) -> tuple[Voxels, float]:
    """The sources without a target at any of the offsets, and the largest distance among the others."""
    low = np.maximum(sources.min(axis=0), targets.min(axis=0) - NEAR)
    high = np.minimum(sources.max(axis=0), targets.max(axis=0) + NEAR)
    inside = _within(sources, low, high)
    if not inside.any():
        return sources, 0.0
    low, high = low - NEAR, high + NEAR
    grid = _draw(targets[_within(targets, low, high)], low, high)
    steps = offsets @ _strides(grid.shape)
    flat, where, reached = grid.ravel(), np.flatnonzero(inside), 0.0
    active = (sources[where] - low) @ _strides(grid.shape)
    for step, distance in zip(steps.tolist(), distances.tolist(), strict=True):
        missed = ~flat[active + step]
        if missed.all():
            continue
        active, where, reached = active[missed], where[missed], distance
        if not active.size:
            break
    return np.concatenate((sources[~inside], sources[where])), reached


def _search_far(sources: Floats, targets: Floats, known: float) -> float:
    """The larger of `known` and the directed distance, by upper bounds from ever larger samples."""
    square, bounds = known**2, np.full(len(sources), np.inf)
    for size in (*SAMPLES, len(targets)):
        sample = targets[:: max(1, len(targets) // size)]
        bounds = np.minimum(bounds, _nearest_squares(sources, sample))
        worst = sources[np.argsort(bounds)[-PROBES:]]
        square = max(square, float(_nearest_squares(worst, targets).max(initial=0.0)))
        sources, bounds = sources[bounds > square], bounds[bounds > square]
    return float(np.sqrt(square))


def _nearest_squares(points: Floats, targets: Floats) -> Floats:
    """Squared distance of each point to its nearest target."""
    nearest = np.full(len(points), np.inf)
    rows = max(1, CELLS // max(1, len(targets)))
    for start in range(0, len(points), rows):
        block = points[start : start + rows, None, :]
        squares = np.square(block[..., 0] - targets[:, 0])
        for axis in (1, 2):
            squares += np.square(block[..., axis] - targets[:, axis])
        nearest[start : start + rows] = squares.min(axis=1)
    return nearest


def _offsets(scale: Floats) -> tuple[Voxels, Floats]:
    """Offsets by rising distance, as far as the grid's margin holds all of that distance."""
    steps = np.arange(-NEAR, NEAR + 1)
    offsets = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    distances = np.sqrt(((offsets / scale) ** 2).sum(axis=1))
    complete = np.flatnonzero(distances < (NEAR + 1) / scale.max())
    order = complete[np.argsort(distances[complete], kind="stable")]
    return offsets[order], distances[order]


def _draw(voxels: Voxels, low: Voxels, high: Voxels) -> Bits:
    """A grid from `low` to `high`, both inclusive, with these voxels set."""
    grid = np.zeros(high - low + 1, dtype=np.bool_)
    grid[tuple((voxels - low).T)] = True
    return grid


def _within(voxels: Voxels, low: Voxels, high: Voxels) -> Bits:
    inside: Bits = np.all((voxels >= low) & (voxels <= high), axis=1)
    return inside


def _strides(shape: tuple[int, ...]) -> Voxels:
    return np.array([shape[1] * shape[2], shape[2], 1], dtype=np.int64)


def _surface(grid: Bits) -> Bits:
    """The voxels with a face that touches no other: only they can be nearest to a voxel outside.

    The outermost layer of the grid is empty.
    """
    core = grid[1:-1, 1:-1, 1:-1]
    inner = core.copy()
    for axis in range(3):
        for end in (slice(None, -2), slice(2, None)):
            around = [slice(1, -1)] * 3
            around[axis] = end
            inner &= grid[tuple(around)]
    surface = grid.copy()
    surface[1:-1, 1:-1, 1:-1] = core & ~inner
    return surface


def _list(grid: Bits, low: Voxels) -> Voxels:
    """The voxels set in a grid that begins at `low`."""
    return np.argwhere(grid) + low
