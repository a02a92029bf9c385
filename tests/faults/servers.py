"""Servers that can be killed and started again where they were, on the same port with the same files."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.services.postgres import FAST, _program, _unprivileged
from tests.services.processes import ServiceMissing, answers, free_port

READY_WITHIN_S = 180.0


class Server:
    """A process on a port of its own, with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        self.prepare()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Returns once it answers. One that finds traces of the killed one before it is started again."""
        deadline = time.monotonic() + READY_WITHIN_S
        self._launch()
        while not answers(self.port):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.command()[0]} does not answer; see {self.folder / 'log'}")
            if self.process is None or self.process.poll() is not None:
                self._launch()
            time.sleep(0.2)

    def _launch(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Postgres(Server):
    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def prepare(self) -> None:
        super().prepare()
        make = (_program("initdb"), "-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust")
        options = ("-E", "UTF8", "--locale=C", "--no-sync")
        subprocess.run([*_unprivileged(), *make, *options], check=True, capture_output=True)

    def command(self) -> list[str]:
        place = ("-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port))
        return [*_unprivileged(), _program("postgres"), *place, "-h", "127.0.0.1", *FAST]


class Redis(Server):
    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        program = shutil.which("redis-server")
        if program is None:
            raise ServiceMissing("Redis is not installed: apt-get install redis-server")
        place = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder))
        return [program, *place, "--appendonly", "yes"]


@dataclass(frozen=True)
class Services:
    """What the site stands on, where that is not files."""

    database: Postgres | None = None
    broker: Redis | None = None

    def environment(self) -> dict[str, str]:
        found: dict[str, Any] = {"DATABASE_URL": self.database, "BROKER_URL": self.broker}
        return {name: server.url for name, server in found.items() if server}
