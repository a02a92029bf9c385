"""Mean angular error between predicted and true directions.

Definition: mean angle between the unit vectors (sin z cos a, sin z sin a, cos z), in radians. Source: IceCube,
Neutrinos in Deep Ice.
"""

from __future__ import annotations

import numpy as np

from .answers import Floats, Labelled


def unit_vectors(azimuth: Floats, zenith: Floats) -> Floats:
    """Shape (3, rows) from angles in radians, shape (rows,) each."""
    across = np.sin(zenith)
    return np.array([across * np.cos(azimuth), across * np.sin(azimuth), np.cos(zenith)])


def mean_angular_error(predicted: Floats, true: Floats) -> float:
    """Mean angle, 0 to pi; unit vectors of shape (3, rows) each."""
    cosines = np.clip(np.sum(predicted * true, axis=0), -1, 1)
    return float(np.mean(np.arccos(cosines)))


def grade_mean_angular_error(rows: Labelled) -> float:
    """The target columns are azimuth and zenith, in this order."""
    predicted, true = rows.matrices()
    return mean_angular_error(unit_vectors(*predicted.T), unit_vectors(*true.T))
