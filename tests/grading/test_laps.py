"""What each part of a piece of work cost, by a clock of the test's own."""

from grading.laps import Laps


def test_each_part_counts_from_the_end_of_the_one_before() -> None:
    moments = iter([1.0, 1.25, 2.0, 2.0, 2.5])
    laps = Laps(lambda: next(moments))
    for part in ("claim", "run", "record", "claim"):
        laps.end(part)
    assert laps.ms == {"claim": 750.0, "run": 750.0, "record": 0.0}
    assert str(laps) == "claim 750.0 ms, run 750.0 ms, record 0.0 ms"
