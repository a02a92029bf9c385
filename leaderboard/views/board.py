"""The board: one track of one benchmark on one split, narrowed and ordered as the address says."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from grading.splits import Split
from leaderboard.answering import to_relax
from leaderboard.asked import Asked, Place, ask, facets_of
from leaderboard.board_form import make_form
from leaderboard.board_legend import legend_of
from leaderboard.boards import Boards, NoSuchBoard, known_boards
from leaderboard.columns import COLUMNS, RANK, USUAL, fields_of
from leaderboard.filters import NO_MASK, NO_SORT, BadView
from leaderboard.headline import Headline, headline
from leaderboard.kept import Shelf
from leaderboard.kept_answers import keep
from leaderboard.page_paths import page_path
from leaderboard.part_headline import PartHeadline
from leaderboard.shown import Row
from leaderboard.statistics.masks import say_mask
from leaderboard.templatetags.jinja import macro_of
from leaderboard.views.shared import etag_of, not_modified, public_page

# More rows than this go on further pages.
PAGE_ROWS = 50
FORM = "filters"
ROW = "board_row.jinja"
# Where a row says its place among those shown, which is all that filters and orders change of it.
HERE = "\0"
# The class of a column's head where it is not that of numbers.
KINDS = {
    RANK: "rank", "agent": "agent", "any_medal": "bar-head",
    **dict.fromkeys(("medals", "llm", "hardware", "disclosed", "open"), ""),
}  # fmt: skip
PARTS = frozenset(split.value for split in Split.ALL.members)
_drawn: Shelf[str] = Shelf(16 * 2**20, len)


@require_safe
def board(request: HttpRequest, benchmark: str = "", track: str = "", split: str = "") -> HttpResponse:
    """The board of the address or, with the API's words, of the query; else the first that has something to show."""
    known = known_boards()
    # What the page depends on. A board of the past depends on what is recorded meanwhile too.
    is_past = "as_of" in request.GET
    key = (request.get_full_path(), _part(request), known.state)
    etag = "" if is_past else etag_of(*key)
    answer = not_modified(request, etag) if etag else None
    if answer is None:
        asked = request.GET
        place = Place(
            benchmark or asked.get("benchmark", ""),
            track or asked.get("track", ""),
            split or asked.get("split", ""),
        )
        answer = _answer(request, known.boards, place, etag)
        if not is_past:
            keep(answer, known.state)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _part(request: Any) -> str:
    """Which part of the page is asked for: all of it, or what stands below the choices of board."""
    if not request.htmx or request.htmx.history_restore_request:
        return "page"
    return f"view of {FORM}" if request.htmx.trigger == FORM else "view"


def _answer(request: HttpRequest, found: list[Boards], place: Place, etag: str) -> HttpResponse:
    try:
        asked = ask(found, place, dict(request.GET.lists()), timezone.now())
    except NoSuchBoard as error:
        raise Http404(str(error)) from error
    except BadView as error:
        return _refused(request, error)
    part, page = _part(request), found_page(request)
    address = _address(asked, **({"page": str(page)} if page > 1 else {}))  # type: ignore[arg-type]
    if _is_untidy(request) and part == "page":
        return HttpResponseRedirect(address)
    context = _context(page, asked, is_default=not place.track)
    context["is_swapped"] = part != "page"
    context["is_open"] = asked.view.is_narrowed or part == f"view of {FORM}"
    context["benchmarks"] = _benchmark_choices(found, asked)
    template = "leaderboard/board.html" if part == "page" else "leaderboard/_board_view.html"
    return _with_push(public_page(request, template, context, etag), address if part != "page" else "")


def _with_push(answer: HttpResponse, address: str) -> HttpResponse:
    """The answer, telling htmx which address to show for it."""
    if address:
        answer["HX-Push-Url"] = address
    return answer


def _refused(request: HttpRequest, error: BadView) -> HttpResponse:
    """What in the address makes no sense, with the board as it is without that."""
    words = [
        (name, value)
        for name, values in request.GET.lists()
        for value in values
        if name not in {problem.where for problem in error.problems}
    ]
    context = {"problems": error.problems, "without": f"{request.path}?{urlencode(words)}".rstrip("?")}
    return public_page(request, "leaderboard/bad_view.html", context, status=400)


def _is_untidy(request: HttpRequest) -> bool:
    """Whether a form without a script sent its empty fields, or each column by itself."""
    values = [value for _, found in request.GET.lists() for value in found]
    return not all(values) or len(request.GET.getlist("columns")) > 1


