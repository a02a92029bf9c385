"""Reading the board in a real browser: filtering, sorting, comparing, exporting, and all of it by keyboard."""

import csv
import io
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import OpenVisitor
from tests.browser.site import Site
from tests.browser.visitor import NARROW, WIDE, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.site]
BOARD = "/boards/mle-bench-v1/no-private-lb/all/"
ROWS = ".board tbody tr"
FIGURE = ".measure__figure b"
MOST_TABS = 150
# The value of a box, the words of a link or button, the id of anything else that has the focus.
FOCUSED = """() => {
  const element = document.activeElement;
  return element.type === "checkbox" ? `box ${element.value}` : element.id || element.textContent.trim();
}"""


def agents(page: Page) -> list[str]:
    return page.locator(f"{ROWS} th.agent > a:first-child").all_inner_texts()


def figures(page: Page) -> list[float]:
    return [float(text) for text in page.locator(f"{ROWS} {FIGURE}").all_inner_texts()]


def test_filtering_changes_the_rows_and_the_address(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.open(BOARD)
    before = agents(reader.page)
    reader.page.get_by_label("Search the board").fill("AIDE")
    reader.page.wait_for_url("**q=AIDE*")
    expect(reader.page.locator(ROWS)).not_to_have_count(len(before))
    narrowed = agents(reader.page)
    assert narrowed
    assert all("aide" in name.casefold() for name in narrowed)
    reader.page.reload()
    assert agents(reader.page) == narrowed
    reader.page.get_by_role("link", name="Clear all").click()
    expect(reader.page.locator(ROWS)).to_have_count(len(before))
    assert agents(reader.page) == before


def test_sorting_turns_the_rows_round_and_back(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.open(BOARD)
    before = figures(reader.page)
    assert before == sorted(before, reverse=True)
    head = reader.page.locator("th.bar-head")
    for order, expected in (("descending", before), ("ascending", sorted(before))):
        head.get_by_role("link").click()
        expect(head).to_have_attribute("aria-sort", order)
        assert figures(reader.page) == expected


def test_the_export_is_the_table(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.open(f"{BOARD}?sort=agent&hours_min=1")
    with reader.page.expect_download() as download:
        reader.page.get_by_role("link", name="CSV", exact=True).click()
    lines = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert [line["agent"] for line in lines] == agents(reader.page)
    assert [round(float(line["any_medal_mean"]), 2) for line in lines] == figures(reader.page)
    assert len(lines) > 3


def test_comparing_three_rows(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.open(BOARD)
    chosen = agents(reader.page)[:3]
    for box in reader.page.locator(".compare-pick input").all()[:3]:
        box.check()
    reader.press("Compare")
    assert re.search(r"/compare/\?entries=\d+,\d+,\d+$", reader.page.url)
    heads = (
        reader.page.locator(".compare thead").first.locator("th.bar-head > a:first-child").all_inner_texts()
    )
    assert [head.split(" (entry")[0] for head in heads] == chosen


def test_without_scripts_it_filters_and_compares_all_the_same(chromium: Browser, site: Site) -> None:
    reader = Visitor(chromium, site.url, java_script_enabled=False)
    reader.page.goto(f"{BOARD}?q=AIDE")
    assert all("aide" in name.casefold() for name in agents(reader.page))
    for box in reader.page.locator(".compare-pick input").all()[:2]:
        box.check()
    reader.page.get_by_role("button", name="Compare").click()
    assert "/compare/?entries=" in reader.page.url
    assert reader.faults == []
    reader.context.close()


def test_all_of_it_by_keyboard(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.open(BOARD)
    page = reader.page
    tab_to(page, "filter-q")
    page.keyboard.type("AI")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=AI*")
    expect(page.locator(ROWS).first).to_be_visible()
    name = agents(page)[0]
    tab_to(page, name)
    page.keyboard.press("Enter")
    page.wait_for_url("**/entries/**")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    expect(page.locator(ROWS).first).to_be_visible()
    numbers = [box.get_attribute("value") for box in page.locator(".compare-pick input").all()[:2]]
    for number in numbers:
        tab_to(page, f"box {number}")
        page.keyboard.press("Space")
    tab_to(page, "Compare")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/compare/?entries={','.join(map(str, numbers))}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def tab_to(page: Page, wanted: str) -> None:
    """Presses Tab until that has the focus."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == wanted:
            return
    raise AssertionError(f"Tab did not reach {wanted!r} in {MOST_TABS} steps")


def test_a_table_says_that_it_goes_on_to_the_right(new_visitor: OpenVisitor) -> None:
    reader = new_visitor()
    reader.page.set_viewport_size(NARROW)
    reader.page.goto(BOARD)
    box = reader.page.locator(".table-scroll")
    expect(box).to_have_attribute("data-more", "")
    box.evaluate("element => { element.scrollLeft = element.scrollWidth; }")
    expect(box).not_to_have_attribute("data-more", "")
    reader.page.set_viewport_size(WIDE)
