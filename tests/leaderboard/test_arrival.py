"""How much of a request has arrived: the table of cases."""

import pytest

from leaderboard.launcher.arrival import LONGEST_HEAD, SMALL_BODY, Arrival, Pace, read_arrival

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def put(length: int, more: bytes = b"") -> bytes:
    return b"PUT / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: %d\r\n%s\r\n" % (length, more)


CASES = {
    "nothing": (b"", Arrival.WAIT),
    "half a line": (b"GET / HT", Arrival.WAIT),
    "all but the last byte": (GET[:-1], Arrival.WAIT),
    "whole": (GET, Arrival.ANSWER),
    "with the next": (GET + GET[:5], Arrival.ANSWER),
    "no body": (put(0), Arrival.ANSWER),
    "small body to come": (put(3) + b"ab", Arrival.WAIT),
    "small body": (put(3) + b"abc", Arrival.ANSWER),
    "as large as small ones are": (put(SMALL_BODY), Arrival.WAIT),
    "large body": (put(SMALL_BODY + 1), Arrival.RECEIVE),
    "large body that is here": (put(SMALL_BODY + 1) + b"x" * (SMALL_BODY + 1), Arrival.ANSWER),
    "asks whether to send": (put(3, b"Expect: 100-continue\r\n"), Arrival.RECEIVE),
    "unknown length": (b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", Arrival.RECEIVE),
    "a length that is none": (b"PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", Arrival.ANSWER),
    "a length inside the body": (put(40) + b"\r\nContent-Length: 99999999\r\n", Arrival.WAIT),
    "endless head": (b"GET / HTTP/1.1\r\nX: " + b"x" * LONGEST_HEAD, Arrival.RECEIVE),
}


@pytest.mark.parametrize(("received", "arrival"), CASES.values(), ids=CASES)
def test_what_is_done_with_it(received: bytes, arrival: Arrival) -> None:
    assert read_arrival(received) is arrival


@pytest.mark.parametrize(
    ("received", "waited_s", "is_too_slow"),
    [(0, 19.9, False), (20, 20.1, True), (4096 * 21, 20.9, False), (4096 * 21, 21.1, True)],
)
def test_a_sender_keeps_a_pace(received: int, waited_s: float, is_too_slow: bool) -> None:
    assert Pace(grace_s=20, bytes_per_s=4096).is_too_slow(received, waited_s) is is_too_slow
