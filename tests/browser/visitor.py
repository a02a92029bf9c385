"""A person with a browser of their own, which notes whatever a page of this site must not do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    ViewportSize,
    expect,
)

from tests.browser.wide_text import widened

WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
WITHIN_MS = 180_000
expect.set_options(timeout=WITHIN_MS)
# Pixels by which the page is wider than the window, with everything unfolded that can be.
OVERFLOW = """() => {
  const folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach((details) => { details.open = true; });
  const page = document.documentElement;
  const over = page.scrollWidth - page.clientWidth;
  folded.forEach((details) => { details.open = false; });
  return over;
}"""


class Visitor:
    """Acts on a page, and looks at every page it comes to. `faults` says what was wrong, and where."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.context = browser.new_context(base_url=url, viewport=WIDE, **options)
        self.context.set_default_timeout(WITHIN_MS)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.is_watching = True
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self._note(f"error: {error.error}"))
        self.context.on("request", self._see_request)
        self.context.on("requestfailed", self._see_failure)
        self.context.on("response", self._see_answer)

    def _note(self, fault: str) -> None:
        if self.is_watching:
            self.faults.append(f"{self.page.url}: {fault}")

    def _hear(self, message: ConsoleMessage) -> None:
        """Errors and warnings; a breach of the content security policy is one of them."""
        if message.type in ("error", "warning"):
            self._note(f"console {message.type}: {message.text}")

    def _see_request(self, request: Request) -> None:
        if not request.url.startswith((self.url + "/", "data:", "blob:")):
            self._note(f"third party asked: {request.url}")

    def _see_failure(self, request: Request) -> None:
        # Leaving a page ends what it was still asking for; nothing failed then.
        if request.failure != "net::ERR_ABORTED":
            self._note(f"{request.method} {request.url} failed: {request.failure}")

    def _see_answer(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.request.method} {response.url} answered {response.status}")

    @contextmanager
    def expecting_faults(self) -> Iterator[None]:
        """For what fails on purpose."""
        self.is_watching = False
        yield
        self.is_watching = True

    def look(self) -> None:
        """Narrows the window to that of a phone and back; a page that does not fit, in whatever face, is a fault."""
        self.page.set_viewport_size(NARROW)
        self._measure("in the usual face")
        with widened(self.page):
            self._measure("in a wide face")
        self.page.set_viewport_size(WIDE)

    def _measure(self, face: str) -> None:
        over = self.page.evaluate(OVERFLOW)
        if over > 0:
            self._note(f"{over} px too wide for a window of {NARROW['width']}, {face}")

    def open(self, path: str) -> None:
        self.page.goto(path)
        self.look()

    def follow(self, name: str) -> None:
        """Clicks the link of that name; the page's own, where the header has one too."""
        self._leave_by(self.page.get_by_role("link", name=name, exact=True).last)

    def press(self, name: str) -> None:
        """Clicks the button of that name, which leads to another page."""
        self._leave_by(self.page.get_by_role("button", name=name, exact=True))

    def _leave_by(self, control: Locator) -> None:
        with self.page.expect_navigation():
            control.click()
        self.look()

    def sees(self, text: str) -> None:
        """Waits until the text is there."""
        expect(self.page.get_by_text(text).filter(visible=True).first).to_be_visible(timeout=WITHIN_MS)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Waits for something that the page does not show."""
        for _ in range(WITHIN_MS // 50):
            if condition():
                return
            self.page.wait_for_timeout(50)
        raise TimeoutError(f"waited {WITHIN_MS // 1000} s in vain at {self.page.url}")

    def read(self, path: str) -> str:
        """What an address answers to this person, outside the page."""
        return self.page.request.get(path).text()

    def sign_in(self, email: str, password: str) -> None:
        self.open("/account/login/")
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.press("Sign In")