def found_page(request: HttpRequest) -> int:
    """The page of a long board, from 1; nonsense is the first."""
    text = request.GET.get("page", "")
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 7 and int(text) else 1


def _context(page: int, asked: Asked, is_default: bool) -> dict[str, Any]:
    board = asked.board
    usable = _usable_columns(asked)
    columns = [name for name in asked.view.columns if name in usable]
    start = (page - 1) * PAGE_ROWS
    rows = asked.rows[start : start + PAGE_ROWS]
    return {
        # The table prints the rows that answer; all else speaks of the whole board.
        "board": replace(board, rows=rows),
        "lines": _lines(asked, rows, columns),
        "whole": board,
        "asked": asked,
        "headline": _headline(asked),
        "legend": legend_of(rows, columns, not asked.has_statistics),
        "is_default": is_default,
        "tracks": _track_choices(asked),
        "splits": _split_choices(asked),
        "others": [choice for choice in _track_choices(asked) if choice["count"] and not choice["current"]],
        "strictest": board.tracks[0],
        "has_parts": bool(PARTS.intersection(columns)),
        "heads": [_head(asked, name) for name in columns],
        "form": make_form(asked.view, asked.words, facets_of(board), usable),
        "form_url": _address(asked, bare=True),
        "chips": _chips(asked),
        "relax": _relaxed(asked) if not asked.rows else [],
        "pages": _pages_of(asked, page),
        "clear_url": _address(asked, bare=True),
        "now_url": _address(asked, without=("as_of",)),
        "exact_url": _address(asked, without=("exact",)) if board.is_exact else _address(asked, exact="1"),
        "json_url": _api_url(asked),
        "csv_url": _api_url(asked, format="csv"),
        "parquet_url": _api_url(asked, format="parquet"),
    }


def _headline(asked: Asked) -> Headline:
    """Of the whole board, whatever rows answer; of the competitions that count in the view."""
    view = asked.view
    return asked.board.once(PartHeadline(view.mask, view.category) if view.has_part else headline)


def _lines(asked: Asked, rows: Sequence[Row], columns: list[str]) -> SafeString:
    """The rows as they are printed. Each is drawn once for every state of the board."""
    drawn = zip(_drawn_before(asked, rows, columns), rows, strict=True)
    lines = [each.replace(HERE, _here(asked, row), 1) for each, row in drawn]
    return mark_safe("".join(lines))  # noqa: S308 - Drawn by a template that escapes.


def _here(asked: Asked, row: Row) -> str:
    """The row's place among those shown, where that is another than on the whole board."""
    if not asked.is_reordered:
        return ""
    said = '<span class="visually-hidden">, place in this view: </span>'
    return f'<small class="block muted">{said}{row["view_position"]} here</small>'


def _drawn_before(asked: Asked, rows: Sequence[Row], columns: list[str]) -> list[str]:
    board, view = asked.board, asked.view
    context = {
        "track": board.track.slug,
        "shown": dict.fromkeys(columns, True),
        "part_splits": [split for split in board.boards.splits if split.value in columns],
        "here": HERE,
        "is_part": view.has_part,
    }
    if asked.as_of:
        return _draw(rows, context)
    # Statistics come and go with filters, figures with a mask or category; all else of a row is the snapshot's.
    state = (
        board.boards.snapshot, board.boards.digest, board.track.slug, board.split, board.is_exact,
        view.mask, view.category, *columns,
    )  # fmt: skip
    keys = [(*state, row["entry"], row["statistics"] is not None) for row in rows]
    found = {key: _drawn.get(key) for key in keys}
    missing = [(key, row) for key, row in zip(keys, rows, strict=True) if found[key] is None]
    for (key, _), drawn in zip(missing, _draw([row for _, row in missing], context), strict=True):
        found[key] = drawn
        _drawn.put(key, drawn)
    return [line for key in keys if (line := found[key]) is not None]


def _draw(rows: Sequence[Row], said: dict[str, Any]) -> list[str]:
    board_row = macro_of(ROW, "board_row")
    return [str(board_row(row, **said)) for row in rows]


def _usable_columns(asked: Asked) -> list[str]:
    """The columns that would show anything: imported rows know Any Medal alone."""
    facets, splits = facets_of(asked.board), [split.value for split in asked.board.boards.splits]
    useless = {split.value for split in Split.ALL.members if split.value not in splits or len(splits) < 2}
    if not facets.has_seed_scores:
        useless.add("scores")
    for column, figure in (("medals", "gold_mean"), ("above_median", "above_median_mean")):
        if figure not in facets.figures:
            useless.add(column)
    return [name for name in COLUMNS if name not in useless]


