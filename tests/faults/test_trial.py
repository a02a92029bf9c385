"""What is an orphan for good, and what was only on its way."""

from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.faults import trial
from tests.faults.trial import Trials


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What is found at one look after the other, the last for ever. Nobody waits, and intake is rung for show."""
    looks: list[list[str]] = []
    found = (look for look in chain(looks, repeat(None)))
    last: list[list[str]] = [[]]

    def look() -> list[str]:
        last.append(next(found) or last[-1])
        return last[-1]

    monkeypatch.setattr(trial, "orphans", look)
    monkeypatch.setattr(trial, "wait_for", lambda condition, within_s: any(condition() for _ in range(5)))
    monkeypatch.setattr(trial, "current_app", SimpleNamespace(send_task=lambda *_, **__: None))
    return looks


def orphans_for_good() -> list[str]:
    return Trials.orphans_for_good(cast(Any, None))


def test_a_copy_that_is_being_read_is_none(seen: list[list[str]]) -> None:
    seen += [["spool/first"], ["spool/second"], ["spool/third"]]
    assert orphans_for_good() == []


def test_what_stays_is_one(seen: list[list[str]]) -> None:
    seen += [["spool/lost", "spool/read"], ["spool/lost", "spool/next"]]
    assert orphans_for_good() == ["spool/lost"]


def test_nothing_is_none(seen: list[list[str]]) -> None:
    assert orphans_for_good() == []
