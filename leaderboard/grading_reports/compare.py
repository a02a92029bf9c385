"""A team's own grading report beside our grading: which line is which run, and where the two differ."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from grading.graders.rounding import round_score
from grading.medals import Medal
from leaderboard.grading_reports.claimed import ClaimedLine


@dataclass(frozen=True)
class OurRun:
    """One run as it was graded here. `folder`: what the bundle calls its seed. No medal: not awarded yet."""

    competition: str
    seed: str
    folder: str
    is_present: bool
    is_valid: bool
    score: float | None
    medal: Medal | None = None
    above_median: bool | None = None


OfCompetition = TypeVar("OfCompetition", ClaimedLine, OurRun)


@dataclass(frozen=True)
class Difference:
    """Where a line and a run differ. `what` is score, validity, presence, medal, median or run; `seed` may be open."""

    competition: str
    seed: str
    what: str
    claimed: str
    ours: str


@dataclass(frozen=True)
class Comparison:
    """`lines`: those of the report. `agreeing`: those that say nothing else than our grading.

    `unreported`: runs the report does not speak of, which is no difference.
    """

    lines: int
    agreeing: int
    unreported: int
    differences: tuple[Difference, ...]


def compare(claims: Iterable[ClaimedLine], runs: Iterable[OurRun]) -> Comparison:
    """The report held against the runs, competition by competition.

    A line belongs to the run whose folder or seed its path names; of the others, one with an equal score belongs
    to that run; the rest are taken in order, as the benchmark's aggregation does.
    """
    claimed, ours = _by_competition(claims), _by_competition(runs)
    pairs: list[tuple[ClaimedLine, OurRun | None]] = []
    for competition, lines in claimed.items():
        pairs += _pair(lines, sorted(ours.get(competition, []), key=lambda run: run.seed))
    found = [_differences(line, run) for line, run in pairs]
    return Comparison(
        lines=len(pairs),
        agreeing=sum(not each for each in found),
        unreported=sum(map(len, ours.values())) - sum(run is not None for _, run in pairs),
        differences=tuple(difference for each in found for difference in each),
    )


def _by_competition(items: Iterable[OfCompetition]) -> dict[str, list[OfCompetition]]:
    grouped: dict[str, list[OfCompetition]] = defaultdict(list)
    for item in items:
        grouped[item.competition].append(item)
    return dict(sorted(grouped.items()))


def _pair(lines: Sequence[ClaimedLine], runs: Sequence[OurRun]) -> list[tuple[ClaimedLine, OurRun | None]]:
    """Each line with its run, or None where there are more lines than runs."""
    free = list(runs)
    found: dict[int, OurRun] = {}
    for belongs in (_is_named, _has_equal_score, _is_any):
        for position, line in enumerate(lines):
            if position in found:
                continue
            matching = [run for run in free if belongs(line, run)]
            # Two runs named by one path name neither.
            if matching and (belongs is not _is_named or len(matching) == 1):
                found[position] = matching[0]
                free.remove(matching[0])
    return [(line, found.get(position)) for position, line in enumerate(lines)]


def _is_named(line: ClaimedLine, run: OurRun) -> bool:
    return not line.folders.isdisjoint({run.folder, run.seed})


def _has_equal_score(line: ClaimedLine, run: OurRun) -> bool:
    return line.score is not None and run.score is not None and round_score(line.score) == run.score


def _is_any(line: ClaimedLine, run: OurRun) -> bool:
    return True


def _differences(line: ClaimedLine, run: OurRun | None) -> list[Difference]:
    """Empty where the line agrees. A score is compared to five decimals, as both sides round."""
    if run is None:
        is_claimed = line.is_present is not False or line.score is not None
        return [Difference(line.competition, "", "run", "reported", "no such run")] if is_claimed else []
    claimed_score = None if line.score is None else round_score(line.score)
    said = (
        ("presence", _word(line.is_present, "handed in", "missing"), _word(run.is_present, "handed in", "missing")),
        ("validity", _word(line.is_valid, "valid", "invalid"), _word(run.is_valid, "valid", "invalid")),
        ("score", _score(claimed_score), _score(run.score)),
        ("medal", _medal(line.medal), _medal(run.medal)),
        ("median", _word(line.above_median, "above", "not above"), _word(run.above_median, "above", "not above")),
    )  # fmt: skip
    differing = [
        Difference(run.competition, run.seed, what, claimed, ours)
        for what, claimed, ours in said
        if claimed != ours and claimed and ours
    ]
    return differing[:1] if differing and differing[0].what in ("presence", "validity") else differing


def _word(value: bool | None, yes: str, no: str) -> str:
    return "" if value is None else (yes if value else no)


def _score(value: float | None) -> str:
    return "no score" if value is None else f"{value:.5f}"


def _medal(medal: Medal | None) -> str:
    return "" if medal is None else ("no medal" if medal is Medal.NONE else medal.value)
