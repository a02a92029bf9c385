"""A board has room: on a usual screen nothing is cut off, and on paper every column is on the sheet."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal

import pytest
from django.test import Client
from playwright.sync_api import Page, sync_playwright

from leaderboard.models import Agent, Entry
from leaderboard.standings import rebuild_standings
from tests.browser.site import NO_CHROMIUM, ROOT, find_chromium
from tests.browser.wide_text import SAMPLE, WIDEST, widened
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
FACES = ["usual", "wide"]
AVERAGE_EM = """() => {
  const span = document.querySelector("span");
  const size = parseFloat(getComputedStyle(span).fontSize);
  return span.getBoundingClientRect().width / size / span.textContent.length;
}"""
Medium = Literal["screen", "print"]


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


@contextmanager
def opened(html: str, width: int, medium: Medium = "screen") -> Iterator[Page]:
    path = find_chromium()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.set_content(html)
        page.emulate_media(media=medium)
        yield page
        browser.close()


def measure(html: str, width: int, medium: Medium, face: str, picture: str) -> dict[str, Any]:
    with (
        opened(whole(html), width, medium) as page,
        widened(page) if face == "wide" else nullcontext(),
    ):
        found: dict[str, Any] = page.evaluate(MEASURE)
        if shots := os.environ.get("SHOTS"):
            name = f"{picture}-{width}-{medium}-{face}.png"
            page.screenshot(path=str(Path(shots) / name), full_page=True)
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
@pytest.mark.parametrize("face", FACES)
def test_it_fits_a_usual_screen(pages: dict[str, str], name: str, face: str) -> None:
    assert measure(pages[name], 1440, "screen", face, name)["over"] == 0


@pytest.mark.parametrize("name", ["one", "many"])
@pytest.mark.parametrize("width", [PORTRAIT, LANDSCAPE])
@pytest.mark.parametrize("face", FACES)
def test_it_fits_the_sheet(pages: dict[str, str], name: str, width: int, face: str) -> None:
    found = measure(pages[name], width, "print", face, name)
    assert found["over"] == 0
    assert min(found["gaps"]) >= 2, "the figures of the axis run into each other"
    assert found["names"] == [1] * len(found["names"])


@pytest.mark.parametrize("weight", ["400", "600"])
def test_a_wide_face_is_as_wide_as_it_says(weight: str) -> None:
    # Words closer than usual, so that every machine's face lacks something.
    style = (
        f"<style>body {{ font: {weight} 100px sans-serif; word-spacing: -30px; white-space: nowrap }}</style>"
    )
    with opened(f"{style}<span>{SAMPLE}</span>", 1440) as page:
        before = page.evaluate(AVERAGE_EM)
        with widened(page):
            assert page.evaluate(AVERAGE_EM) == pytest.approx(WIDEST[weight], abs=0.001)
        assert before == page.evaluate(AVERAGE_EM) < WIDEST[weight]
