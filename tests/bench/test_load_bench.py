"""The load benches: what they promise, what they count, and how they say it. None of them is run here."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.load_lists import _lines
from bench.load_promises import Promise, show, tell
from bench.load_readers import BROKEN, Read, beside, fetch
from bench.load_sender import make_file, read_bundle, read_slice
from bench.load_soak import judge, slope


@pytest.mark.parametrize(
    ("promise", "verdict"),
    [
        (Promise("a", 1, "s"), ""),
        (Promise("a", 1, "s", at_most=1), "met"),
        (Promise("a", 1.1, "s", at_most=1), "MISSED"),
        (Promise("a", 0.8, "ratio", at_least=0.8), "met"),
        (Promise("a", 0.79, "ratio", at_least=0.8), "MISSED"),
        (Promise("a", 1, "", at_most=0), "MISSED"),
    ],
)
def test_a_promise_is_met_or_missed(promise: Promise, verdict: str) -> None:
    assert promise.verdict == verdict
    assert tell([promise], is_json=True) == (verdict == "MISSED")
    assert show([promise]).row_count == 1


def test_json_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    tell([Promise("a", 1, "s", at_most=2), Promise("b", 3, "s")], is_json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["what"], line["found"], line["is_met"]) for line in lines] == [
        ("a", 1, True),
        ("b", 3, True),
    ]


def test_the_slope_is_that_of_memory_and_time() -> None:
    assert slope([(0, 10), (1, 12), (2, 14)]) == pytest.approx(2)
    assert slope([(1, 10)]) == 0


def test_growth_while_warming_up_is_left_out() -> None:
    warming = [(0.1, 10.0), (1.0, 90.0)]
    flat, growing = [(m / 2, 100.0) for m in range(8, 20)], [(m / 2, 100.0 + m) for m in range(8, 20)]
    found = judge({"web": warming + flat, "intake": warming + growing, "gone": warming}, minutes=10)
    assert {each.what: each.verdict for each in found} == {
        "growth of web": "met",
        "growth of intake": "MISSED",
    }


def test_every_list_above_the_limit_is_named() -> None:
    assert [(each.what, each.verdict) for each in _lines("sqlite", {"a": 1.0, "b": 2.0})] == [
        ("b on sqlite", "met")
    ]
    missed = list(_lines("sqlite", {"a": 30.0, "b": 40.0, "c": 1.0}))
    assert [(each.what, each.verdict) for each in missed] == [
        ("b on sqlite", "MISSED"),
        ("a on sqlite", "MISSED"),
    ]


def test_what_failed_is_what_had_no_answer_or_a_servers_fault() -> None:
    read = Read(Counter({200: 5, 404: 1, 500: 2, 503: 1, BROKEN: 3}), [0.001] * 9)
    assert read.failed == 6
    assert read.percentile_ms(50) == pytest.approx(1)


def test_a_bundle_is_read_in_parts_with_their_checksums(tmp_path: Path) -> None:
    bundle = read_bundle(make_file(tmp_path / "file", 2_500_000), part_size=2**20)
    assert len(bundle.checksums) == 3
    assert b"".join(read_slice(bundle.path, 0, bundle.size)) == bundle.path.read_bytes()
    assert b"".join(read_slice(bundle.path, 2**20, 10)) == bundle.path.read_bytes()[2**20 : 2**20 + 10]


def test_what_breaks_beside_is_raised() -> None:
    def breaks(stop: threading.Event) -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"), beside(breaks, lambda stop: None):
        pass


@asynccontextmanager
async def answering(text: bytes) -> AsyncIterator[str]:
    async def answer(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        await source.readline()
        target.write(text)
        target.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\nall of it", 200),
        (b"HTTP/1.1 503 Busy\r\n\r\n", 503),
        (b"", BROKEN),
        (b"x", BROKEN),
    ],
)
def test_reads_the_status_of_a_page(text: bytes, status: int) -> None:
    async def ask() -> int:
        async with answering(text) as url:
            return await fetch(url, "/")

    assert asyncio.run(ask()) == status
