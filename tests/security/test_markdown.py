"""Whatever a Markdown text holds, the page made of it runs nothing and leads nowhere but to pages."""

from html.parser import HTMLParser

from hypothesis import example, given, settings
from hypothesis import strategies as st

from leaderboard.documents import TAGS, render_document, sanitise

quick = settings(max_examples=200, deadline=None, derandomize=True, database=None)
BAD = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "![x](javascript:1)",
    "[x](JaVaScRiPt:alert(1))", "[x](data:text/html;base64,PHNjcmlwdD4=)", "<svg/onload=alert(1)>",
    "[x]: javascript:1\n[x]",
    "<a href='vbscript:x'>", "<iframe srcdoc='<script>1</script>'>", "<style>@import 'x'</style>", "`</code><script>`",
    "| a |\n|---|\n| <b onclick=1> |", "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title=\"</noscript><img src=x onerror=1>\">", "&lt;script&gt;", "&#106;avascript:1",
    "<javascript:alert(1)>", "# <object data=x>", "[a](\x01javascript:1)", "[a](java\tscript:1)",
]  # fmt: skip
pieces = st.lists(st.one_of(st.sampled_from(BAD), st.text(max_size=20)), max_size=8).map(" ".join)


class Found(HTMLParser):
    """Tags, attributes and addresses, as a reader of HTML would see them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]


def check(html: str) -> None:
    found = Found(html)
    assert found.tags <= TAGS | {"div"}
    assert not any(name.startswith("on") or name in ("style", "srcdoc") for name in found.attributes)
    for each in found.addresses:
        scheme, colon, _ = each.strip().lower().partition(":")
        assert (
            not colon
            or scheme in ("http", "https", "mailto")
            or "/" in scheme
            or "#" in scheme
            or "?" in scheme
        )


@quick
@given(pieces)
@example("\n\n".join(BAD))
def test_a_document_runs_nothing(text: str) -> None:
    check(render_document(text).html)


@quick
@given(pieces)
@example("".join(BAD))
def test_html_that_got_through_is_taken_out(text: str) -> None:
    """As if the first defence, the Markdown parser's own, were switched off."""
    check(sanitise(text))


def test_a_table_a_link_and_an_anchor_stay() -> None:
    html = render_document(
        "# T\n\n## One two\n\n[a](tracks.md#x) `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    ).html
    assert '<h2 id="one-two">' in html
    assert 'href="/docs/tracks/#x"' in html
    assert "<td>1</td>" in html
