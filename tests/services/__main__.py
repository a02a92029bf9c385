"""Starts the services of production, prints the settings that use them, and runs until Ctrl-C; or runs one command.

Usage: python -m tests.services [--in FOLDER] [postgres] [redis] [rabbitmq] [s3] [--run COMMAND …]
"""

import argparse
import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.services.postgres import postgres
from tests.services.processes import ServiceMissing
from tests.services.rabbitmq import rabbitmq
from tests.services.redis import redis
from tests.services.s3 import S3Server, s3

STARTERS = {"postgres": postgres, "redis": redis, "rabbitmq": rabbitmq, "s3": s3}
SETTINGS = {"postgres": "DATABASE_URL", "redis": "BROKER_URL", "rabbitmq": "BROKER_URL"}


def settings_of(name: str, started: str | S3Server) -> Mapping[str, str]:
    return started.environment() if isinstance(started, S3Server) else {SETTINGS[name]: started}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("services", nargs="*", metavar="service", help=", ".join(STARTERS))
    parser.add_argument(
        "--in", dest="folder", type=Path, help="keeps the files here; else they are gone at the end"
    )
    parser.add_argument(
        "--run",
        nargs=argparse.REMAINDER,
        default=[],
        help="a command that gets these settings; all ends with it",
    )
    arguments = parser.parse_args()
    wanted = arguments.services or ["postgres", "rabbitmq"]
    if unknown := set(wanted) - set(STARTERS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    # As Ctrl-C does: what was started ends with this.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="services-", ignore_cleanup_errors=True)
        folder = arguments.folder or Path(stack.enter_context(temporary))
        environment: dict[str, str] = {}
        for name in wanted:
            try:
                environment |= settings_of(name, stack.enter_context(STARTERS[name](folder.resolve() / name)))
            except ServiceMissing as missing:
                print(f"# {missing}", flush=True)
                return 1
        print("\n".join(f"export {name}={value}" for name, value in environment.items()), flush=True)
        return run(arguments.run, environment) if arguments.run else wait_for_the_end()


def run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """The command's own exit code. Ctrl-C reaches it too, and it says what it has to say before all ends."""
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                process.terminate()


def wait_for_the_end() -> int:
    print("# Running. Ctrl-C ends them.", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
