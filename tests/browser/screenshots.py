"""Pictures of every page, wide and narrow, light and dark, for people to look at.

Usage: python -m tests.browser.screenshots [--to build/screenshots] [--only board entry …]

Starts a site of its own with one submission in each state worth seeing.
"""

import argparse
import os
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, sync_playwright

from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL
from tests.browser.filling import fill
from tests.browser.site import NO_CHROMIUM, ROOT, Site, find_chromium, started_site
from tests.browser.visitor import Visitor

WIDTHS = (1440, 390)
SCHEMES = ("light", "dark")
PUBLIC = {
    "board": "/",
    "board-additional": "/boards/mle-bench-v1/additional/all/",
    "board-all-tracks-low": "/boards/mle-bench-v1/no-private-lb/low/",
    "board-empty": "/boards/mle-bench-v1/clean/all/",
    "board-demo": "/boards/demo/clean/dev/",
    "board-masked": "/boards/mle-bench-v1/no-private-lb/low/?mask=known-leaks",
    "board-nothing-found": "/?q=nothing+like+this",
    "board-bad-view": "/?hours_min=many",
    "agent": "/agents/aide/",
    "organisation": "/organisations/fractal-ai-research/",
    "compare": "/compare/?entries=1,2,3",
    "compare-choose": "/compare/?choose=1",
    "competitions": "/competitions/",
    "competitions-leaks": "/competitions/?issue=leak",
    "competition": "/competitions/spaceship-titanic/",
    "entry-imported": "/entries/1/",
    "decision-imported": "/decisions/1/",
    "charts": "/charts/mle-bench-v1/",
    "insights": "/insights/",
    "decisions": "/decisions/",
    "flags": "/flags/",
    "restatements": "/restatements/",
    "snapshots": "/snapshots/",
    "snapshot": "/snapshots/1/",
    "about": "/about/",
    "docs": "/docs/",
    "docs-tracks": "/docs/tracks/",
    "docs-statistics": "/docs/statistics/",
    "docs-how-to-submit": "/docs/how-to-submit/",
    "docs-run-card": "/docs/run-card/",
    "status": "/status/",
    "styleguide": "/styleguide/",
    "api-docs": "/api/v1/docs/",
    "sign-in": "/account/login/",
    "sign-up": "/account/signup/",
    "password-reset": "/account/password/reset/",
    "not-found": "/no/such/page/",
}
TEAM = {
    "submit": "/submit/",
    "submissions": "/submissions/",
    "uploading": "/submissions/{uploading}/",
    "rejected": "/submissions/{rejected}/",
    "awaiting-team": "/submissions/{waiting}/",
    "run-card": "/submissions/{waiting}/run-card/",
    "confirm": "/submissions/{waiting}/confirm/",
    "withdraw": "/submissions/{waiting}/withdraw/",
    "in-review": "/submissions/{broken}/",
    "published": "/submissions/{published}/",
    "account": "/account/",
    "second-factor": "/account/2fa/",
    "sessions": "/account/sessions/",
    "personal-data": "/account/data/",
    "team": "/teams/{team}/",
    "team-new": "/teams/new/",
    "notices": "/account/notices/",
    "webhooks": "/account/webhooks/",
    "sign-out": "/account/logout/",
}
MAINTAINER = {
    "docket": "/docket/",
    "case": "/docket/{broken}/",
    "case-published": "/docket/{published}/",
    "case-ask": "/docket/{broken}/ask/",
    "case-verify": "/docket/{broken}/claims/scaffold/",
    "case-annotate": "/docket/{published}/annotate/",
    "closing": "/docket/closing/",
    "audit": "/docket/audit/",
    "pins": "/competitions/spaceship-titanic/pins/",
    "move": "/entries/{entry}/move/",
    "flag": "/entries/{entry}/flag/",
    "correct": "/decisions/1/correct/",
    "withdraw-entry": "/entries/{entry}/withdraw/",
    "admin": "/admin/",
}
OF_THE_DEMO = {
    "entry": "/entries/{entry}/",
    "agent-graded": "/agents/cv-baseline/",
    "compare-graded": "/compare/?entries=1,{number}",
    "submission-public": "/submissions/{published}/",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="PAGE", help="names of pages, as in pictures"
    )
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        take_all(Path(place), asked.to, asked.only)


def take_all(place: Path, folder: Path, only: Collection[str]) -> None:
    """Every page, or those named."""
    path = find_chromium()
    if path is None:
        raise SystemExit(NO_CHROMIUM)
    own = {"MLEB_VAR": "var", "MLEB_VAULT": "vault", "MLEB_SIGNING_DIR": "signing"}
    environment = {**os.environ, **{name: str(place / folder) for name, folder in own.items()}}
    with started_site(environment, place / "site.log") as site, sync_playwright() as playwright:
        names = fill(site, place)
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for scheme in SCHEMES:
            for visitor, pages in visitors(chromium, site, scheme):
                wanted = {name: address for name, address in pages.items() if not only or name in only}
                take(
                    visitor,
                    {pictured(name, scheme): at.format(**names) for name, at in wanted.items()},
                    folder,
                )
        chromium.close()


def visitors(chromium: Chromium, site: Site, scheme: str) -> Iterator[tuple[Visitor, dict[str, str]]]:
    """Everybody who looks, with the pages they look at."""
    logins = {
        None: {**PUBLIC, **OF_THE_DEMO},
        (TEAM_EMAIL, site.team_password): TEAM,
        (MAINTAINER_EMAIL, site.maintainer_password): MAINTAINER,
    }
    for login, pages in logins.items():
        visitor = Visitor(chromium, site.url, color_scheme=scheme)
        if login:
            visitor.sign_in(*login)
        yield visitor, pages
        visitor.context.close()


def pictured(page: str, scheme: str) -> str:
    """The name of a picture, but for its width."""
    return f"{page}-{{width}}-{scheme}"


def take(visitor: Visitor, pages: dict[str, str], folder: Path) -> None:
    """One picture of each page at each width; its name says which."""
    for name, address in pages.items():
        visitor.page.goto(address)
        for width in WIDTHS:
            visitor.page.set_viewport_size({"width": width, "height": 900})
            scroll_through(visitor.page)
            visitor.page.screenshot(path=folder / f"{name.format(width=width)}.png", full_page=True)
    print(f"{len(pages) * len(WIDTHS)} pictures in {folder}")


def scroll_through(page: Page) -> None:
    """To the end and back: charts are drawn only where somebody looks."""
    for top in range(0, page.evaluate("document.documentElement.scrollHeight"), 800):
        page.evaluate("top => window.scrollTo(0, top)", top)
        page.wait_for_timeout(60)
    page.evaluate("window.scrollTo(0, 0)")


if __name__ == "__main__":
    main()
