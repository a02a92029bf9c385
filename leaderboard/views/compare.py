"""Two to five entries side by side."""

from typing import Any

from django.db.models import F, Prefetch
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from leaderboard.compare.facts import compare_facts, figures_on
from leaderboard.compare.load import Compared, load
from leaderboard.compare.wanted import FEWEST, MOST, BadChoice, read_wanted
from leaderboard.drawn import draw_once, reader_of
from leaderboard.entry_statistics import say_p
from leaderboard.models import Entry, EntryResult
from leaderboard.public import public_entries
from leaderboard.views.shared import compare_url, public_page

# More names than these are better looked up on a board.
MOST_CHOICES = 100
CHOSEN_BY = ("agent__organisation", "benchmark")
SHOWN = (
    "slug", "version", "run_on", "scope", "llms", "no_llm", "agent__name", "agent__organisation__name",
    "benchmark__title",
)  # fmt: skip
FIGURES = ("any_medal_mean", "any_medal_sem")
_read, _read_figures = reader_of(SHOWN), reader_of(FIGURES)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """What the address asks for, under one address whether it came from ticked boxes or from a link."""
    said = request.GET.getlist("entries")
    try:
        wanted, chosen = read_wanted(said), read_wanted(request.GET.getlist("choose"))
    except BadChoice as error:
        return _choose(request, [], str(error), status=400)
    if not wanted:
        return _choose(request, chosen, "", status=200)
    if said != [",".join(map(str, wanted))]:
        return HttpResponseRedirect(compare_url(wanted))
    compared = load(wanted)
    if len(compared.columns) < FEWEST:
        return _choose(request, wanted, _too_few(compared, wanted), status=200)
    return public_page(request, "leaderboard/compare.html", _context(compared))


def _too_few(compared: Compared, wanted: list[int]) -> str:
    if compared.missing:
        numbers = ", ".join(map(str, compared.missing))
        return f"No entry of these numbers is published: {numbers}. Choose at least two others."
    return "One entry is chosen. Choose at least one more."


def _choose(request: HttpRequest, wanted: list[int], problem: str, status: int) -> HttpResponse:
    """The list to choose from, with those ticked that are chosen already."""
    figures = EntryResult.objects.filter(split=F("entry__scope")).only("entry", *FIGURES)
    public = public_entries().select_related(None).select_related(*CHOSEN_BY).only(*SHOWN).order_by("-pk")
    public = public.prefetch_related(Prefetch("results", figures))
    newest = public.exclude(pk__in=wanted)[:MOST_CHOICES]
    entries = [*public.filter(pk__in=wanted), *newest]
    context = {
        "entries": entries,
        "lines": [_draw_choice(entry, entry.pk in wanted) for entry in entries],
        "problem": problem,
        "most": MOST,
        "choices": MOST_CHOICES,
    }
    return public_page(request, "leaderboard/compare_choose.html", context, status=status)


def _draw_choice(entry: Entry, is_taken: bool) -> SafeString:
    """With what tells entries of one agent apart: llm, version, figure on the scope."""
    result = next(iter(entry.results.all()), None)
    return draw_once(
        "leaderboard/_compare_choice.html",
        (entry.pk, is_taken, *_read(entry), result and _read_figures(result)),
        lambda: {"entry": entry, "is_taken": is_taken, "result": result},
    )


def _context(compared: Compared) -> dict[str, Any]:
    names = compared.names
    return {
        "compared": compared,
        "columns": [
            {
                "line": column,
                "name": names[column.entry.pk],
                "without_url": _without(compared, column.entry.pk),
            }
            for column in compared.columns
        ],
        "names": list(names.values()),
        "figures": [(split, figures_on(compared.columns, split)) for split in compared.splits],
        "facts": compare_facts(compared.columns),
        "pairs": [
            {
                "pair": pair,
                "one": names[pair.one],
                "other": names[pair.other],
                "p": say_p(pair.p_value) if pair.p_value is not None else "",
                "p_adjusted": say_p(pair.p_adjusted) if pair.p_adjusted is not None else "",
            }
            for pair in compared.pairs
        ],
        "verdict": say_verdict(compared),
        "has_equal": any(part.equal for part in compared.cards),
        "card_names": [names[pk] for pk in compared.carded],
        "has_imported": any(column.entry.submission_id is None for column in compared.columns),
        "add_url": f"{reverse('compare')}?choose={','.join(str(c.entry.pk) for c in compared.columns)}",
    }


def _why_no_ground(graded: int) -> str:
    """`graded`: how many of them were graded here."""
    why = (
        "the single runs of none of them are known here",
        "of one alone the single runs are known here",
        "no split of one benchmark was attempted by two of them whose single runs are known here",
    )
    return f"They cannot be compared run by run: {why[min(graded, 2)]}."


def _without(compared: Compared, entry: int) -> str:
    """The same without one of them; empty where too few would be left."""
    left = [column.entry.pk for column in compared.columns if column.entry.pk != entry]
    return compare_url(left) if len(left) >= FEWEST else ""


def say_verdict(compared: Compared) -> str:
    """In one sentence whether any of them can be told apart."""
    if compared.ground is None:
        return _why_no_ground(sum(column.entry.submission_id is not None for column in compared.columns))
    tested = [pair for pair in compared.pairs if pair.differs is not None]
    if not tested:
        count = len(compared.ground.competitions)
        return f"{count} {'competition is' if count == 1 else 'competitions are'} too few to tell them apart."
    apart = sum(pair.differs is True for pair in tested)
    if len(tested) == 1:
        return "The gap is more than noise." if apart else "The two cannot be told apart."
    if not apart:
        return "None of them can be told apart from another."
    return f"{apart} of {len(tested)} pairs differ by more than noise; the others cannot be told apart."
