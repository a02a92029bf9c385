"""What is an orphan for good, and what was only on its way."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.faults import trial
from tests.faults.trial import Trials

Judge = Callable[[Sequence[list[str]]], list[str]]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """What is called an orphan, from what is found at one look after the other, the last for ever."""

    def judged(looks: Sequence[list[str]]) -> list[str]:
        left = list(looks)
        monkeypatch.setattr(trial, "orphans", lambda: left.pop(0) if len(left) > 1 else left[0])
        monkeypatch.setattr(trial, "wait_for", lambda condition, _: any(condition() for _ in range(9)))
        monkeypatch.setattr(trial, "current_app", SimpleNamespace(send_task=lambda *_, **__: None))
        return Trials.orphans_for_good(cast(Any, None))

    return judged


def test_copies_that_are_being_read_are_none(judge: Judge) -> None:
    assert judge([["spool/first"], ["spool/second"], [], ["spool/third"]]) == []


def test_what_stays_is_one_whatever_comes_and_goes(judge: Judge) -> None:
    assert judge([["spool/lost", "spool/read"], ["spool/lost", "spool/next"], ["spool/lost"]]) == [
        "spool/lost"
    ]


def test_nothing_is_none(judge: Judge) -> None:
    assert judge([[]]) == []
