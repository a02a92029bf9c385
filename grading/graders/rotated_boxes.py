"""Overlap of upright boxes that stand on the ground turned by an angle.

A box is centre x, y, z, width, length, height, yaw (radians); its length lies along the yaw direction. Shapes
(boxes, 7). Source: the definition of 3D IoU in the Lyft and nuScenes development kits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from .answers import Floats

X, Y, Z, WIDTH, LENGTH, HEIGHT, YAW = range(7)
# Pairs of boxes clipped at once, so that a long list needs no more memory than a short one.
PAIRS = 1 << 14
ROUNDING = 1e-9
# Part of a table of overlaps, the places in it to be filled, and the boxes that meet there.
Meeting = tuple[Floats, npt.NDArray[np.intp], npt.NDArray[np.intp], Floats, Floats]
CORNERS = np.array([[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]])


def box_overlaps(left: Floats, right: Floats, least: float = 0.0) -> Floats:
    """3D IoU, 0 to 1, shape (left, right). Those that cannot exceed `least` may be given as 0."""
    return overlaps_of_lists([(left, right)], least)[0]


def overlaps_of_lists(lists: Sequence[tuple[Floats, Floats]], least: float = 0.0) -> list[Floats]:
    """`box_overlaps` of each pair of lists. Pairs of boxes that may meet are clipped many at a time."""
    overlaps = [np.zeros((len(left), len(right))) for left, right in lists]
    waiting: list[Meeting] = []
    number = 0
    for table, (left, right) in zip(overlaps, lists, strict=True):
        for meeting in _meetings(table, left, right, least):
            waiting.append(meeting)
            number += len(meeting[1])
            if number >= PAIRS:
                _fill(waiting)
                waiting, number = [], 0
    _fill(waiting)
    return overlaps


def _meetings(table: Floats, left: Floats, right: Floats, least: float) -> Iterator[Meeting]:
    rows = max(1, PAIRS // max(1, len(right)))
    for start in range(0, len(left), rows):
        some = left[start : start + rows]
        i, j = np.nonzero(_may_exceed(some, right, least))
        if len(i):
            yield table[start : start + rows], i, j, some[i], right[j]


def _fill(meetings: Sequence[Meeting]) -> None:
    if not meetings:
        return
    tables, rows, columns, left, right = zip(*meetings, strict=True)
    values = _paired_overlaps(np.concatenate(left), np.concatenate(right))
    ends = np.cumsum([len(each) for each in rows])
    for table, i, j, some in zip(tables, rows, columns, np.split(values, ends[:-1]), strict=True):
        table[i, j] = some


def ground_overlap(left: Floats, right: Floats) -> Floats:
    """Common area of the ground rectangles of equally many boxes, shape (boxes,)."""
    polygon = _seen_from(_ground_corners(left) - right[:, None, [X, Y]], right[:, YAW])
    for axis, size in ((0, LENGTH), (1, WIDTH)):
        for _ in range(2):
            polygon = -_clip(polygon, axis, right[:, size] / 2)
    return _area(polygon)


def _paired_overlaps(left: Floats, right: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        common = ground_overlap(left, right) * _common_height(left, right)
        volumes = left[:, WIDTH : HEIGHT + 1].prod(axis=1) + right[:, WIDTH : HEIGHT + 1].prod(axis=1)
        overlaps: Floats = np.clip(np.nan_to_num(common / (volumes - common)), 0.0, 1.0)
    return overlaps


def _common_height(left: Floats, right: Floats) -> Floats:
    tops = np.minimum(*(box[:, Z] + box[:, HEIGHT] / 2 for box in (left, right)))
    bottoms = np.maximum(*(box[:, Z] - box[:, HEIGHT] / 2 for box in (left, right)))
    common: Floats = np.maximum(tops - bottoms, 0.0)
    return common


def _may_exceed(left: Floats, right: Floats, least: float) -> npt.NDArray[np.bool_]:
    """False, shape (left, right), where not even the best turn of the boxes would give an IoU above `least`."""
    with np.errstate(over="ignore", invalid="ignore"):
        radii = [np.hypot(box[:, WIDTH], box[:, LENGTH]) / 2 for box in (left, right)]
        apart = np.hypot(*(left[:, None, axis] - right[None, :, axis] for axis in (X, Y)))
        meet: npt.NDArray[np.bool_] = apart <= radii[0][:, None] + radii[1][None, :]
        volumes = [box[:, WIDTH : HEIGHT + 1].prod(axis=1) for box in (left, right)]
        # The smaller of two boxes at most is common, and of a needle no more than its width times the diagonal of
        # the box that it crosses: what clipping says of one too long for its digits is noise. A little is allowed
        # for rounding.
        heights = np.minimum(left[:, None, HEIGHT], right[:, HEIGHT])
        common = np.minimum(volumes[0][:, None], volumes[1])
        common = np.minimum(common, _thickness(left)[:, None] * 2 * radii[1] * heights)
        too_small = common * (1 + ROUNDING) <= least * np.maximum(volumes[0][:, None], volumes[1])
    return np.asarray(meet & ~too_small)


def _thickness(boxes: Floats) -> Floats:
    """The shorter side on the ground."""
    return np.minimum(boxes[:, WIDTH], boxes[:, LENGTH])


def _ground_corners(boxes: Floats) -> Floats:
    """Corners in order, shape (boxes, 4, 2)."""
    flat = CORNERS * boxes[:, None, [LENGTH, WIDTH]]
    return _seen_from(flat, -boxes[:, YAW]) + boxes[:, None, [X, Y]]


def _seen_from(points: Floats, yaw: Floats) -> Floats:
    """Points (boxes, n, 2) in axes turned by the yaw of each box."""
    cos, sin = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    x, y = points[..., 0], points[..., 1]
    return np.stack((x * cos + y * sin, y * cos - x * sin), axis=-1)


def _clip(polygons: Floats, axis: int, bounds: Floats) -> Floats:
    """Polygons cut off where the coordinate exceeds the bound: twice the points, the area that is left.

    A point beyond the bound moves onto it, and where an edge crosses the bound a point is put in; what lies
    beyond collapses to a line without area.
    """
    start, end = polygons, np.roll(polygons, -1, axis=1)
    bound = bounds[:, None]
    a, b = start[..., axis], end[..., axis]
    crosses = (a > bound) != (b > bound)
    share = np.where(crosses, (bound - a) / np.where(crosses, b - a, 1.0), 0.0)
    met = start + share[..., None] * (end - start)
    moved = start.copy()
    moved[..., axis] = np.minimum(a, bound)
    both = np.stack((moved, np.where(crosses[..., None], met, moved)), axis=2)
    return both.reshape(len(polygons), -1, 2)


def _area(polygons: Floats) -> Floats:
    x, y = polygons[..., 0], polygons[..., 1]
    doubled: Floats = np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1)
    return np.abs(doubled) / 2
