"""The trials on one kind of site. Usage: python -m tests.faults.run files|services FOLDER [--quick] [--only WORD …]"""

import argparse
import contextlib
import logging
import os
import time
from pathlib import Path
from typing import Any

import django
from rich.console import Console

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "tests" / "scenarios" / "catalogue"
console = Console(highlight=False)
BEGAN = time.monotonic()


def main() -> int:
    arguments = _arguments()
    with contextlib.ExitStack() as stack:
        os.environ |= environment(arguments.place)
        services = start_services(arguments.site, arguments.place, stack)
        arguments.has_small_stores = False
        if arguments.site == "files":
            from tests.faults.stores import mount_small_stores

            arguments.has_small_stores = mount_small_stores(arguments.place / "var")
        django.setup()
        logging.getLogger("httpx").setLevel(logging.WARNING)
        from tests.faults.groups import run_groups

        return run_groups(arguments, services, lambda line: tell(arguments.site, line))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", choices=("files", "services"))
    parser.add_argument("place", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    return parser.parse_args()


def tell(site: str, line: str) -> None:
    console.print(f"[dim]{time.monotonic() - BEGAN:6.1f} s  {site}[/]  {line}")


def environment(place: Path) -> dict[str, str]:
    """A place of its own, short leases, no quotas, and steps that can be armed."""
    return {
        "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        "MLEB_VAR": str(place / "var"),
        "MLEB_VAULT": str(place / "vault"),
        "MLEB_SIGNING_DIR": str(place / "signing"),
        "MLEB_CATALOGUE": str(CATALOGUE),
        "MLEB_FAULTS": str(place / "var" / "faults"),
        "MLEB_SWEEP_S": "2",
        "MLEB_STOP_WITHIN_S": "2",
        "MLEB_QUOTA_SUBMISSIONS": "0",
        **{f"MLEB_{kind}_LEASE_S": "4" for kind in ("GRADING", "INTAKE", "EVIDENCE", "VALIDITY")},
        **{f"MLEB_THROTTLE_{kind}": "100000/min" for kind in ("ANON", "USER", "UPLOAD", "CREATE")},
    }


def start_services(site: str, place: Path, stack: contextlib.ExitStack) -> Any:
    from tests.faults.servers import Postgres, Redis, Services

    if site == "files":
        return Services()
    services = Services(
        database=stack.enter_context(Postgres(place / "postgres")),
        broker=stack.enter_context(Redis(place / "redis")),
    )
    os.environ |= services.environment()
    return services


if __name__ == "__main__":
    raise SystemExit(main())
