"""The process that reads strangers' files: what it answers, what it may not do, and how it ends."""

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grading.catalogue import job_for, shipped_competitions
from grading.sandbox.seccomp import seccomp_filter
from leaderboard.fingerprints.reader import SCRIPT, ChildLost, Reader, Walls, parse_answer
from tests.leaderboard.fingerprints.files import NUMBERS, csv_of, guesses, ids, print_of

COMPETITION = job_for(shipped_competitions()[NUMBERS])


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "kept.csv"
    path.write_bytes(csv_of({"id": ids(), "has_cactus": guesses(1).tolist()}))
    return path


def test_it_answers_what_the_rule_says_file_after_file(tmp_path: Path, csv: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"id\n")
    with Reader(Walls()) as reader:
        found = [reader.read(COMPETITION, path) for path in (csv, bad, csv)]
    assert found[0] == found[2] == print_of(tmp_path, NUMBERS, csv.read_bytes())
    assert found[1].state == "unreadable"


@pytest.mark.parametrize("walls", [Walls(wall_s=0.0), Walls(memory_bytes=1 << 20)], ids=["time", "memory"])
def test_a_file_that_costs_too_much_is_unreadable_and_the_next_one_is_tried(
    tmp_path: Path, csv: Path, walls: Walls
) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(b"id,has_cactus\n" + b"1,2\n" * 5_000_000)
    with Reader(walls) as reader:
        assert reader.read(COMPETITION, large).state == "unreadable"
        reader._end()
        reader._walls = Walls()
        assert reader.read(COMPETITION, csv).state == "made"


def test_the_process_that_reads_can_neither_talk_nor_write(tmp_path: Path) -> None:
    """Asked of the very walls that the child puts up, by code in its place."""
    probe = """
import errno, socket
from fingerprints import child
def tried(do):
    try:
        do()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
def wrote():
    with open({target!r}, "wb") as file:
        file.write(b"x")
child._answer = lambda job: {{"socket": tried(lambda: socket.socket()), "write": tried(wrote)}}
child.main()
"""
    code = SCRIPT.split("from fingerprints")[0] + "\n" + probe.format(target=str(tmp_path / "made"))
    walls = {"cpu_s": 20, "memory_bytes": 4 << 30, "filter": base64.b64encode(seccomp_filter()).decode()}
    said = subprocess.run(
        [sys.executable, "-I", "-c", "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + code],
        input=json.dumps(walls) + "\n{}\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(said.stdout) == {"socket": "EPERM", "write": "EFBIG"}


GOOD: dict[str, Any] = {
    "state": "made",
    "rows": 3,
    "content": "0" * 64,
    "sketch": base64.b64encode(bytes(128)).decode(),
}
BAD = {
    "not JSON": b"made\n",
    "not an object": b"[1]\n",
    "nothing in it": b"{}\n",
    "another state": json.dumps(GOOD | {"state": "published"}).encode(),
    "a short sketch": json.dumps(GOOD | {"sketch": "AAAA"}).encode(),
    "a sketch that is no base64": json.dumps(GOOD | {"sketch": "@"}).encode(),
    "a sketch of what has none": json.dumps(GOOD | {"state": "constant"}).encode(),
    "a digest that is none": json.dumps(GOOD | {"content": "x" * 64}).encode(),
    "fewer than no rows": json.dumps(GOOD | {"rows": -1}).encode(),
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD)
def test_an_answer_that_makes_no_sense_is_none(line: bytes) -> None:
    assert parse_answer(json.dumps(GOOD).encode()).rows == 3
    with pytest.raises(ChildLost):
        parse_answer(line)
