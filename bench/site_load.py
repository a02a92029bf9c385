"""Serving the site and the yardstick with gunicorn, and asking them for the same page again and again with wrk."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from leaderboard.launcher.processes import WORKER

ROOT = Path(__file__).parents[1]
# Like the site's own start, but for its log of requests, which the yardstick would write too.
GUNICORN = (
    "--workers", "2", "--worker-class", WORKER, "--threads", "8", "--no-control-socket", "--log-level", "warning",
    "--graceful-timeout", "5",
)  # fmt: skip
CONNECTIONS = 16
# On a machine that is busy otherwise an answer may be slow without being wrong.
PATIENT = ("--timeout", "30s")
READY_WITHIN_S = 600
# There is no TLS here, and reading the certificates would take longer than an answer.
PLAIN: Any = {"verify": False}
NO_WRK = "bench-site needs wrk, which is not installed. On Debian or Ubuntu: apt-get install wrk"
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


class NotMeasured(Exception):
    """Says why, and what to do."""


@dataclass(frozen=True)
class Server:
    """A gunicorn that answers."""

    url: str
    pid: int

    def cpu_s(self) -> float:
        """Processor time of its workers until now, in seconds."""
        return sum(_cpu_s(pid) for pid in self.workers())

    def workers(self) -> list[int]:
        """Ids of the processes it has started."""
        return [
            pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent_of(pid) == self.pid
        ]


def memory_mb(server: Server) -> float:
    """Resident memory of its workers that belongs to each alone, in MiB."""
    return sum(private_kb(pid) for pid in server.workers()) / 1024


def private_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # Gone.
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


@dataclass(frozen=True)
class Load:
    """What came of one burst of requests."""

    rps: float
    p50_ms: float
    p99_ms: float


@contextmanager
def serve(application: str, environment: Mapping[str, str], log: Path) -> Iterator[Server]:
    """The application on a free port of loopback, until the block ends."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", application, "--bind", f"127.0.0.1:{port}", *GUNICORN]
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **environment}, stdout=out, stderr=out
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url, process, log)
        yield Server(url, process.pid)
    finally:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(120)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def find_wrk() -> str:
    """Raises NotMeasured where there is none."""
    if (found := shutil.which("wrk")) is None:
        raise NotMeasured(NO_WRK)
    return found


def load(wrk: str, url: str, headers: Mapping[str, str], seconds: int) -> Load:
    """Raises NotMeasured if any answer was an error, since errors are fast."""
    said = [f"-H{name}: {value}" for name, value in headers.items()]
    command = [wrk, "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", *PATIENT, "--latency", *said, url]
    return read_wrk(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def read_wrk(text: str) -> Load:
    """What wrk printed. Raises NotMeasured if it counted errors, or does not say what is asked."""
    if re.search(r"Non-2xx|Socket errors", text):
        raise NotMeasured(f"Not every answer was a success:\n{text}")
    rps = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if rps is None:
        raise NotMeasured(f"wrk does not say how many requests were answered:\n{text}")
    return Load(float(rps[1]), _latency(text, 50), _latency(text, 99))


def _latency(text: str, percent: int) -> float:
    found = re.search(rf"{percent}%\s+([\d.]+)(us|ms|s|m)\b", text)
    if found is None:
        raise NotMeasured(f"wrk gives no latency of {percent} %:\n{text}")
    return float(found[1]) * UNITS[found[2]]


def fetch_from_each_worker(url: str, addresses: Sequence[str]) -> None:
    """Until every worker has surely made them once, and keeps what it keeps."""
    for _ in range(12):
        with httpx.Client(base_url=url, headers={"Accept-Encoding": "gzip"}, timeout=60, **PLAIN) as client:
            for address in addresses:
                client.get(address).raise_for_status()


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(url, timeout=30, **PLAIN)
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise NotMeasured(f"gunicorn did not start. Look into {log}.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _stat(pid: int) -> list[str]:
    """The fields of a process after its name; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return []


def parent_of(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def _cpu_s(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0
