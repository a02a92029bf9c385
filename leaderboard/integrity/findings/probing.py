"""Submissions that change a little of an earlier one, as somebody does who climbs on the scores."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from leaderboard.integrity.checks.base import Severity, counted, listed
from leaderboard.integrity.findings.facts import (
    EarlierSubmission,
    Found,
    Signal,
    SubmissionFacts,
)

Csvs = Mapping[tuple[str, str], str]


def count_kept(csvs: Csvs, earlier: Csvs) -> tuple[int, int]:
    """How many runs hold a file of the earlier submission on their competition, and how many took another's place.

    Whatever the seeds are called: other labels make no other runs. Those for which the earlier one has no
    counterpart are neither.
    """
    mine, theirs = _by_competition(csvs), _by_competition(earlier)
    kept = {name: (mine[name] & theirs[name]).total() for name in mine}
    changed = {name: min(mine[name].total(), theirs[name].total()) - kept[name] for name in mine}
    return sum(kept.values()), sum(changed.values())


def _by_competition(csvs: Csvs) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, competition), csv in csvs.items():
        found[competition][csv] += 1
    return found


def find_probing(facts: SubmissionFacts) -> Iterator[Found]:
    for earlier in facts.earlier:
        kept, changed = count_kept(facts.csvs, earlier.csvs)
        if kept and changed:
            yield Found(
                f"Unchanged from {earlier.name}: {counted(kept, 'run')}; changed: {changed}.",
                {"submission": earlier.name, "unchanged": kept, "changed": changed},
            )


def find_resent(facts: SubmissionFacts) -> Iterator[Found]:
    """One finding for each earlier submission of which files were kept and none was replaced."""
    for earlier in facts.earlier:
        kept, changed = count_kept(facts.csvs, earlier.csvs)
        if kept and not changed:
            yield Found(
                f"{kept} of {counted(len(facts.runs), 'run')} hold the very files of {earlier.name}; "
                "none was replaced.",
                {"submission": earlier.name, "unchanged": kept, "changed": 0},
            )


def find_stitched(facts: SubmissionFacts) -> Iterator[Found]:
    """Files that come from two or more earlier submissions, wherever they stood there."""
    sources = [earlier for earlier in facts.earlier if _shares(facts, earlier)]
    if len(sources) > 1:
        names = [earlier.name for earlier in sources]
        yield Found(
            f"It holds files of several earlier submissions: {listed(names)}.", {"submissions": names}
        )


def _shares(facts: SubmissionFacts, earlier: EarlierSubmission) -> bool:
    """Whether it has a file that no other earlier submission has: a run kept throughout stitches nothing."""
    others = {csv for other in facts.earlier if other is not earlier for csv in other.csvs.values()}
    mine = set(facts.csvs.values()) & set(earlier.csvs.values())
    return bool(mine - others)


PROBING = Signal(
    code="probing",
    title="Partly the same as before",
    severity=Severity.WARNING,
    meaning="Some runs were kept and others replaced, perhaps by score. Innocent: failed runs sent again.",
    find=find_probing,
)
RESENT = Signal(
    code="resent",
    title="Sent before",
    severity=Severity.NOTICE,
    meaning="The same files stand under a second attempt. Innocent: a run card put right, or seeds added.",
    find=find_resent,
)
STITCHED = Signal(
    code="stitched",
    title="Stitched from several submissions",
    severity=Severity.SERIOUS,
    meaning="The best runs of several attempts may have been put together. Innocent: a deterministic method.",
    find=find_stitched,
)