def _head(asked: Asked, name: str) -> dict[str, Any]:
    """A column's head: a link that sorts by it, and turns the order round where it is sorted so already."""
    column, view = COLUMNS[name], asked.view
    is_sorted = view.sort == name
    falling = not view.falling if is_sorted else column.falls
    is_usual = name == NO_SORT and not falling
    url = _address(asked, without=("sort",)) if is_usual else _address(asked, sort=f"{'-' * falling}{name}")
    orders = {True: "descending", False: "ascending"}
    # An unranked board has an order, but none that its first column could name.
    tells = is_sorted and (name != RANK or asked.board.track.is_ranked)
    # The column of a split counts all of it under every mask.
    is_whole = view.has_part and name in PARTS
    return {
        "name": name,
        "title": f"{column.title}, whole" if is_whole else column.title,
        "url": url,
        "sort": orders[view.falling] if tells else "",
        "kind": KINDS.get(name, "num"),
    }


def _chips(asked: Asked) -> list[dict[str, str]]:
    """Everything that narrows the view, each with the address without it."""
    view = asked.view
    said = [(condition.text, condition.name) for condition in view.conditions]
    if view.mask != NO_MASK:
        said.append((say_mask(view.mask), "mask"))
    if view.category:
        said.append((f"{view.category} competitions", "category"))
    return [{"text": text, "url": _address(asked, without=(name,))} for text, name in said]


def _relaxed(asked: Asked) -> list[dict[str, Any]]:
    return [
        {"text": condition.text, "count": count, "url": _address(asked, without=(condition.name,))}
        for condition, count in to_relax(asked.view, asked.board.rows, asked.look)
    ]


def _pages_of(asked: Asked, page: int) -> dict[str, Any] | None:
    """The way through a board of many rows; None where all are shown."""
    total, start = len(asked.rows), (page - 1) * PAGE_ROWS
    if total <= PAGE_ROWS:
        return None
    last = min(start + PAGE_ROWS, total)
    return {
        "position": f"{start + 1}–{last} of {total}" if start < total else f"none of {total}",
        "previous_url": _address(asked, page=str(page - 1)) if page > 1 else "",
        "next_url": _address(asked, page=str(page + 1)) if last < total else "",
    }


def board_url(benchmark: str, track: str, split: str, query: str = "") -> str:
    """The address of a board."""
    return page_path("board-track", benchmark, track, split) + (f"?{query}" if query else "")


def _address(asked: Asked, without: tuple[str, ...] = (), bare: bool = False, **words: str) -> str:
    """The address of this board, with its words changed; `bare`: without any."""
    board = asked.board
    query = "" if bare else asked.query(without, **words)
    return board_url(board.boards.slug, board.track.slug, board.split, query)


def _benchmark_choices(found: list[Boards], asked: Asked) -> list[dict[str, Any]]:
    return [
        {
            "text": boards.title,
            "url": board_url(boards.slug, asked.board.track.slug, boards.main_split),
            "current": boards.slug == asked.board.boards.slug,
        }
        for boards in found
    ]


def _track_choices(asked: Asked) -> list[dict[str, Any]]:
    board = asked.board
    return [
        {
            "text": track.title,
            "url": board_url(board.boards.slug, track.slug, board.split, asked.query(("exact",))),
            "count": track.count,
            "current": track.slug == board.track.slug,
        }
        for track in board.tracks
    ]


def _split_choices(asked: Asked) -> list[dict[str, Any]]:
    board = asked.board
    return [
        {
            "text": split.label,
            "url": board_url(board.boards.slug, board.track.slug, split, asked.query()),
            "count": count,
            "current": split == board.split,
        }
        for split, count in board.boards.competitions.items()
    ]


def _api_url(asked: Asked, **more: str) -> str:
    """The address of exactly this view for programs: the same words, columns as the fields they stand for."""
    board = asked.board
    words = {"benchmark": board.boards.slug, "split": board.split.value, **more}
    if asked.view.columns != USUAL:
        words["fields"] = ",".join(fields_of(asked.view.columns))
    query = asked.query(without=("columns",), **words)
    return f"{reverse('api:rankings', args=[board.track.slug])}?{query}"
