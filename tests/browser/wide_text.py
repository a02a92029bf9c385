"""Text as wide as a wide sans-serif face makes it, whatever faces this machine has."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

# What a character of the sample takes of its font size, by weight, in DejaVu Sans, on many a Linux the only face; in
# Liberation Sans, as wide as Arial, 0.47 and 0.50. Space between letters makes up for what the machine's face lacks.
SAMPLE = "Above median, disclosed, graded here, 1234.56"
WIDEST = {"400": 0.534, "600": 0.599}
# By a style sheet, not by styles of the elements: htmx would copy these, and the content security policy forbid it.
WIDEN = """([sample, widest]) => {
  const ruler = document.body.appendChild(document.createElement("span"));
  ruler.textContent = sample;
  Object.assign(ruler.style, { position: "absolute", whiteSpace: "nowrap", fontSize: "100px", letterSpacing: "0" });
  const average = (weight) => {
    ruler.style.fontWeight = weight;
    return ruler.getBoundingClientRect().width / 100 / sample.length;
  };
  const [usual, bold] = [average("400"), average("600")];
  ruler.remove();
  const lacking = Math.max(0, widest["400"] - usual);
  document.querySelectorAll("body *").forEach((each) => {
    each.toggleAttribute("data-bold", getComputedStyle(each).fontWeight >= 600);
  });
  const sheet = new CSSStyleSheet();
  // Day, month and year within a date do not take up the space between letters.
  sheet.replaceSync(`
    * { letter-spacing: ${lacking}em !important; }
    [data-bold] { letter-spacing: ${Math.max(0, widest["600"] - bold)}em !important; }
    input[type="date"] { font-size: ${1 + lacking / usual}em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
RESTORE = """() => {
  document.adoptedStyleSheets = [];
  document.querySelectorAll("[data-bold]").forEach((each) => each.removeAttribute("data-bold"));
}"""


@contextmanager
def widened(page: Page) -> Iterator[None]:
    """Meanwhile the text of the page is as wide as in the widest face."""
    page.evaluate(WIDEN, [SAMPLE, WIDEST])
    yield
    page.evaluate(RESTORE)
