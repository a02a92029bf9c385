"""All comparisons of one entry, each as a line of a table. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from statistics import median
from typing import Any, Final

from leaderboard.contamination.groups import LEAST_COMPETITIONS, TooFew, contrast
from leaderboard.contamination.pairs import gap
from leaderboard.contamination.tally import Medals

JUMP_POINTS: Final = 20.0
PROMPT_POINTS: Final = 10.0
BEFORE, LEAKY, PROMPT, JUMP = "before-date", "leaky", "prompt", "jump"


@dataclass(frozen=True)
class AgentEntry:
    """Another entry of the same agent. `prompt`: original, obfuscated or empty; `is_earlier`: than the one at hand."""

    name: str
    medals: Medals
    prompt: str = ""
    is_earlier: bool = True


@dataclass(frozen=True)
class Known:
    """What is known when an entry is looked at.

    `closed_on`: by competition of the benchmark, None where it is not known. `cutoff`: the latest end of training
    data that the run card names. `same_agent`: newest first. `gains`: what other agents gained from entry to entry.
    """

    medals: Medals
    prompt: str
    others: Sequence[Medals]
    closed_on: Mapping[str, date | None]
    leaky: frozenset[str]
    cutoff: date | None = None
    same_agent: Sequence[AgentEntry] = ()
    gains: Sequence[float] = ()


@dataclass(frozen=True)
class Line:
    """One comparison: `groups` names its two sides, `figures` are empty where `missing` says what is too little.

    The sentence tells no rate of the entry's own, since it is read before the entry is public; the figures do.
    """

    kind: str
    groups: tuple[str, str]
    sentence: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    missing: str = ""
    is_far: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare_all(known: Known) -> list[Line]:
    """The date and the leaks always; prompts and jumps where the agent has entries to compare with."""
    lines = [_before_date(known), _leaky(known)]
    if paired := _other_prompt(known):
        lines.append(_prompt(known, paired))
    if earlier := next((each for each in known.same_agent if each.is_earlier), None):
        lines.append(_jump(known, earlier))
    return lines


def _before_date(known: Known) -> Line:
    """Split at the knowledge cut-off, or where that leaves one side empty, at the median of the known dates."""
    dates = {each: day for each in known.medals if (day := known.closed_on.get(each))}
    unknown = len(known.medals) - len(dates)
    note = f"{unknown} of {len(known.medals)} competitions have no known date and are left out."
    if not dates:
        return Line(BEFORE, ("older", "newer"), note, missing="no closing date is known")
    day, why = _dividing_day(list(dates.values()), known.cutoff)
    older = {each for each, closed in dates.items() if closed < day}
    groups = (f"closed before {day}", f"closed on {day} or later")
    return _contrasted(known, BEFORE, groups, older, set(dates) - older, f"Divided at {why}. {note}")


def _dividing_day(days: Sequence[date], cutoff: date | None) -> tuple[date, str]:
    before = sum(day < cutoff for day in days) if cutoff else 0
    if cutoff and min(before, len(days) - before) >= LEAST_COMPETITIONS:
        return cutoff, "the llm's knowledge cut-off"
    return sorted(days)[len(days) // 2], "the median of the known dates"


def _leaky(known: Known) -> Line:
    group = known.leaky & known.medals.keys()
    groups = ("with a known leak of labels", "without one")
    return _contrasted(known, LEAKY, groups, set(group), set(known.medals) - group, "")


def _contrasted(
    known: Known, kind: str, groups: tuple[str, str], group: set[str], rest: set[str], note: str
) -> Line:
    try:
        found = contrast(known.medals, known.others, group, rest)
    except TooFew as few:
        return Line(kind, groups, note, missing=str(few))
    sentence = (
        f"Ahead of other entries by {found.difference:+.0f} points more on competitions {groups[0]} "
        f"({found.sizes[0]}) than on those {groups[1]} ({found.sizes[1]}); {_say_interval(found.interval)}"
        f"p = {found.p_value:.4f}. {note}"
    )
    figures = {**asdict(found), "others_counted": len(known.others)}
    return Line(kind, groups, sentence.strip(), figures, is_far=found.is_far)


def _say_interval(interval: tuple[float, float] | None) -> str:
    return f"95 % from {interval[0]:+.0f} to {interval[1]:+.0f}, " if interval else ""


def _other_prompt(known: Known) -> AgentEntry | None:
    """The newest entry of the agent that read the other kind of description."""
    wanted = {"original": "obfuscated", "obfuscated": "original"}.get(known.prompt)
    return next((each for each in known.same_agent if wanted and each.prompt == wanted), None)


def _prompt(known: Known, paired: AgentEntry) -> Line:
    """The original less the obfuscated: an agent that remembers loses something when names are hidden."""
    is_original = known.prompt == "original"
    one, other = (known.medals, paired.medals) if is_original else (paired.medals, known.medals)
    groups = ("original descriptions", "obfuscated descriptions")
    return _paired(PROMPT, groups, one, other, PROMPT_POINTS, f"Compared with {paired.name}.")


def _jump(known: Known, earlier: AgentEntry) -> Line:
    usual = (
        f" Other agents gained {median(known.gains):+.0f} points from entry to entry (median of {len(known.gains)})."
        if known.gains
        else " No other agent has two entries here."
    )
    note = f"Compared with {earlier.name}.{usual}"
    groups = ("this entry", "the agent's entry before")
    return _paired(JUMP, groups, known.medals, earlier.medals, JUMP_POINTS, note)


def _paired(kind: str, groups: tuple[str, str], one: Medals, other: Medals, points: float, note: str) -> Line:
    """Its sentence says no more than whether it is far: with the other entry's public figures it would be a score."""
    try:
        found = gap(one, other)
    except TooFew as few:
        return Line(kind, groups, note, missing=str(few))
    is_far = found.is_far(points)
    ahead = "Ahead" if is_far else "Not ahead"
    sentence = (
        f"{ahead} by {points:.0f} points or more with {groups[0]} against {groups[1]}, beyond chance, on "
        f"{found.shared} competitions in common. {note}"
    )
    return Line(kind, groups, sentence, asdict(found), is_far=is_far)
