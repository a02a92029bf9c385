"""The whole site, started as `make run` starts it, and the memory of each of its processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from .load_place import Place
from .site_load import NotMeasured, end, free_port, parent_of, private_kb

ROOT = Path(__file__).parents[1]
READY_WITHIN_S = 900.0


@dataclass(frozen=True)
class Whole:
    """A running site, and the process that keeps the others."""

    url: str
    pid: int

    def memory_mb(self) -> dict[str, float]:
        """Of every process by its name in the launcher, with all that it has started; in MiB."""
        found: dict[str, float] = defaultdict(float)
        for pid in descendants(self.pid):
            found[name_of(pid)] += private_kb(pid) / 1024
        return {name: mb for name, mb in found.items() if name}


def descendants(pid: int) -> list[int]:
    children: dict[int, list[int]] = defaultdict(list)
    for each in map(int, filter(str.isdigit, os.listdir("/proc"))):
        children[parent_of(each)].append(each)
    found, waiting = [], [pid]
    while waiting:
        found += (new := children[waiting.pop()])
        waiting += new
    return found


def name_of(pid: int) -> str:
    """As the launcher has told the process; "" for one that was told nothing, or is gone."""
    try:
        words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    return next((word[13:].decode() for word in words if word.startswith(b"MLEB_PROCESS=")), "")


@contextmanager
def running_site(place: Place) -> Iterator[Whole]:
    """Until the block ends; then all of it is stopped."""
    url, log = f"http://127.0.0.1:{free_port()}", place.folder / "launcher.log"
    command = [sys.executable, "manage.py", "run_site", "--port", url.rpartition(":")[2]]
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **place.environment}, stdout=out, stderr=out
        )
    try:
        _wait_for(url, process, log)
        yield Whole(url, process.pid)
    finally:
        end(process)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/healthz", timeout=30).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    raise NotMeasured(f"The site did not start. Look into {log}.")


def load_answers(place: Place, data: Path, competition: str) -> None:
    command = [sys.executable, "manage.py", "load_answers", "--from", str(data), "--only", competition]
    subprocess.run(
        command, cwd=ROOT, env={**os.environ, **place.environment}, stdout=subprocess.DEVNULL, check=True
    )
