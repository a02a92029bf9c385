"""Masking competitions of a published entry, and counting them again."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from leaderboard.flag_page import flag_card
from leaderboard.integrity.masking import lift_masks, mask_competitions
from leaderboard.mask_page import MaskLine, lines_of
from leaderboard.models import Entry, Flag
from leaderboard.public import public_entries
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.mask_form import MaskForm, UnmaskForm
from leaderboard.views.review import decided, flag_asked, movable_flags, newest_seen
from submissions.views.shared import Visit

TEMPLATE = "leaderboard/mask.html"
MASK_HELP = (
    "What is masked stays shown, with the decision, but counts in no figure, medal or rank of this entry. Public at "
    "once, with your name; another decision can count it again."
)
UNMASK_HELP = (
    "They count again in every figure of this entry, at once and in public. The masks stay on record."
)


@for_maintainers
@require_http_methods(["GET", "POST"])
def mask(request: Visit, slug: str) -> HttpResponse:
    """Takes competitions out of the count of one entry. `?flag=`: in answer to which flag."""
    entry = get_object_or_404(public_entries(), slug=slug)
    lines, flags = lines_of(entry), movable_flags(entry)
    chosen = flag_asked(flags, request.GET.get("flag", ""))
    offered = [line.id for line in lines if line.decision is None]
    form = MaskForm(offered, flags, request.POST or None, initial=_initial(entry, chosen))

    def decide() -> str:
        given = form.cleaned_data
        decision = mask_competitions(
            entry,
            given["competitions"],
            form.grounds(),
            request.user,
            timezone.now(),
            given["seen"],
            given["flag"],
        )
        return f"Masked by decision {decision.pk}: {', '.join(decision.details['masked'])}."

    page = _page("Mask competitions", "Uphold and mask" if chosen else "Mask", MASK_HELP, lines)
    if chosen:
        page["flag_card"] = flag_card(chosen, timezone.now(), with_private=True)
    return decided(request, entry, form, decide, page)


@for_maintainers
@require_http_methods(["GET", "POST"])
def unmask(request: Visit, slug: str) -> HttpResponse:
    """Counts masked competitions of one entry again."""
    entry = get_object_or_404(public_entries(), slug=slug)
    lines = [line for line in lines_of(entry) if line.decision is not None]
    form = UnmaskForm([line.id for line in lines], request.POST or None, initial=newest_seen(entry))

    def decide() -> str:
        given = form.cleaned_data
        decision = lift_masks(
            entry, given["competitions"], form.grounds(), request.user, timezone.now(), given["seen"]
        )
        return f"Counted again by decision {decision.pk}: {', '.join(decision.details['unmasked'])}."

    page = _page("Count again", "Count again", UNMASK_HELP, lines)
    return decided(request, entry, form, decide, {**page, "lifts": True})


def _initial(entry: Entry, flag: Flag | None) -> dict[str, Any]:
    """What the flag says already, for the maintainer to check. The reason is the maintainer's own."""
    if flag is None:
        return newest_seen(entry)
    said = {
        name: getattr(flag, name) for name in ("rule", "evidence_url", "evidence_is_private", "competitions")
    }
    return {**newest_seen(entry), **said, "flag": flag}


def _page(title: str, button: str, words: str, lines: list[MaskLine]) -> dict[str, Any]:
    counted = sum(line.decision is None for line in lines)
    return {
        "template": TEMPLATE,
        "title": title,
        "button": button,
        "help": words,
        "lines": lines,
        "counted": counted,
        "masked": len(lines) - counted,
    }
