"""The documents under `docs/` as pages: Markdown to HTML with anchors and a table of contents."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from pathlib import Path

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

# What a reader needs first; documents not named here follow by title.
ORDER = (
    "how-to-submit", "tracks", "review", "bundle-format", "run-card", "checks", "grading", "statistics", "sandbox",
    "api", "running", "add-a-competition", "dependencies",
)  # fmt: skip
# How generated documents begin: a note for whoever edits them, not what they are about.
GENERATED = "Written from"
# They set stable anchors with this one piece of HTML, which is otherwise switched off.
ANCHOR = re.compile(r'<a id="([a-z0-9_.-]+)"></a>')

SCROLLING = '<div class="table-scroll" role="region" aria-label="Table {}" tabindex="0"><table class="table">'
# What the documents are made of. The texts come with the code; this holds also if one day somebody else's do.
TAGS = {
    *("a", "blockquote", "br", "code", "em", "hr", "img", "li", "ol", "p", "pre", "s", "strong", "ul"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "tbody", "td", "th", "thead", "tr"),
}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "code": {"class"},
    "ol": {"start"},
    **{tag: {"id"} for tag in HEADINGS},
}
# A file that a document shows, beside it in the folder.
EXAMPLE = re.compile(r"[a-z0-9_.-]+\.(yaml|py)")


@dataclass(frozen=True)
class Heading:
    """A heading of the second level, for the table of contents."""

    anchor: str
    text: str


@dataclass(frozen=True)
class Document:
    """A rendered document. `summary` is its first paragraph as text, `html` all of it but the title."""

    slug: str
    title: str
    summary: str = ""
    html: str = ""
    headings: tuple[Heading, ...] = field(default=())


def list_documents(folder: Path) -> list[Document]:
    """All documents of the folder, what a reader needs first in front."""
    found = [read_document(folder, path.stem) for path in sorted(folder.glob("*.md"))]
    known = {slug: place for place, slug in enumerate(ORDER)}
    return sorted((doc for doc in found if doc), key=lambda doc: (known.get(doc.slug, len(ORDER)), doc.title))


def read_document(folder: Path, slug: str) -> Document | None:
    """The document of that name, or None where there is none. Slugs that are no plain file name find nothing."""
    path = folder / f"{slug}.md"
    if not re.fullmatch(r"[a-z0-9-]+", slug) or not path.is_file():
        return None
    return _rendered(path, path.stat().st_mtime_ns)


def read_example(folder: Path, name: str) -> str | None:
    """The text of a file that a document shows, or None where there is none of that name."""
    path = folder / name
    return path.read_text(encoding="utf-8") if EXAMPLE.fullmatch(name) and path.is_file() else None


@lru_cache(maxsize=64)
def _rendered(path: Path, changed_at: int) -> Document:
    return replace(render_document(path.read_text(encoding="utf-8")), slug=path.stem)


def render_document(markdown: str) -> Document:
    """The document of a Markdown text, without a slug. Raw HTML stays text; the first heading is the title."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = _anchored(parser.parse(markdown))
    title = _first_text(tokens, "heading_open")
    if title:
        tokens = tokens[3:] if tokens[0].type == "heading_open" else tokens
    return Document(
        slug="",
        title=title,
        summary=_first_text(tokens, "paragraph_open", unless=GENERATED),
        html=_with_scrolling_parts(sanitise(parser.renderer.render(tokens, parser.options, {}))),
        headings=tuple(_headings(tokens)),
    )


def sanitise(html: str) -> str:
    """The HTML with nothing in it but these tags, their harmless attributes, and links to pages."""
    return nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"}, link_rel=None
    )


def _anchored(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with an id on every heading and links to documents turned into links to their pages."""
    kept: list[Token] = []
    given, used = "", set[str]()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        anchor = _anchor_of(tokens, position)
        if anchor:
            given, position = anchor, position + 3
            continue
        if token.type == "heading_open":
            token.attrSet("id", _free(given or _slug(_plain(tokens[position + 1])), used))
            given = ""
        for child in token.children or ():
            _relink(child)
        kept.append(token)
        position += 1
    return kept


def _anchor_of(tokens: Sequence[Token], position: int) -> str:
    """The id a paragraph sets if it is nothing but an anchor, else empty."""
    if tokens[position].type != "paragraph_open":
        return ""
    found = ANCHOR.fullmatch(tokens[position + 1].content)
    return found[1] if found else ""


def _relink(token: Token) -> None:
    """`tracks.md#clean` is a file to whoever reads the repository, and a page here."""
    target = str(token.attrGet("href") or "")
    if token.type != "link_open":
        return
    if found := re.fullmatch(r"(?:docs/)?([a-z0-9-]+)\.md(#.*)?", target):
        token.attrSet("href", f"/docs/{found[1]}/{found[2] or ''}")
    elif EXAMPLE.fullmatch(target):
        token.attrSet("href", f"/docs/{target}")


def _free(anchor: str, used: set[str]) -> str:
    """The anchor, numbered where an earlier heading has it."""
    free, number = anchor, 2
    while free in used:
        free, number = f"{anchor}-{number}", number + 1
    used.add(free)
    return free


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "section"


def _plain(inline: Token) -> str:
    """The words of a piece of text, without its marks."""
    words = (" " if child.type == "softbreak" else child.content for child in inline.children or ())
    return "".join(words).strip()


def _first_text(tokens: Sequence[Token], kind: str, unless: str = "\0") -> str:
    """The words of the first block of that kind that does not begin so; empty if there is none."""
    texts = (_plain(tokens[at + 1]) for at, token in enumerate(tokens) if token.type == kind)
    return next((text for text in texts if not text.startswith(unless)), "")


def _headings(tokens: Sequence[Token]) -> list[Heading]:
    return [
        Heading(str(token.attrGet("id")), _plain(tokens[at + 1]))
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    ]


def _with_scrolling_parts(html: str) -> str:
    """On a phone wide tables and code scroll by themselves instead of widening the page; the keyboard reaches them."""
    numbers = count(1)
    wrapped = re.sub(r"<table>", lambda _: SCROLLING.format(next(numbers)), html)
    return wrapped.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
