"""Starts the services of production for a developer, prints the settings that use them, and runs until Ctrl-C.

Usage: python -m tests.services [--in FOLDER] [postgres] [redis] [rabbitmq]
"""

import argparse
import contextlib
import signal
import tempfile
from pathlib import Path

from tests.services.postgres import postgres
from tests.services.processes import ServiceMissing
from tests.services.rabbitmq import rabbitmq
from tests.services.redis import redis

STARTERS = {"postgres": postgres, "redis": redis, "rabbitmq": rabbitmq}
SETTINGS = {"postgres": "DATABASE_URL", "redis": "BROKER_URL", "rabbitmq": "BROKER_URL"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("services", nargs="*", metavar="service", help=", ".join(STARTERS))
    parser.add_argument(
        "--in", dest="folder", type=Path, help="keeps the files here; else they are gone at the end"
    )
    arguments = parser.parse_args()
    wanted = arguments.services or ["postgres", "rabbitmq"]
    if unknown := set(wanted) - set(STARTERS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    with contextlib.ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="services-", ignore_cleanup_errors=True)
        folder = arguments.folder or Path(stack.enter_context(temporary))
        for name in wanted:
            try:
                address = stack.enter_context(STARTERS[name](folder.resolve() / name))
                print(f"export {SETTINGS[name]}={address}", flush=True)
            except ServiceMissing as missing:
                print(f"# {missing}", flush=True)
                return 1
        print("# Running. Ctrl-C ends them.", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
