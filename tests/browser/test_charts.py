"""Charts in a real browser: drawn when they are seen, in the colours of the scheme, without a word on the console."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import OpenVisitor
from tests.browser.site import Site
from tests.browser.visitor import WITHIN_MS, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.site]
CHARTS = "/charts/mle-bench-v1/"
BACKGROUND = "draw => getComputedStyle(draw.querySelector('.main-svg')).backgroundColor"
PNG = b"\x89PNG\r\n\x1a\n"


def see(visitor: Visitor, name: str) -> Locator:
    """The chart, once it is drawn."""
    chart = visitor.page.locator(f"#chart-{name}")
    chart.scroll_into_view_if_needed()
    expect(chart.locator(".main-svg[aria-hidden]").first).to_be_visible(timeout=WITHIN_MS)
    return chart


def test_a_chart_is_drawn_when_it_is_seen_and_its_marks_speak(new_visitor: OpenVisitor) -> None:
    visitor = new_visitor()
    visitor.page.goto(CHARTS)
    see(visitor, "over-time")
    assert visitor.page.locator("#chart-scaffolds .main-svg").count() == 0
    see(visitor, "scaffolds")
    hours = see(visitor, "hours")
    hours.locator(".scatterlayer .point").nth(5).hover(force=True)
    expect(hours.locator(".hoverlayer")).to_contain_text("self-graded, unverified", timeout=WITHIN_MS)
    assert visitor.page.locator(".chart__draw a").count() == 0
    visitor.look()


def test_colours_follow_the_scheme(new_visitor: OpenVisitor) -> None:
    visitor = new_visitor()
    visitor.page.emulate_media(color_scheme="light")
    visitor.page.goto(CHARTS)
    draw = see(visitor, "over-time").locator(".chart__draw")
    assert draw.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
    visitor.page.emulate_media(color_scheme="dark")
    visitor.wait(lambda: draw.evaluate(BACKGROUND) == "rgb(22, 31, 30)")


def test_the_picture_is_saved_by_keyboard(new_visitor: OpenVisitor) -> None:
    visitor = new_visitor()
    visitor.page.goto(CHARTS)
    buttons = see(visitor, "over-time").locator(".modebar-btn")
    # One button only: the usual ones would send the chart elsewhere.
    expect(buttons).to_have_count(1)
    buttons.focus()
    with visitor.page.expect_download() as saved:
        visitor.page.keyboard.press("Enter")
    assert saved.value.suggested_filename == "over-time.png"
    assert Path(saved.value.path()).read_bytes().startswith(PNG)


def test_the_other_pages_draw_theirs(new_visitor: OpenVisitor) -> None:
    visitor = new_visitor()
    visitor.open("/insights/")
    names = visitor.page.locator("[data-chart]").evaluate_all("all => all.map((each) => each.dataset.chart)")
    assert len(names) == 7
    for name in names:
        see(visitor, name)


def test_where_plotly_does_not_come_the_table_opens(new_visitor: OpenVisitor) -> None:
    visitor = new_visitor()
    visitor.page.route("**/plotly*.js", lambda route: route.abort())
    with visitor.expecting_faults():
        visitor.page.goto(CHARTS)
        table = visitor.page.locator("#chart-over-time table")
        expect(table).to_be_visible(timeout=WITHIN_MS)
        expect(visitor.page.locator("#chart-over-time .chart__draw")).to_be_hidden()


def test_without_scripts_there_is_the_table(chromium: Browser, site: Site) -> None:
    visitor = Visitor(chromium, site.url, java_script_enabled=False)
    visitor.page.goto(CHARTS)
    visitor.page.locator("#chart-over-time summary").click()
    expect(visitor.page.locator("#chart-over-time table")).to_contain_text("Famou-Agent 2.0")
    expect(visitor.page.locator("#chart-over-time .chart__draw")).to_be_hidden()
    assert visitor.faults == []
    visitor.context.close()
