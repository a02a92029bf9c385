"""A board has room: on a usual screen nothing is cut off, and on paper every column is on the sheet."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import sync_playwright

from leaderboard.models import Agent, Entry
from leaderboard.standings import rebuild_standings
from tests.browser.site import NO_CHROMIUM, ROOT, find_chromium
from tests.factories import NOW, make_benchmark
from tests.leaderboard.boards import make_placed
from tests.leaderboard.medal_boards import make_wide, make_wide_benchmark

CSS = ROOT / "static" / "css"
# What Chromium prints on A4 between the margins of the style sheet, at 96 dots an inch.
PORTRAIT, LANDSCAPE = 703, 1032
MEASURE = """() => {
  const box = document.querySelector(".table-scroll").getBoundingClientRect();
  const table = document.querySelector(".board").getBoundingClientRect();
  const axis = [...document.querySelectorAll(".board .bar-axis span")].filter(each => each.offsetWidth);
  return {
    over: Math.max(0, table.right - document.documentElement.clientWidth, table.right - box.right),
    gaps: axis.slice(1).map((each, at) => each.getBoundingClientRect().left - axis[at].getBoundingClientRect().right),
    names: [...document.querySelectorAll(".board tbody .agent > a:not(.org)")]
      .map(each => each.getClientRects().length),
  };
}"""


def whole(html: str) -> str:
    """The page with its style sheets in it, since no server stands behind."""
    sheets = re.findall(r'<link rel="stylesheet" href="[^"]*?/css/([a-z]+)\.css"( media="print")?', html)
    styles = [f"@media {'print' if on_paper else 'all'} {{ {_sheet(name)} }}" for name, on_paper in sheets]
    return re.sub(r"<(?:link|script)\b[^>]*>(?:</script>)?", "", html).replace(
        "</head>", f"<style>{''.join(styles)}</style></head>"
    )


def _sheet(name: str) -> str:
    # Which rule is of which page is of no matter to what fits.
    return re.sub(r"@page[^{]*\{[^}]*\}", "", (CSS / f"{name}.css").read_text())


def measure(html: str, width: int, medium: str, picture: str = "") -> dict[str, Any]:
    path = find_chromium()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.set_content(whole(html))
        page.emulate_media(media=medium)  # type: ignore[arg-type]
        found: dict[str, Any] = page.evaluate(MEASURE)
        if shots := os.environ.get("SHOTS"):
            page.screenshot(path=str(Path(shots) / f"{picture}-{width}-{medium}.png"), full_page=True)
        browser.close()
    return found


@pytest.fixture
def pages(client: Client, db: None) -> dict[str, str]:
    """The widest boards: of one competition with its scores, and of rows imported from a table."""
    one = make_benchmark("one", {"c00": "dev"}, answers_public=True)
    graded = make_wide(one, "2", scope="dev")
    Entry.objects.filter(pk=graded.pk).update(
        llms=["claude-3-5-sonnet-20240620"],
        hours=24.0,
        cost_usd=1234.56,
        gpus=2.0,
        gpu_model="A100-40GB",
        vcpus=24.0,
    )
    Agent.objects.filter(pk=graded.agent_id).update(name="InternAgent")
    rebuild_standings(one, NOW)
    many = make_wide_benchmark("many")
    for name in ("AIBuildAI", "InternAgent"):
        entry = make_placed(
            many, "no-private-lb", 64.44, llms=["Gemini-3-Pro-Preview"], hours=24.0, gpus=2.0,
            gpu_model="A100-40GB", vcpus=24.0,
        )  # fmt: skip
        Agent.objects.filter(pk=entry.agent_id).update(name=name)
    rebuild_standings(many, NOW)
    addresses = {"one": "/boards/one/clean/dev/", "many": "/boards/many/no-private-lb/all/"}
    return {name: client.get(address).content.decode() for name, address in addresses.items()}


@pytest.mark.parametrize("name", ["one", "many"])
def test_it_fits_a_usual_screen(pages: dict[str, str], name: str) -> None:
    assert measure(pages[name], 1440, "screen", name)["over"] == 0


@pytest.mark.parametrize("name", ["one", "many"])
@pytest.mark.parametrize("width", [PORTRAIT, LANDSCAPE])
def test_it_fits_the_sheet(pages: dict[str, str], name: str, width: int) -> None:
    found = measure(pages[name], width, "print", name)
    assert found["over"] == 0
    assert min(found["gaps"]) >= 2, "the figures of the axis run into each other"
    assert found["names"] == [1] * len(found["names"])
