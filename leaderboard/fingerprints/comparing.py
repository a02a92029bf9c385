"""Comparing a submission with all others: the search, and the findings it comes to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations

import numpy as np
from django.db import transaction

from leaderboard.fingerprints.near import (
    NEAR_SEED,
    Floats,
    Near,
    Stock,
    distances,
    is_near_sample,
    near_own,
    near_strangers,
    unpack,
)
from leaderboard.fingerprints.reading import ranked_runs
from leaderboard.fingerprints.sketch import VERSION, Sketch
from leaderboard.fingerprints.stock import load_sample, load_stock, pack_loose
from leaderboard.integrity.findings import Alike, Pair
from leaderboard.integrity.findings.alike import EARLIER, SEED, STRANGER
from leaderboard.integrity.raise_findings import name_of, raise_alike
from leaderboard.models import Fingerprint, Likeness
from submissions.models import Run, Submission

State = Likeness.State
# So many other organisations are named for one run, and so many own fingerprints looked at.
STRANGERS, OWN = 5, 200
SAMPLE = "near the sample submission"
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Printed:
    """A run of the submission with its fingerprint."""

    run: Run
    number: int
    sketch: Sketch


@dataclass
class Search:
    """What has been found so far. `pairs`: by what it is like, and the name of the submission."""

    pairs: dict[tuple[str, str], list[Pair]] = field(default_factory=lambda: defaultdict(list))
    left_out: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def alike(self) -> list[Alike]:
        return [Alike(of, name, tuple(pairs)) for (of, name), pairs in self.pairs.items()]


def compare(submission: Submission, now: datetime) -> bool:
    """Whether its findings were written now. All or nothing; the search itself holds no lock."""
    if not Likeness.objects.filter(submission=submission, state=State.READ).exists():
        return False
    search = search_all(submission)
    with transaction.atomic():
        mine = Likeness.objects.filter(submission=submission, state=State.READ)
        if not mine.update(state=State.DONE, compared_at=now, left_out=dict(search.left_out)):
            return False
        raise_alike(submission, search.alike, now)
    return True


def search_all(submission: Submission) -> Search:
    """Every run of the submission against all that is stored of its competition."""
    search = Search()
    for competition, printed in _printed(submission, search).items():
        pack_loose(competition)
        _search_one(submission, competition, printed, search)
    return search


def _printed(submission: Submission, search: Search) -> Mapping[str, list[Printed]]:
    """The runs that can be compared, by competition; the others are counted."""
    found: dict[str, list[Printed]] = defaultdict(list)
    runs = list(ranked_runs(submission))
    known = Fingerprint.objects.filter(blob__in=[run.blob_id for run in runs], version=VERSION)
    prints = {(each.blob_id, each.competition_id): each for each in known}
    for run in runs:
        each = prints.get((run.blob_id, run.competition_id))
        if each is None or each.state != Fingerprint.State.MADE:
            search.left_out[each.get_state_display().lower() if each else "not read"] += 1
        else:
            found[run.competition_id].append(Printed(run, each.pk, unpack([bytes(each.sketch)])[0]))
    return found


def _search_one(submission: Submission, competition: str, printed: Sequence[Printed], search: Search) -> None:
    sample = load_sample(competition)
    telling = [each for each in printed if not is_near_sample(sample, each.sketch)]
    if len(telling) < len(printed):
        search.left_out[SAMPLE] += len(printed) - len(telling)
    if not telling:
        return
    stock = load_stock(competition)
    _compare_seeds(telling, search)
    near = {each: _near(submission, stock, each, telling) for each in range(len(telling))}
    holders = _holders(competition, [one for found in near.values() for one in found])
    for at, found in near.items():
        for one in found:
            _note(submission, telling[at].run, one, holders.get(one.number, []), search)


def _compare_seeds(printed: Sequence[Printed], search: Search) -> None:
    """Equal bytes are told elsewhere."""
    for one, other in combinations(printed, 2):
        apart = distances(other.sketch[None], one.sketch)[0, 0]
        if one.number != other.number and apart <= NEAR_SEED:
            pair = Pair(place_of(one.run), place_of(other.run), round(1 - float(apart), 4))
            search.pairs[SEED, ""].append(pair)


def _near(submission: Submission, stock: Stock, at: int, printed: Sequence[Printed]) -> list[Near]:
    one, owner = printed[at], submission.team.organisation_id
    found = distances(stock.sketches, one.sketch)
    own = [near for near in near_own(stock, found, owner, OWN) if near.number != one.number]
    return [*near_strangers(stock, found, owner, _own_seeds(at, printed), STRANGERS), *own]


def _own_seeds(at: int, printed: Sequence[Printed]) -> Floats | None:
    others = [each.sketch for each in printed if each.number != printed[at].number]
    return distances(np.stack(others), printed[at].sketch) if others else None


def _holders(competition: str, near: Iterable[Near]) -> Mapping[int, list[Run]]:
    """The ranked runs behind fingerprints, oldest confirmed first."""
    numbers = {one.number for one in near}
    runs = Run.objects.filter(
        competition=competition,
        checkpoint_hours=None,
        blob__fingerprints__in=numbers,
        submission__confirmed_at__isnull=False,
    )
    found: dict[int, list[Run]] = defaultdict(list)
    prints = Fingerprint.objects.filter(pk__in=numbers).values_list("blob", "pk")
    by_blob = dict(prints)
    for run in (
        runs.select_related("submission__team", "blob").order_by("submission__confirmed_at", "pk").distinct()
    ):
        found[by_blob[run.blob_id]].append(run)
    return found


def _note(submission: Submission, run: Run, one: Near, holders: Sequence[Run], search: Search) -> None:
    """One pair for each submission that counts: of strangers the first that held it, of the own all before this one."""
    for other in _that_count(submission, run, one, holders):
        of = EARLIER if one.owner == submission.team.organisation_id else STRANGER
        pair = Pair(place_of(run), place_of(other), one.likeness)
        search.pairs[of, name_of(other.submission)].append(pair)


def _that_count(submission: Submission, run: Run, one: Near, holders: Sequence[Run]) -> Iterator[Run]:
    others = [each for each in holders if each.blob.sha256 != run.blob.sha256]
    if one.owner != submission.team.organisation_id:
        yield from others[:1]
        return
    assert submission.confirmed_at is not None, "what is compared has been confirmed"
    for each in others:
        at = each.submission.confirmed_at
        if each.submission_id != submission.pk and at is not None and at < submission.confirmed_at:
            yield each


def place_of(run: Run) -> str:
    return f"{run.seed}/{run.competition_id}"
