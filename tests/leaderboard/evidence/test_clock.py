"""Hours by the times in logs: how they are written, what is no time of the log, and several files of one run."""

from datetime import timedelta

import pytest

from tests.leaderboard.evidence.logs import RUN, START, aide, facts_of, open_hands


def hours(*logs: str) -> float | None:
    span = facts_of(*logs).spans.get(RUN)
    return span.hours if span else None


WRITTEN = [
    (aide("a", "b", "c", minutes=60), 2.0),
    (open_hands("a", "b", "c", minutes=60), 2.0),
    ("2026-03-01T10:00:00Z a\n2026-03-01T12:30:00Z b\n", 2.5),
    ("2026-03-01T10:00:00.123456+02:00 a\n2026-03-01T10:00:00.1+00:00 b\n", 2.0),
    ("INFO:root:2026-03-01 10:00:00 a\nINFO:root:2026-03-01 11:30:00 b\n", 1.5),
    ("2026/03/01 10:00:00 a\n2026/03/01 11:00:00 b\n", 1.0),
    ('10.0.0.1 - - [01/Mar/2026 10:00:00] "GET /"\n10.0.0.1 - - [01/Mar/2026 10:45:00] "GET /"\n', 0.75),
    ("Sun Mar  1 10:00:00 UTC 2026\ntraining\nSun Mar  1 11:00:00 UTC 2026\n", 1.0),
    ("1772359200.5 a\n1772362800.25 b\n", 1.0),
    ('{"x": 1, "ts": 1772359200123}\n{"x": 2, "ts": 1772366400123}\n', 2.0),
    (
        '[{"role": "user", "timestamp": "2026-03-01T10:00:00"}, {"x": 1, "timestamp": "2026-03-01T13:00:00"}]',
        3.0,
    ),
]
NONE = [
    ("no times here\nat all\n", None),
    ("[2026-03-01 10:00:00,1] only one\n", None),
    ("2026-13-45 99:00:00 a\n2026-13-45 99:30:00 b\n", None),
    ("id,pickup\n0,2016-01-01 00:00:00\n1,2016-01-01 05:00:00\n", None),
    ("2016-01-01 00:00:00,7.5\n2016-01-01 05:00:00,8.5\n", None),
    ("2031-01-01 00:00:00 a\n2031-01-01 05:00:00 b\n", None),
    ("10:00:00 a\n15:00:00 b\n", None),
    ("loss 2026-03-01 10:00:00 x" * 3, None),
]


@pytest.mark.parametrize(("log", "expected"), WRITTEN + NONE)
def test_ways_to_write_times(log: str, expected: float | None) -> None:
    assert hours(log) == expected


def test_a_silence_of_a_night_is_no_hours_of_the_run() -> None:
    night = START + timedelta(hours=20)
    log = aide("a", "b", minutes=60) + f"[{night:%Y-%m-%d %H:%M:%S},0] again\n"
    assert hours(log + f"[{night + timedelta(hours=2):%Y-%m-%d %H:%M:%S},0] end\n") == 3.0


def test_a_step_back_begins_another_stretch() -> None:
    assert hours(aide("a", "b", minutes=60) + "2024-05-01 00:00:00\n2024-05-01 06:00:00\n") == 7.0


def test_files_that_write_alike_follow_one_another_and_overlaps_count_once() -> None:
    first, second = aide("a", "b", minutes=60), aide("a", "b", "c", minutes=60)
    assert hours(first, second) == 2.0
    later = first.replace("2026-03-01 1", "2026-03-02 1")
    assert hours(first, later) == 2.0


def test_of_two_ways_of_writing_the_longer_counts_as_zones_may_differ() -> None:
    utc = "2026-03-01T10:00:00Z a\n2026-03-01T11:00:00Z b\n"
    local = "Sun Mar  1 02:00:00 2026\nSun Mar  1 04:00:00 2026\n"
    assert hours(utc, local) == 2.0


def test_a_large_log_is_measured_from_end_to_end() -> None:
    times = (START + timedelta(seconds=2 * number) for number in range(18_001))
    log = "".join(f"[{at:%Y-%m-%d %H:%M:%S},0] INFO: one more step\n" for at in times)
    assert hours(log) == pytest.approx(10, abs=0.1)
