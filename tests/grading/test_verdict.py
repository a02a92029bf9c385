"""Reading the sandbox's answer: whatever is not a clear verdict is a fault of ours, never a score."""

import pytest

from grading.sandbox.result import Outcome, SandboxResult
from grading.verdict import GraderFault, read_result


def result(payload: bytes = b"", outcome: Outcome = Outcome.FINISHED, exit_code: int = 0) -> SandboxResult:
    return SandboxResult(
        outcome=outcome, payload=payload, exit_code=exit_code, wall_s=0.5, peak_memory_mb=60.0, log=b""
    )


def test_a_score_is_read_with_what_it_cost() -> None:
    verdict = read_result(result(b'{"outcome": "scored", "score": 0.80345}'))
    assert (verdict.outcome, verdict.score, verdict.wall_s, verdict.peak_memory_mb) == (
        "scored",
        0.80345,
        0.5,
        60.0,
    )


def test_an_invalid_one_carries_code_and_sentence() -> None:
    verdict = read_result(
        result(b'{"outcome": "invalid", "code": "rows", "message": "Two rows are missing."}')
    )
    assert (verdict.outcome, verdict.score, verdict.code) == ("invalid", None, "rows")
    assert verdict.message == "Two rows are missing."


@pytest.mark.parametrize(
    ("outcome", "expected"), [(Outcome.TIMED_OUT, "timed_out"), (Outcome.OUT_OF_MEMORY, "out_of_memory")]
)
def test_limits_are_outcomes_of_their_own(outcome: Outcome, expected: str) -> None:
    verdict = read_result(result(b'{"outcome": "scored", "score": 1}', outcome=outcome))
    assert (verdict.outcome, verdict.score) == (expected, None)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"null",
        b'{"outcome": "scored"}',
        b'{"outcome": "scored", "score": true}',
        b'{"outcome": "scored", "score": "0.9"}',
        b'{"outcome": "scored", "score": NaN}',
        b'{"outcome": "scored", "score": Infinity}',
        b'{"outcome": "invalid", "score": 0.5}',
        b'{"outcome": "gold", "score": 0.5}',
        b'{"score": 0.5}',
        b'{"outcome": [], "score": null}',
        b'{"outcome": "scored", "score": 1' + b"0" * 400 + b"}",
        b"[" * 100_000,
        b'{"outcome": "invalid", "code": ' + b"[" * 100_000,
    ],
)
def test_anything_else_is_our_fault(payload: bytes) -> None:
    with pytest.raises(GraderFault):
        read_result(result(payload))


def test_text_that_no_database_takes_is_cleaned() -> None:
    verdict = read_result(
        result(rb'{"outcome": "invalid", "code": "a\u0000b", "message": "half \ud800 pair"}')
    )
    assert (verdict.code, verdict.message) == ("a?b", "half ? pair")
    assert (
        len(read_result(result(b'{"outcome": "invalid", "message": "%s"}' % (b"x" * 9000))).message) == 4000
    )


@pytest.mark.parametrize(
    ("outcome", "exit_code"), [(Outcome.FINISHED, 1), (Outcome.CRASHED, -11), (Outcome.KILLED_OUTPUT, -9)]
)
def test_a_crash_is_our_fault(outcome: Outcome, exit_code: int) -> None:
    with pytest.raises(GraderFault):
        read_result(result(b'{"outcome": "scored", "score": 1}', outcome, exit_code))
