"""The garbage collector runs again after a pause, whatever happened in it."""

import gc

import pytest

from leaderboard.collector import paused_collector


def test_it_runs_again_even_after_a_fault() -> None:
    seen = []

    def fail() -> None:
        with paused_collector():
            seen.append(gc.isenabled())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert seen == [False]
    assert gc.isenabled()


def test_who_has_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        with paused_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
