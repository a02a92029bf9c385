"""The whole job once, on real data: upload, check, confirm, grade, publish, read the ranking back.

Usage: python -m demo.run [--port 8000] [--stay yes|no]
"""

import argparse
import logging
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import django
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from demo.browser import Browser, UnexpectedAnswer, upload_bundle
from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL, Logins, demo_logins

BUNDLE = Path(__file__).parent / "bundle.tar.gz"
BENCHMARK, SCOPE, TRACK = "demo", "dev", "clean"
WITHIN_S = 120.0
PAUSE_S = 0.3
EXITS = frozenset({"rejected", "grading_failed", "withdrawn", "abandoned"})
GROUNDS = {
    "track": TRACK,
    "reason": "The demo's own agent: complete run card, three seeds, graded here from its predictions.",
    "rule": "docs/tracks.md, Clean",
    "evidence_url": "https://www.kaggle.com/c/spaceship-titanic",
}
console = Console(highlight=False)


def main() -> int:
    arguments = _arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    from demo.site import prepared_site  # Only now: these need Django to be set up.
    from grading.sandbox.errors import SandboxUnavailable
    from leaderboard.launcher.site import NotStarted

    signal.signal(signal.SIGTERM, _interrupt)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        with prepared_site(arguments.port, tell=lambda line: console.print(f"[dim]{line}[/]")) as site:
            logins = demo_logins(site.var)
            on_board = run_demo(site.url, logins)
            if on_board:
                show_logins(site.url, logins, stays=arguments.stay == "yes")
            if on_board and arguments.stay == "yes":
                site.wait()
    except KeyboardInterrupt:
        return 0
    except (UnexpectedAnswer, NotStarted, SandboxUnavailable) as error:
        console.print(f"[red]The demo could not go on:[/] {escape(str(error))}")
        return 1
    return 0 if on_board else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument(
        "--stay", choices=("yes", "no"), default="yes", help="keep the site running afterwards"
    )
    return parser.parse_args()


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def run_demo(url: str, logins: Logins) -> bool:
    """Whether the demo entry is on the board in the end. What an earlier demo has done is not done again."""
    team = Browser(url)
    team.sign_in(TEAM_EMAIL, logins.team_password)
    with _progress() as progress:
        bar = progress.add_task("Uploading", total=BUNDLE.stat().st_size)
        submission = upload_bundle(
            team, BUNDLE, BENCHMARK, lambda done, _: progress.update(bar, completed=done)
        )
        progress.remove_task(bar)
        _follow(team, submission, "awaiting_team", progress)
        _confirm(team, submission)
        _follow(team, submission, "in_review", progress)
    _publish(url, logins, team, submission)
    return show_ranking(url, submission, team)


def _progress() -> Progress:
    columns = (TextColumn("{task.description:<22}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console)


ORDER = (
    "uploading",
    "received",
    "checking",
    "awaiting_team",
    "queued",
    "grading",
    "graded",
    "in_review",
    "published",
)


def _follow(team: Browser, submission: str, until: str, progress: Progress) -> None:
    """Shows the runs' progress until the status is reached or passed. Raises UnexpectedAnswer on an exit."""
    bar = progress.add_task("Waiting", total=None)

    def reached() -> bool:
        state = team.api("GET", f"/api/v1/submissions/{submission}")
        counts = state["counts"]
        progress.update(
            bar, description=state["status"], total=counts["runs"] or None, completed=counts["graded"]
        )
        if state["status"] in EXITS:
            raise UnexpectedAnswer(f"the submission is {state['status']}: {state['problems']}")
        return ORDER.index(state["status"]) >= ORDER.index(until)

    _wait(reached, f"the submission did not become {until}")


def _wait(condition: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not condition():
        if time.monotonic() > deadline:
            raise UnexpectedAnswer(f"{otherwise} within {WITHIN_S:.0f} s; look into the logs under var/log")
        time.sleep(PAUSE_S)


def _confirm(team: Browser, submission: str) -> None:
    if team.api("GET", f"/api/v1/submissions/{submission}")["status"] != "awaiting_team":
        return
    card = team.api("GET", f"/api/v1/submissions/{submission}/run-card")
    said = {"scope": SCOPE, "attested_name": "Demo Team", "revision": card["number"], "accept": True}
    team.api("POST", f"/api/v1/submissions/{submission}/confirm", json=said)


def _publish(url: str, logins: Logins, team: Browser, submission: str) -> None:
    if team.api("GET", f"/api/v1/submissions/{submission}")["status"] == "published":
        return
    maintainer = Browser(url)
    maintainer.sign_in(MAINTAINER_EMAIL, logins.maintainer_password)
    maintainer.post_form(f"/docket/{submission}/publish/", GROUNDS)


def show_ranking(url: str, submission: str, team: Browser) -> bool:
    """Prints the ranking as the API gives it; whether the demo's entry is on it."""
    entry = team.api("GET", f"/api/v1/submissions/{submission}")["entry"]
    board = Browser(url).api(
        "GET", f"/api/v1/rankings/{TRACK}", params={"benchmark": BENCHMARK, "split": SCOPE}
    )
    table = Table(title=f"{board['track']['title']} · {board['benchmark']['title']} · {board['split']}")
    for heading in ("Rank", "Agent", "Any Medal %", "Above median %", "Seed", "Score"):
        table.add_column(heading, justify="left" if heading in ("Agent", "Seed") else "right")
    for row in board["rows"]:
        table.add_row(*_cells(row))
    console.print(table)
    return any(row["slug"] == entry for row in board["rows"])


def _cells(row: dict[str, Any]) -> list[str]:
    result, scores = row["result"], row["seed_scores"]
    sem = result["any_medal_sem"]
    return [
        "–" if row["rank"] is None else str(row["rank"]),
        f"{row['agent']}\n[dim]{row['organisation']}[/]",
        f"{result['any_medal_mean']:.2f}" + ("" if sem is None else f" ± {sem:.2f}"),
        f"{result['above_median_mean']:.2f}",
        "\n".join(scores),
        "\n".join("no score" if score is None else f"{score:.5f}" for score in scores.values()),
    ]


def show_logins(url: str, logins: Logins, *, stays: bool) -> None:
    """Also where the site ends now, since `make run` serves what the demo has made."""
    if stays:
        console.print(f"\nThe leaderboard is at [bold]{url}[/]  (Ctrl-C stops it)")
    else:
        console.print("\nThe site is stopped. [bold]make run[/] starts it again, with these logins:")
    console.print(f"  team member   {TEAM_EMAIL}   {logins.team_password}")
    console.print(f"  maintainer    {MAINTAINER_EMAIL}   {logins.maintainer_password}")


if __name__ == "__main__":
    raise SystemExit(main())
