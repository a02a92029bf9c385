"""What the competition pages and the API say of a competition."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.utils.safestring import SafeString

from grading.graders.registry import OWN_GRADERS, is_implemented
from grading.models import AnswersVersion, Competition, Membership, ThresholdsVersion
from grading.splits import Split
from leaderboard.drawn import draw_once, reader_of

NO_ISSUE = "none"
# What a row of the list shows of a competition.
_read = reader_of(("title", "category", "metric", "known_issues", "lower_is_better"))


@dataclass(frozen=True)
class Belongs:
    """A benchmark the competition is part of, and its split there."""

    benchmark: str
    title: str
    split: Split


@dataclass(frozen=True)
class CompetitionFacts:
    """A competition with its newest thresholds, and whether it can be graded on this site."""

    competition: Competition
    thresholds: ThresholdsVersion | None
    belongs: tuple[Belongs, ...]
    has_grader: bool
    has_answers: bool

    @property
    def direction(self) -> str:
        return "lower is better" if self.competition.lower_is_better else "higher is better"

    @property
    def drawn(self) -> SafeString:
        """As a row of the list."""
        cutoffs = self.thresholds and (self.thresholds.gold, self.thresholds.median)
        belongs = tuple((each.title, each.split.value) for each in self.belongs)
        words = (self.competition.pk, *_read(self.competition), cutoffs, belongs, self.gradable)
        return draw_once("leaderboard/_competition_line.html", words, lambda: {"facts": self})

    @property
    def gradable(self) -> str:
        """Whether a CSV for it can be graded here now, in words."""
        if not self.has_grader:
            return "no grader yet"
        return "graded here" if self.has_answers else "answers not loaded"


def list_competitions(
    benchmark: str = "", split: str = "", category: str = "", issue: str = "", q: str = ""
) -> list[CompetitionFacts]:
    """Competitions by id, narrowed by whatever is not empty. `issue`: a kind of known issue, or "none".

    `q`: words that all occur in id, title, category or metric.
    """
    found = _with_facts(Competition.objects.all())
    member = {"benchmark__slug": benchmark, "split": split}
    wanted = {name: word for name, word in member.items() if word}
    if wanted:
        found = found.filter(Exists(Membership.objects.filter(competition=OuterRef("pk"), **wanted)))
    if category:
        found = found.filter(category=category)
    return [facts_of(each) for each in found if _has_issue(each, issue) and _mentions(each, q)]


def _has_issue(competition: Competition, wanted: str) -> bool:
    kinds = {issue["kind"] for issue in competition.known_issues}
    return not wanted or (wanted in kinds if wanted != NO_ISSUE else not kinds)


def _mentions(competition: Competition, words: str) -> bool:
    said = f"{competition.pk} {competition.title} {competition.category} {competition.metric}".casefold()
    return all(word in said for word in words.casefold().split())


def find_competition(competition_id: str) -> CompetitionFacts | None:
    found = _with_facts(Competition.objects.filter(pk=competition_id)).first()
    return facts_of(found) if found else None


def _with_facts(found: QuerySet[Competition]) -> QuerySet[Competition]:
    """With everything `facts_of` reads, in three queries however many there are."""
    members = Membership.objects.select_related("benchmark").order_by("benchmark__position")
    answers = AnswersVersion.objects.filter(competition=OuterRef("pk"))
    return found.annotate(has_answers=Exists(answers)).prefetch_related(
        Prefetch("memberships", members, to_attr="members"),
        Prefetch("thresholds", ThresholdsVersion.objects.all(), to_attr="versions"),
    )


def facts_of(competition: Any) -> CompetitionFacts:
    """The facts of a competition that `_with_facts` has read."""
    versions = competition.versions
    return CompetitionFacts(
        competition=competition,
        thresholds=max(versions, key=lambda version: version.number) if versions else None,
        belongs=tuple(
            Belongs(member.benchmark.slug, member.benchmark.title, Split(member.split))
            for member in competition.members
        ),
        has_grader=is_implemented(competition.metric_family) or competition.pk in OWN_GRADERS,
        has_answers=competition.has_answers,
    )


@dataclass(frozen=True)
class Facets:
    """Every category and every kind of known issue, by name, with the number of competitions."""

    categories: Mapping[str, int]
    issues: Mapping[str, int]


def find_facets() -> Facets:
    """Of the whole catalogue, in one query."""
    found = list(Competition.objects.order_by().values_list("category", "known_issues"))
    return Facets(
        categories=_count(category for category, _ in found),
        issues=_count(kind for _, listed in found for kind in {issue["kind"] for issue in listed}),
    )


def _count(names: Iterable[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(names).items()))
