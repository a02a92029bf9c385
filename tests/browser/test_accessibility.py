"""axe-core finds nothing on any page of ours: on wide and narrow screens, in light and dark.

Left out is the admin, which is Django's own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from demo.logins import MAINTAINER_EMAIL, TEAM_EMAIL
from tests.browser.filling import fill_from_outside
from tests.browser.screenshots import MAINTAINER, OF_THE_DEMO, PUBLIC, TEAM
from tests.browser.site import Site
from tests.browser.visitor import NARROW, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.sandbox]
# MPL-2.0; its licence lies beside it.
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
WIDE: ViewportSize = {"width": 1440, "height": 900}
NOT_OURS = {"admin"}
# What a scheme can change. The rest is the same in both, and looked at in the light.
COLOURS = ["color-contrast", "link-in-text-block"]
ONLY_COLOURS: dict[str, Any] = {"runOnly": COLOURS}
ALL_ELSE: dict[str, Any] = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
# Rows of one table are alike: the first and the last stand for those between, and axe looks at every word of a page.
SHORTEN = """() => {
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  document.querySelectorAll("tbody").forEach((body) => [...body.rows].slice(8, -4).forEach((row) => row.remove()));
}"""
# Folded parts that are built alike, in surroundings alike, get the same colours: of each kind the first two, whatever
# their words are. Contrast is what axe spends most of its time on, above all on pages as long as that of the API.
FEWER = """() => {
  const built = (element) => {
    const inner = new Set([...element.children].map(built));
    return `<${element.tagName} ${element.className} ${element.getAttributeNames()}>${[...inner].join("")}</>`;
  };
  const around = (element) => element && `${around(element.parentElement)} ${element.tagName} ${element.className}`;
  const seen = new Map();
  document.querySelectorAll("details").forEach((each) => {
    const kind = around(each.parentElement) + built(each);
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    if (seen.get(kind) > 2) each.remove();
  });
}"""
RUN = """async (options) => {
  const found = await axe.run({ resultTypes: ["violations"], ...options });
  return found.violations.flatMap((rule) => rule.nodes.map(
    (node) => `${rule.id} at ${node.target.join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`));
}"""


@pytest.fixture(scope="module")
def names(site: Site) -> dict[str, str]:
    """The pictures' submissions, one in each state."""
    return fill_from_outside(site)


@pytest.mark.parametrize(
    ("login", "pages"),
    [("", {**PUBLIC, **OF_THE_DEMO}), (TEAM_EMAIL, TEAM), (MAINTAINER_EMAIL, MAINTAINER)],
    ids=["public", "team", "maintainer"],
)
def test_axe_finds_nothing(
    chromium: Browser, site: Site, names: dict[str, str], login: str, pages: dict[str, str]
) -> None:
    # Without motion, since a colour on its way to another is none of the page's.
    visitor = Visitor(chromium, site.url, reduced_motion="reduce")
    if login:
        passwords = {TEAM_EMAIL: site.team_password, MAINTAINER_EMAIL: site.maintainer_password}
        visitor.sign_in(login, passwords[login])
    found = []
    for name, address in pages.items():
        if name not in NOT_OURS:
            visitor.page.goto(address.format(**names))
            found += [f"{name}, {each}" for each in look(visitor.page)]
    visitor.context.close()
    assert found == []


def look(page: Page) -> list[str]:
    """What is wrong with the page that is shown, with what is folded unfolded."""
    page.evaluate(SHORTEN)
    page.evaluate(AXE)
    found = look_at(page, ["light"], ALL_ELSE)
    page.evaluate(FEWER)
    return list(dict.fromkeys(found + look_at(page, ["light", "dark"], ONLY_COLOURS)))


def look_at(page: Page, schemes: Sequence[Literal["light", "dark"]], options: dict[str, Any]) -> list[str]:
    """What axe finds in each size and scheme."""
    found = []
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            found += [f"{size['width']} {scheme}: {each}" for each in page.evaluate(RUN, options)]
    return found
