"""One site for all these tests, one Chromium for those of a file, and people who each have a browser of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.site import NO_CHROMIUM, Site, find_chromium, started_site
from tests.browser.visitor import Visitor
from tests.site.conftest import place, site_environment

__all__ = ["place", "site_environment"]

OpenVisitor = Callable[[], Visitor]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """For one file, not the session: while Playwright runs, Django takes this thread for an asynchronous one."""
    path = find_chromium()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(site_environment: dict[str, str], place: Path) -> Iterator[Site]:
    with started_site(site_environment, place / "site.log") as running:
        yield running


@pytest.fixture
def new_visitor(chromium: Browser, site: Site) -> Iterator[OpenVisitor]:
    """Opens a browser for one more person. In the end no page any of them saw may have done what it must not."""
    visitors: list[Visitor] = []

    def open_one() -> Visitor:
        visitors.append(Visitor(chromium, site.url))
        return visitors[-1]

    yield open_one
    for visitor in visitors:
        visitor.context.close()
    assert [fault for visitor in visitors for fault in visitor.faults] == []
