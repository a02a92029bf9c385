"""Several comparisons at once. Pure. Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def adjust(p_values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """The p values by Holm, in the order given: below alpha, they are significant at alpha all together."""
    values = np.asarray(p_values, dtype=np.float64)
    rising = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    times = np.arange(len(values), 0, -1)
    adjusted[rising] = np.maximum.accumulate(np.minimum(1.0, times * values[rising]))
    return adjusted
