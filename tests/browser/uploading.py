"""Uploading as a person does, with a connection that can be held and cut between the parts."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Response, Route

from tests.browser.visitor import Visitor

PARTS = "**/api/v1/submissions/*/parts/*"
AT_ONCE = 3  # PARALLEL in part-upload.js


class Gate:
    """Stands before the parts: lets so many through and holds the others. `stored` counts what the site took."""

    def __init__(self, page: Page) -> None:
        self.held: list[Route] = []
        self.stored: Counter[int] = Counter()
        self._open_for = 0
        page.route(PARTS, self._arrive)
        page.on("response", self._count)

    def let_through(self, count: int) -> None:
        self._open_for += count
        while self.held and self._open_for:
            self._pass(self.held.pop(0))

    def _arrive(self, route: Route) -> None:
        if self._open_for:
            self._pass(route)
        else:
            self.held.append(route)

    def _pass(self, route: Route) -> None:
        self._open_for -= 1
        route.continue_()

    def _count(self, response: Response) -> None:
        if response.request.method == "PUT" and response.ok:
            self.stored[int(response.url.rpartition("/")[2])] += 1


def begin_upload(visitor: Visitor, bundle: Path) -> None:
    """Fills in the upload page and sends it; returns while the parts are on their way."""
    visitor.open("/submit/")
    visitor.page.get_by_label("Benchmark").select_option("demo")
    choose_file(visitor, bundle, "Upload")


def choose_file(visitor: Visitor, bundle: Path, button: str) -> None:
    visitor.page.locator("input[type=file]").set_input_files(bundle)
    visitor.page.get_by_role("button", name=button, exact=True).click()


def upload(visitor: Visitor, bundle: Path) -> str:
    """The address of the submission, once its bundle is here."""
    begin_upload(visitor, bundle)
    visitor.page.wait_for_url("**/submissions/*/")
    visitor.page.wait_for_load_state()
    return address_of(visitor)


def upload_with_interruptions(visitor: Visitor, bundle: Path) -> Counter[int]:
    """How often each part was stored when the connection drops after two and the page is reloaded after four."""
    gate = Gate(visitor.page)
    with visitor.expecting_faults():
        gate.let_through(2)
        begin_upload(visitor, bundle)
        visitor.wait(lambda: len(gate.stored) == 2 and len(gate.held) == AT_ONCE)
        visitor.context.set_offline(True)
        gate.let_through(AT_ONCE)
        visitor.sees("Waiting for the connection …")
        visitor.context.set_offline(False)
        gate.let_through(2)
        visitor.wait(lambda: len(gate.stored) == 4)
        gate.held.clear()
        visitor.page.reload()
    visitor.look()
    visitor.sees("are here. It can be finished until")
    gate.let_through(100)
    choose_file(visitor, bundle, "Go on")
    visitor.sees("Your team's turn")
    return gate.stored


def address_of(visitor: Visitor) -> str:
    """The path of the submission whose page is shown."""
    return visitor.page.url.removeprefix(visitor.url)


def read_state(visitor: Visitor, submission: str) -> dict[str, Any]:
    """The submission as its API shows it to this person."""
    state: dict[str, Any] = json.loads(visitor.read(f"/api/v1{submission.rstrip('/')}"))
    return state
