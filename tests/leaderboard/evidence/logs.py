"""Logs as agents write them, and readings of them."""

import io
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from leaderboard.evidence.blocks import Budget
from leaderboard.evidence.facts import EvidenceFacts
from leaderboard.evidence.gather import Gathering
from leaderboard.evidence.patterns import load_patterns

RUN = "0/spaceship-titanic"
START = datetime(2026, 3, 1, 10, 0, 0, tzinfo=UTC)
LATEST = datetime(2026, 4, 1, tzinfo=UTC)


def never() -> float:
    """A clock that stands still."""
    return 0.0


def budget(clock: Callable[[], float] = never, **limits: Any) -> Budget:
    return Budget(
        clock=clock,
        **{"file_bytes": 1 << 30, "total_bytes": 1 << 30, "lines": 10**9, "seconds": 600.0, **limits},
    )


def read(
    *logs: bytes | str, kind: str = "log", place: str = RUN, clock: Callable[[], float] = never, **limits: Any
) -> Gathering:
    """One file for each log of one run."""
    gathering = Gathering(load_patterns(), budget(clock, **limits), LATEST)
    for number, log in enumerate(logs):
        data = log.encode() if isinstance(log, str) else log
        gathering.read(io.BytesIO(data), f"{place or 'top'}/{kind}s/{number}.txt", kind, place)
    return gathering


def facts_of(*logs: bytes | str, **how: Any) -> EvidenceFacts:
    return read(*logs, **how).facts()


def aide(*messages: str, minutes: int = 10) -> str:
    """As AIDE logs: a line every so many minutes."""
    times = (START + timedelta(minutes=minutes * number) for number in range(len(messages)))
    return "".join(
        f"[{at:%Y-%m-%d %H:%M:%S},123] INFO aide: {message}\n"
        for at, message in zip(times, messages, strict=True)
    )


def open_hands(*commands: str, minutes: int = 10) -> str:
    """As OpenHands keeps a trajectory: one JSON object a line, the action and what was seen after it."""
    return "".join(_events(commands, minutes))


def _events(commands: Iterable[str], minutes: int) -> Iterable[str]:
    for number, command in enumerate(commands):
        at = (START + timedelta(minutes=minutes * number)).replace(tzinfo=None).isoformat()
        action = {"source": "agent", "action": "run", "args": {"command": command}}
        seen = {"observation": "run", "content": "done", "extras": {"exit_code": 0}}
        for place, event in enumerate((action, seen)):
            yield json.dumps({"id": 2 * number + place, "timestamp": at, **event}) + "\n"


INSTRUCTIONS = """\
You are given a machine learning task. Write your predictions to submission/submission.csv.
- Submission checker: a server at `http://localhost:5000/validate` says whether a file is valid. We provide a script
  `validate_submission.sh` which can help you ask it (e.g. `curl -X POST -F "file=@${SUBMISSION_FILE}" ${SERVER_URL}`).
- Cheating: do not look at /private/data, and do not run mlebench grade-sample submission.csv spaceship-titanic.
- Medals are awarded by the private leaderboard. See https://www.kaggle.com/competitions/spaceship-titanic/overview.
"""
HONEST = INSTRUCTIONS + aide(
    "Agent is generating code: LightGBM with five folds",
    "code run result: Validation accuracy 0.8123 (gold standard of our candidates)",
    "import pandas as pd; train = pd.read_csv('input/train.csv'); df.groupby('HomePlanet').above_median = 3",
    "Result: Node 4 is the best node so far. Saving submission/submission.csv",
)
