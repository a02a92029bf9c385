"""Servers that can be killed and started again where they were, on the same port with the same files."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import redis
from kombu import Connection

from tests.services.postgres import make_cluster, program_path, unprivileged
from tests.services.processes import ServiceMissing, answers, free_port, running
from tests.services.rabbitmq import address_of, find_programs, mapper_command, prepare_node

# It stops a hang, and is no measure of speed.
READY_WITHIN_S = 300.0
# What is to die with its parent dies with the thread that started it: so one does that lives as long as all this.
STARTER = ThreadPoolExecutor(1)
# A killed process loses nothing that it gave to the system. What it says is committed it must have given, as it does
# unless told otherwise.
OPTIONS = ("-c", "fsync=off", "-c", "max_connections=200")


class Server:
    """A process on a port of its own, with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.environment: dict[str, str] | None = None
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
        STARTER.submit(self._launch).result()
        while not answers(self.port):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.command()[0]} does not answer; see {self.folder / 'log'}")
            if self.process is None or self.process.poll() is not None:
                STARTER.submit(self._launch).result()
            time.sleep(0.2)

    def _launch(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment,
                start_new_session=True,
            )

    def kill(self) -> None:
        """It and all that it has started, some of which lead sessions of their own."""
        if self.process and self.process.poll() is None:
            for process in (self.process.pid, *descendants(self.process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self.process.wait()


def descendants(process: int) -> list[int]:
    """Numbers of the processes that it has started, and those that these have."""
    parents = dict(_parents())
    found = [process]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def _parents() -> Iterator[tuple[int, int]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            yield int(path.parent.name), int(path.read_text().rpartition(")")[2].split()[1])


class Postgres(Server):
    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, role: str) -> str:
        return f"postgres://{role}:unasked@127.0.0.1:{self.port}/postgres"

    def prepare(self) -> None:
        super().prepare()
        make_cluster(self.folder / "data")

    def command(self) -> list[str]:
        place = ("-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port))
        return [*unprivileged(), program_path("postgres"), *place, "-h", "127.0.0.1", *OPTIONS]


class Broker(Server):
    """Has messages that can be lost."""

    @property
    def url(self) -> str:
        raise NotImplementedError

    def lose(self, queues: Iterable[str]) -> None:
        """What waits there is gone."""
        raise NotImplementedError


class Redis(Broker):
    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        program = shutil.which("redis-server")
        if program is None:
            raise ServiceMissing("Redis is not installed: apt-get install redis-server")
        place = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder))
        return [program, *place, "--appendonly", "yes"]

    def lose(self, queues: Iterable[str]) -> None:
        with redis.Redis(port=self.port) as client:
            client.delete(*queues)


class RabbitMQ(Broker):
    """One node. Its port mapper, which only tells nodes of each other, is left alone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._stack = ExitStack()

    @property
    def url(self) -> str:
        return address_of(self.port)

    def prepare(self) -> None:
        super().prepare()
        mapper = free_port()
        self.environment = prepare_node(self.folder, self.port, mapper)
        command = mapper_command(find_programs()[1], mapper)
        self._stack.enter_context(running(command, self.folder / "mapper.log", lambda: answers(mapper)))

    def command(self) -> list[str]:
        return [find_programs()[0]]

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._stack.close()

    def lose(self, queues: Iterable[str]) -> None:
        with Connection(self.url) as connection, connection.channel() as channel:
            for queue in queues:
                channel.queue_purge(queue)
