"""Bringing the database's copy of the catalogue in step with its files, which are the source of truth."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model, ProtectedError

from grading.catalogue import BenchmarkSpec, CompetitionSpec
from grading.models import Benchmark, Competition, Membership, ThresholdsVersion
from grading.strict import meant

NEAR = 0.85  # A word that resembles another this much is more likely misspelt than of its own.


@dataclass(frozen=True)
class LoadedCatalogue:
    """What was written: ids of competitions, ids of those with new cut-offs, slugs of benchmarks."""

    competitions: list[str]
    thresholds: list[str]
    benchmarks: list[str]


def load_catalogue(
    competitions: Mapping[str, CompetitionSpec], benchmarks: Mapping[str, BenchmarkSpec]
) -> LoadedCatalogue:
    """Writes what differs from the files. Done twice, the second time changes nothing.

    Cut-offs that changed become a new version beside the old one, unless a human leaderboard was loaded: what
    follows from that is exact, and the file's table does not replace it. A competition whose file is gone stays,
    since gradings point to it; it only leaves the benchmarks that no longer name it.
    """
    with transaction.atomic():
        stored = Competition.objects.in_bulk()
        versions = ThresholdsVersion.objects.order_by("number")
        newest = {version.competition_id: version for version in versions}
        specs = competitions.values()
        return LoadedCatalogue(
            competitions=[spec.id for spec in specs if _load_competition(spec, stored.get(spec.id))],
            thresholds=[spec.id for spec in specs if _load_thresholds(spec, newest.get(spec.id))],
            benchmarks=[spec.slug for spec in benchmarks.values() if _load_benchmark(spec)],
        )


class NotRemoved(Exception):
    """The competition must stay; says why."""


def remove_competition(competition_id: str, competitions: Mapping[str, CompetitionSpec]) -> None:
    """Takes a competition without a file, and its cut-offs, out of the database. Raises NotRemoved.

    Only while nothing stands on it: no answers, no grading, no run.
    """
    if competition_id in competitions:
        raise NotRemoved(f"{competition_id} has a file. Remove {competition_id}.toml first.")
    stored = Competition.objects.filter(pk=competition_id).first()
    if stored is None:
        raise NotRemoved(f"{competition_id} is not in the database.")
    try:
        with transaction.atomic():
            stored.memberships.all().delete()
            stored.thresholds.all().delete()
            stored.delete()
    except ProtectedError as error:
        kinds = sorted({str(each._meta.verbose_name_plural) for each in error.protected_objects})
        raise NotRemoved(f"{competition_id} stays: {', '.join(kinds)} stand on it.") from error


def notes_on(
    competitions: Mapping[str, CompetitionSpec], benchmarks: Mapping[str, BenchmarkSpec]
) -> Iterator[str]:
    """What is allowed, and seldom meant."""
    members = {competition for benchmark in benchmarks.values() for competition in benchmark.splits}
    categories = Counter(_category(spec) for spec in competitions.values())
    for spec in competitions.values():
        if spec.id not in members:
            yield f"{spec.id} is in no benchmark, so on no board; add it to a split of a benchmark file"
        own = _category(spec)
        near = meant(own, sorted(categories.keys() - {own}), NEAR) if categories[own] == 1 else ""
        if near:
            yield f"{spec.id}: no other competition has the category {own!r}{near}"


def _category(spec: CompetitionSpec) -> str:
    """Without what is added in brackets."""
    return spec.category.partition(" (")[0]


def fileless(competitions: Mapping[str, CompetitionSpec]) -> list[str]:
    """Ids in the database that no file has any more."""
    return sorted(set(Competition.objects.values_list("pk", flat=True)) - competitions.keys())


def _load_competition(spec: CompetitionSpec, stored: Competition | None) -> bool:
    wanted = _competition_columns(spec)
    if stored and _says(stored, wanted):
        return False
    Competition.objects.update_or_create(pk=spec.id, defaults=wanted)
    return True


def _competition_columns(spec: CompetitionSpec) -> dict[str, Any]:
    return {
        "title": spec.title,
        "category": spec.category,
        "metric": spec.metric.name,
        "metric_family": spec.metric.family,
        "lower_is_better": spec.lower_is_better,
        "closed_on": spec.closed_on,
        "kaggle_url": spec.kaggle_url,
        "validity": list(spec.validity),
        "known_issues": [
            {"kind": issue.kind.value, "summary": issue.summary, "source": issue.source}
            for issue in spec.known_issues
        ],
        "file_digest": spec.file_digest,
    }


def _says(row: Model, columns: Mapping[str, Any]) -> bool:
    return all(getattr(row, name) == value for name, value in columns.items())


def _load_thresholds(spec: CompetitionSpec, newest: ThresholdsVersion | None) -> bool:
    wanted = asdict(spec.thresholds)
    if newest and (newest.leaderboard_sha256 or _says(newest, wanted)):
        return False
    number = newest.number + 1 if newest else 1
    ThresholdsVersion.objects.create(competition_id=spec.id, number=number, **wanted)
    return True


def _load_benchmark(spec: BenchmarkSpec) -> bool:
    columns = {
        "title": spec.title,
        "description": spec.description,
        "answers_public": spec.answers_public,
        "position": spec.position,
    }
    stored = Benchmark.objects.filter(slug=spec.slug).first()
    benchmark, _ = Benchmark.objects.update_or_create(slug=spec.slug, defaults=columns)
    has_new_members = _load_members(benchmark, spec)
    return has_new_members or stored is None or not _says(stored, columns)


def _load_members(benchmark: Benchmark, spec: BenchmarkSpec) -> bool:
    """Whether a competition came, went or changed its split."""
    wanted = {competition: split.value for competition, split in spec.splits.items()}
    if dict(benchmark.memberships.values_list("competition_id", "split")) == wanted:
        return False
    benchmark.memberships.all().delete()
    Membership.objects.bulk_create(
        Membership(benchmark=benchmark, competition_id=competition, split=split)
        for competition, split in wanted.items()
    )
    return True
