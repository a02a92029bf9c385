"""Moving pins after a regrade: a preview of every run and figure that would change, and the decision."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from grading.models import Competition
from leaderboard.forms import RepinForm, RepinManyForm
from leaderboard.integrity.deciding import find_conflicts
from leaderboard.integrity.repin import Chosen, Moved, move_all_pins, move_pins
from leaderboard.integrity.repin_plan import Plan, Target, plan_repin, plan_repins
from leaderboard.models import Decision, Entry, Restatement
from leaderboard.pins import standing_entries
from leaderboard.restatements import FIRST, Changes, changes_of
from leaderboard.views.maintainers import for_maintainers
from leaderboard.views.review import DONE, decided, newest_seen
from submissions.views.shared import Visit

HELP = (
    "The pins move to the newest grading and thresholds there are. All that changes is published at once, before "
    "and after, with your reason."
)


@for_maintainers
@require_http_methods(["GET", "POST"])
def entry_pins(request: Visit, slug: str) -> HttpResponse:
    """All pins of one entry, to the newest there is."""
    entry = get_object_or_404(standing_entries(), slug=slug)
    plan = plan_repin(entry, Target())
    form = RepinForm(request.POST or None, initial={**newest_seen(entry), "effect": plan.effect})

    def decide() -> str:
        given = form.cleaned_data
        decision = move_pins(
            entry, Target(), form.grounds(), request.user, timezone.now(), given["seen"], given["effect"]
        )
        return f"Pins moved by decision {decision.pk}."

    page = {
        "title": "Move pins",
        "button": "Move the pins",
        "help": HELP,
        "plan": plan,
        "changes": changes_of(plan.to_rows(), plan.restatements),
        "nothing_to_do": not plan.moves,
    }
    return decided(request, entry, form, decide, page)


@dataclass(frozen=True)
class Line:
    """An entry on the page of a competition: what would change, and whether this maintainer may decide on it."""

    plan: Plan
    conflict: str
    value: str
    is_ticked: bool

    @property
    def entry(self) -> Entry:
        return self.plan.entry

    @property
    def changes(self) -> Changes:
        return changes_of(self.plan.to_rows(), self.plan.restatements)

    @property
    def figures(self) -> list[Restatement]:
        """Any Medal on each split where it would change."""
        return [each for each in self.plan.restatements if each.figure == FIRST]


@for_maintainers
@require_http_methods(["GET", "POST"])
def competition_pins(request: Visit, competition_id: str) -> HttpResponse:
    """The pins of every published entry on one competition, to chosen versions; one decision each."""
    competition = get_object_or_404(Competition, pk=competition_id)
    target = _read_target(request, competition)
    entries = _entries_on(competition)
    plans = plan_repins(list(entries.values()), target)
    seen = _newest_decisions(entries)
    offered = {_value(plan, seen): plan for plan in plans.values() if plan.moves}
    form = RepinManyForm(offered, request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = [_chosen(offered[value], seen) for value in form.cleaned_data["entries"]]
        _tell(request, move_all_pins(chosen, target, form.grounds(), request.user, timezone.now()))
        return redirect(f"{request.get_full_path()}{'&' if request.GET else '?'}{DONE}")
    ticked = set(request.POST.getlist("entries")) if form.is_bound else set(offered)
    conflicts = find_conflicts(request.user, (plan.entry for plan in offered.values()))
    lines = [_line(plan, conflicts[plan.entry.pk], value, ticked) for value, plan in offered.items()]
    context = {
        "competition": competition,
        "target": target,
        "answers": competition.answers.order_by("-number"),
        "thresholds": competition.thresholds.order_by("-number"),
        "lines": lines,
        "may_decide": any(not line.conflict for line in lines),
        "standing": len(plans) - len(offered),
        "waiting": sum(plan.waiting for plan in plans.values()),
        "form": form,
        "is_done": DONE in request.GET,
    }
    return render(request, "leaderboard/competition_pins.html", context, status=422 if form.errors else 200)


def _read_target(request: Visit, competition: Competition) -> Target:
    """The versions the address names, or the newest. Raises Http404 for one that does not exist."""
    answers, thresholds = _number(request, "answers"), _number(request, "thresholds")
    if answers is not None and not competition.answers.filter(number=answers).exists():
        raise Http404
    if thresholds is not None and not competition.thresholds.filter(number=thresholds).exists():
        raise Http404
    return Target(competition.pk, answers, thresholds)


def _number(request: Visit, name: str) -> int | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Http404
    return int(text)


def _entries_on(competition: Competition) -> dict[int, Entry]:
    found = standing_entries().filter(runs__competition=competition, runs__grading__isnull=False).distinct()
    people = found.select_related("agent__organisation", "benchmark", "submission__team__organisation")
    return {entry.pk: entry for entry in people.order_by("pk")}


def _newest_decisions(entries: Collection[int]) -> Mapping[int, int]:
    """By entry the newest decision on it, 0 where there is none."""
    found = Decision.objects.filter(entry__in=list(entries)).values_list("entry").annotate(Max("pk"))
    return {**dict.fromkeys(entries, 0), **dict(found)}


def _value(plan: Plan, seen: Mapping[int, int]) -> str:
    """A tick: the entry, the newest decision on it, and what would change. Any other than offered is refused."""
    return f"{plan.entry.pk}:{seen[plan.entry.pk]}:{plan.effect}"


def _chosen(plan: Plan, seen: Mapping[int, int]) -> Chosen:
    return Chosen(plan.entry, seen[plan.entry.pk], plan.effect)


def _line(plan: Plan, conflict: str, value: str, ticked: set[str]) -> Line:
    return Line(plan, conflict, value, is_ticked=value in ticked and not conflict)


def _tell(request: Visit, results: Sequence[Moved]) -> None:
    made = [f"{moved.entry.agent} by decision {moved.decision.pk}" for moved in results if moved.decision]
    if made:
        messages.success(request, f"Pins moved: {'; '.join(made)}.")
    for moved in results:
        if moved.refusal:
            messages.error(request, f"{moved.entry.agent} was left as it is. {moved.refusal}")
