"""The demo's site without the demo: prints where it is and its logins as JSON, and runs until its input ends."""

import json
import os
import sys
from contextlib import redirect_stdout
from dataclasses import asdict

import django

from demo.logins import demo_logins

FIRST_PORT = 8601


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    from demo.site import prepared_site  # Only now: it needs Django to be set up.

    answer = sys.stdout
    with (
        redirect_stdout(sys.stderr),  # What the preparation says goes to the log.
        prepared_site(FIRST_PORT, tell=lambda line: print(line, flush=True)) as site,
    ):
        print(json.dumps({"url": site.url, **asdict(demo_logins(site.var))}), file=answer, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
