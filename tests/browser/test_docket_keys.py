"""The docket's keys: from line to line, into a line, to the search; and nothing while somebody types."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SCRIPT = Path(__file__).parents[2] / "static" / "js" / "docket.js"
# What templates/leaderboard/docket.html writes, as far as the script looks at it.
LINE = '<li><h2><a href="#case-{0}" data-item>Case {0}</a></h2></li>'
PAGE = f"""<input type="search"><p data-keys hidden>Keys</p>
<ol data-docket>{"".join(LINE.format(number) for number in (1, 2, 3))}</ol>"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    opened = chromium.new_page()
    opened.set_content(PAGE)
    opened.add_script_tag(path=SCRIPT)
    yield opened
    opened.close()


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent || document.activeElement.type || ''"))


@pytest.mark.parametrize(
    ("keys", "where"),
    [
        ("j", "Case 1"),
        ("k", "Case 3"),
        ("jj", "Case 2"),
        ("jjk", "Case 1"),
        ("jjjjj", "Case 3"),
        ("jk", "Case 1"),
        ("/", "search"),
    ],
)
def test_keys_lead_from_line_to_line(page: Page, keys: str, where: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    assert focused(page) == where


def test_enter_opens_the_line(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    # A step within the page is told a moment later.
    page.wait_for_url("**#case-2")


def test_the_help_line_comes_with_the_script_and_goes_by_a_key(page: Page) -> None:
    line = page.locator("[data-keys]")
    assert line.is_visible()
    page.keyboard.press("?")
    assert line.is_hidden()
    page.keyboard.press("?")
    assert line.is_visible()


def test_whoever_types_is_left_alone(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("jk?/")
    assert page.input_value("input") == "jk?/"
    assert page.locator("[data-keys]").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert focused(page) == "Case 1"


def test_keys_of_the_browser_stay_its_own(page: Page) -> None:
    page.keyboard.press("Control+j")
    assert focused(page) != "Case 1"
