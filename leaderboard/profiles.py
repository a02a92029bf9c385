"""Agents and organisations with their published entries, for their pages."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Prefetch, QuerySet
from django.utils.safestring import SafeString

from grading.splits import Split
from leaderboard.attempts import graded_submissions
from leaderboard.drawn import draw_once, reader_of
from leaderboard.models import Agent, Entry, EntryResult, StoredRow
from leaderboard.public import has_public_entries, public_entries
from leaderboard.shown import Row, show_row
from leaderboard.stored_boards import find_standings
from submissions.models import Organisation

# What a line shows of an entry, of its figures, and of its row.
LINE = (
    "slug", "version", "run_on", "scope", "source", "llms", "no_llm", "hours", "agent__slug", "agent__name",
    "benchmark__slug", "benchmark__title",
)  # fmt: skip
RESULT = ("any_medal_mean", "any_medal_sem", "seeds")
ROW = ("warning", "masked", "track", "track_title", "rank", "statistics")
_read, _read_result = reader_of((*LINE, "is_withdrawn")), reader_of(RESULT)


@dataclass(frozen=True)
class EntryLine:
    """An entry with its figure on the split it claims as a whole, and its row where it stands; None: on no board."""

    entry: Any
    result: EntryResult | None
    row: Row | None

    @property
    def scope(self) -> Split:
        return Split(self.entry.scope)

    @property
    def with_agent(self) -> SafeString:
        """As a row of a table, called by its agent's name."""
        return self._draw(True)

    @property
    def without_agent(self) -> SafeString:
        """The same, called by its number."""
        return self._draw(False)

    def _draw(self, show_agent: bool) -> SafeString:
        row = [self.row[name] for name in ROW] if self.row else None
        words = (show_agent, self.entry.pk, _read(self.entry), self.result and _read_result(self.result), row)
        return draw_once(
            "leaderboard/_entry_line.html", words, lambda: {"line": self, "show_agent": show_agent}
        )


@dataclass(frozen=True)
class AgentProfile:
    agent: Agent
    lines: tuple[EntryLine, ...]

    @property
    def best(self) -> EntryLine | None:
        return best_of(self.lines)

    @property
    def llms(self) -> list[str]:
        """Every llm that any of its entries names, newest entry first, each once."""
        return list(dict.fromkeys(llm for line in self.lines for llm in line.entry.llms))


@dataclass(frozen=True)
class OrganisationProfile:
    """`graded`: submissions whose grading began, published or not; benchmarks are counted together."""

    organisation: Organisation
    agents: tuple[AgentProfile, ...]
    lines: tuple[EntryLine, ...]
    graded: int

    @property
    def published(self) -> int:
        """How many of the entries came out of a submission here."""
        return sum(line.entry.submission_id is not None for line in self.lines)

    @property
    def imported(self) -> int:
        return len(self.lines) - self.published

    @property
    def best(self) -> EntryLine | None:
        return best_of(self.lines)


def find_agent(slug: str) -> AgentProfile | None:
    """The agent with its entries, newest first; None where nothing of it is published. Four queries."""
    agent = (
        Agent.objects.filter(has_public_entries("agent"), slug=slug).select_related("organisation").first()
    )
    return AgentProfile(agent, _list_lines(public_entries().filter(agent=agent))) if agent else None


def find_organisation(slug: str) -> OrganisationProfile | None:
    """The organisation with its agents; None where nothing of it is published. Five queries."""
    organisation = Organisation.objects.filter(has_public_entries("agent__organisation"), slug=slug).first()
    if organisation is None:
        return None
    lines = _list_lines(public_entries().filter(agent__organisation=organisation))
    graded = graded_submissions(organisation.pk).count()
    return OrganisationProfile(organisation, _by_agent(lines), lines, graded)


def _by_agent(lines: Sequence[EntryLine]) -> tuple[AgentProfile, ...]:
    """By name, each with its own lines."""
    agents = sorted({line.entry.agent for line in lines}, key=lambda agent: agent.name.casefold())
    return tuple(
        AgentProfile(agent, tuple(line for line in lines if line.entry.agent == agent)) for agent in agents
    )


def lines_of(entries: QuerySet[Entry]) -> tuple[EntryLine, ...]:
    """Newest first, each entry and its results with all they have. Three queries, however many there are."""
    return _lines(entries.prefetch_related("results"))


def _list_lines(entries: QuerySet[Entry]) -> tuple[EntryLine, ...]:
    """The same with no more than a line shows."""
    results = EntryResult.objects.filter(split=F("entry__scope")).only("entry", "split", *RESULT)
    found = entries.select_related(None).select_related("agent", "benchmark")
    found = found.only(*LINE, "submission_id", "benchmark__answers_public")
    return _lines(found.prefetch_related(Prefetch("results", results)))


def _lines(entries: QuerySet[Entry]) -> tuple[EntryLine, ...]:
    found = list(entries.order_by("-run_on", "-pk"))
    rows = _rows({entry.pk for entry in found})
    return tuple(EntryLine(entry, _scope_result(entry), rows.get(entry.pk)) for entry in found)


def _scope_result(entry: Entry) -> EntryResult | None:
    return next((result for result in entry.results.all() if result.split == entry.scope), None)


def _rows(entries: Collection[int]) -> dict[int, Row]:
    """By entry its row on the board of its own track and scope."""
    rows = StoredRow.objects.filter(entry__in=entries, until=None, split=F("entry__scope"))
    return {each.entry: show_row(each.position, each.rank, each.row) for each in find_standings(rows)}


def best_of(lines: Sequence[EntryLine]) -> EntryLine | None:
    """The line with the highest figure among those that stand.

    A ranked one comes before an unranked, whose figure is in doubt; a benchmark with public answers counts last.
    """
    standing = [line for line in lines if line.row and line.result]
    return max(standing, key=_worth, default=None)


def _worth(line: EntryLine) -> tuple[bool, bool, float]:
    is_ranked = bool(line.row and line.row["rank"] is not None)
    mean = line.result.any_medal_mean if line.result else 0.0
    return not line.entry.benchmark.answers_public, is_ranked, mean
