"""Correcting a decision: another in its place, with other grounds and maybe another track."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from leaderboard.entry_page import decision_card
from leaderboard.forms import GROUNDS, GroundsForm
from leaderboard.integrity.correcting import find_uncorrectable, places_now, supersede
from leaderboard.models import Decision, Track
from leaderboard.public import public_entries
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.review import decided, newest_seen
from submissions.views.shared import Visit

HELP = (
    "The new decision is public at once, with your name. The old one stays on record, marked as superseded, and its "
    "words stay readable. Where the team could appeal against the old one, it can against the new."
)


class CorrectForm(GroundsForm):
    """The grounds, and the track for a decision that places the entry. Filled in with what stands."""

    track = forms.ModelChoiceField(
        Track.objects.all(), to_field_name="slug", empty_label=None, widget=forms.RadioSelect,
        help_text="Another track than the one chosen already moves the entry.",
    )  # fmt: skip
    field_order: tuple[str, ...] = ("track", *GROUNDS, "seen")

    def __init__(self, places: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not places:
            del self.fields["track"]


@for_maintainers
@require_http_methods(["GET", "POST"])
def correct(request: Visit, number: int) -> HttpResponse:
    """Another decision in the place of a public one."""
    found = get_object_or_404(
        Decision.objects.select_related("track"),
        pk=number,
        entry__in=public_entries().order_by().values("pk"),
    )
    entry = get_object_or_404(public_entries(), pk=found.entry_id)
    stands = {name: getattr(found, name) for name in ("track", *GROUNDS)}
    form = CorrectForm(
        places_now(found, timezone.now()), request.POST or None, initial={**newest_seen(entry), **stands}
    )

    def decide() -> str:
        given = form.cleaned_data
        new = supersede(
            found, form.grounds(), request.user, timezone.now(), given.get("track"), given["seen"]
        )
        return f"Decision {new.pk} stands in the place of decision {found.pk}."

    page = {
        "title": f"Correct decision {found.pk}",
        "button": "Decide",
        "help": HELP,
        "corrected": decision_card(found),
        "refusal": find_uncorrectable(found),
    }
    return decided(request, entry, form, decide, page)
