"""The audit log, for maintainers."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.audit.acts import Act
from leaderboard.models import AuditRecord
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.paging import page_context
from submissions.views.shared import Visit

PER_PAGE = 50


class AuditFilter(forms.Form):
    """What the list is narrowed by; its state is the address."""

    act = forms.ChoiceField(
        required=False, label="What", choices=[("", "anything"), *((a.value, a.label) for a in Act)]
    )
    who = forms.CharField(required=False, max_length=254, label="Whose e-mail")
    address = forms.GenericIPAddressField(required=False, label="From address")


@for_maintainers
@require_safe
def audit(request: Visit) -> HttpResponse:
    """Newest first. A filter that makes no sense finds nothing, and the form says why."""
    form = AuditFilter(request.GET)
    words = {name: word for name, word in form.cleaned_data.items() if word} if form.is_valid() else {}
    page = Paginator(_found(form, words), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "is_narrowed": bool(words) or not form.is_valid(),
        "lines": [(line, Act(line.act).label, changes_of(Act(line.act), line.detail)) for line in page],
        **page_context(page, "audit", words),
    }
    return render(request, "leaderboard/audit.html", context)


def _found(form: AuditFilter, words: dict[str, Any]) -> QuerySet[AuditRecord]:
    if not form.is_valid():
        return AuditRecord.objects.none()
    found = AuditRecord.objects.select_related("actor", "account")
    if who := words.get("who"):
        found = found.filter(Q(actor__email__iexact=who) | Q(account__email__iexact=who))
    return found.filter(**{name: words[name] for name in ("act", "address") if name in words})


CHANGES: Final = frozenset({Act.PERSON_CHANGED, Act.ORGANISATION_CHANGED})


def changes_of(act: Act, detail: Mapping[str, Any]) -> list[str]:
    """What else a line says: each value by its name, and of what was changed both sides."""
    between = " → " if act in CHANGES else ", "
    return [f"{name.replace('_', ' ')}: {_said(value, between)}" for name, value in detail.items()]


def _said(value: Any, between: str) -> str:
    if isinstance(value, list):
        return between.join(_said(each, between) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value in (None, "") else str(value)
