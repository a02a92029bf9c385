"""Processes that end at a step, and the life in which nothing goes wrong."""

import time
from collections.abc import Sequence

from tests.faults.trial import Trials, act_at


def killed(trials: Trials, steps: Sequence[str]) -> None:
    """Each of the steps is the last that its process reaches."""
    act_at(trials, "SIGKILL", trials.site.kill, steps)


def untroubled(trials: Trials) -> None:
    """Nothing goes wrong."""
    began = time.monotonic()
    trials.judge(trials.play(), "none", ["(nothing)"], began)
