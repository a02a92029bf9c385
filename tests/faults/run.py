"""The trials on one kind of site. Usage: python -m tests.faults.run files|services|redis FOLDER …"""

import argparse
import contextlib
import logging
import os
import signal
import time
from pathlib import Path

import django
from rich.console import Console

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "tests" / "scenarios" / "catalogue"
console = Console(highlight=False)
BEGAN = time.monotonic()


def main() -> int:
    arguments = _arguments()
    # As Ctrl-C does: what was started ends with this.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.ExitStack() as stack:
        os.environ |= environment(arguments.place)
        from tests.faults.services import start_services
        from tests.services.processes import ServiceMissing

        try:
            services = start_services(arguments.site, arguments.place, stack)
        except ServiceMissing as missing:
            tell(arguments.site, str(missing))
            return 1
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
    parser.add_argument("site", choices=("files", "services", "redis"))
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
        # Of one submission more are killed than anything else would bring about.
        **{f"MLEB_{kind}_ATTEMPTS": "8" for kind in ("GRADING", "INTAKE", "EVIDENCE")},
        **{f"MLEB_{kind}_LEASE_S": "4" for kind in ("GRADING", "INTAKE", "EVIDENCE", "VALIDITY")},
        **{f"MLEB_THROTTLE_{kind}": "100000/min" for kind in ("ANON", "USER", "UPLOAD", "CREATE")},
    }


if __name__ == "__main__":
    raise SystemExit(main())
