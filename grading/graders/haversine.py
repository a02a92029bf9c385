"""Distance error of positions: the mean of its median and 95th percentile per trip, averaged over trips.

Definition: great-circle distances on a sphere of 6,371,000 m by the haversine formula, percentiles with linear
interpolation. Source: Google Smartphone Decimeter Challenge 2022.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled

EARTH_RADIUS_M = 6_371_000.0


def haversine_m(predicted: Floats, true: Floats) -> Floats:
    """Distances in metres, shape (rows,), between (latitude, longitude) in degrees, shape (rows, 2) each."""
    (lat1, lon1), (lat2, lon2) = np.radians(predicted).T, np.radians(true).T
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return np.asarray(2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(a)))


def mean_percentile_error(distances: Floats, trips: np.ndarray) -> float:
    """Mean over trips of (50th + 95th percentile) / 2, in the unit of the distances."""
    _, trip = np.unique(trips, return_inverse=True)
    per_trip = np.split(distances[np.argsort(trip, kind="stable")], np.cumsum(np.bincount(trip))[:-1])
    return float(np.mean([np.quantile(each, [0.5, 0.95]).mean() for each in per_trip]))


def grade_percentile_error(rows: Labelled) -> float:
    """The target columns are latitude and longitude, in this order; the first id column is the trip."""
    trips = rows.true(rows.job.id_columns[0]).values
    return mean_percentile_error(haversine_m(*rows.matrices()), trips)
