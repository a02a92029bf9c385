"""What masking competitions of an entry, or lifting masks, would change. Reading only: `masking.py` decides."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from leaderboard.integrity.effects import digest_effect
from leaderboard.integrity.masking_record import MASKED, UNMASKED
from leaderboard.integrity.repin_plan import COUNTED, restate
from leaderboard.models import Entry, EntryResult, Restatement
from leaderboard.results import build_results


@dataclass(frozen=True)
class MaskPlan:
    """`masked`: competitions that would be masked and are not; `unmasked`: those masked that would count again.

    `unknown`: those asked for of which the entry has no run; `results`: the figures that would stand.
    """

    entry: Entry
    masked: tuple[str, ...]
    unmasked: tuple[str, ...]
    unknown: tuple[str, ...]
    results: tuple[EntryResult, ...]
    restatements: tuple[Restatement, ...]

    @property
    def changes_anything(self) -> bool:
        return bool(self.masked or self.unmasked)

    @property
    def details(self) -> dict[str, list[str]]:
        """What the decision says of it."""
        said = {MASKED: list(self.masked), UNMASKED: list(self.unmasked)}
        return {name: competitions for name, competitions in said.items() if competitions}

    @cached_property
    def effect(self) -> str:
        """The digest by which the restated figures are known to be those of the decision."""
        return digest_effect((), self.restatements)


def plan_masks(entry: Entry, mask: Collection[str] = (), unmask: Collection[str] = ()) -> MaskPlan:
    """What would change. Competitions that stand as asked already, or have no run, change nothing."""
    runs = list(entry.runs.only(*COUNTED).order_by("pk"))
    known = {run.competition_id for run in runs}
    standing = {run.competition_id for run in runs if run.masked_by_id is not None}
    masked, unmasked = (set(mask) & known) - standing, set(unmask) & standing
    results = build_results(entry, runs, (standing | masked) - unmasked)
    before = {result.split: result for result in entry.results.all()}
    return MaskPlan(
        entry=entry,
        masked=tuple(sorted(masked)),
        unmasked=tuple(sorted(unmasked)),
        unknown=tuple(sorted({*mask, *unmask} - known)),
        results=tuple(results),
        restatements=tuple(restate(before, results)) if masked or unmasked else (),
    )
