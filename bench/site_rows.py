"""Fills an empty database with made-up submissions and entries, and builds their standings.

    MLEB_VAR=DIR python -m bench.site_rows SUBMISSIONS ENTRIES

Prints one JSON object: seconds for the rows, seconds and peak memory for the standings.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from django.core.management import call_command
from django.db import transaction

from grading.lanes import join_lane
from grading.medals import Medal
from grading.models import Benchmark, Blob, Competition, Grading, Membership, ThresholdsVersion
from grading.splits import Split
from leaderboard.aggregation import mean_and_sem
from leaderboard.models import Agent, Decision, Entry, EntryResult, EntryRun, Placement, Track
from leaderboard.standings import rebuild_standings
from submissions.models import Organisation, Submission, Team, User

BENCHMARK = "mle-bench-v1"
NOW = datetime(2026, 6, 1, tzinfo=UTC)
SEEDS = ("seed-1", "seed-2", "seed-3")
LLMS = ("o3", "gpt-5", "claude-opus-4", "gemini-2.5-pro", "deepseek-r1", "qwen-3", "llama-4")
GPUS = ("A100", "H100", "A10", "RTX 4090", "")
# Each with how many of ten entries stand on it.
TRACKS = (("clean", 6), ("no-private-lb", 3), ("additional", 1))
KINDS = (Medal.GOLD, Medal.SILVER, Medal.BRONZE)
BATCH = 500


def fill(submissions: int, entries: int, first: int = 0) -> None:
    """So many submissions, of which the first became entries; the others were turned away.

    `first`: how many entries there are of an earlier time.
    """
    random, benchmark = Random(1), Benchmark.objects.get(slug=BENCHMARK)
    owner, _ = User.objects.get_or_create(username="bench", email="bench@bench.example")
    agents = _add_agents(max(1, entries // 20), first)
    teams = [_team(agent.organisation) for agent in agents]
    added = Submission.objects.bulk_create(
        [
            Submission(
                team=teams[at % len(teams)],
                benchmark=benchmark,
                created_by=owner,
                status=Submission.Status.REJECTED,
            )
            for at in range(submissions)
        ],
        BATCH,
    )
    made = Entry.objects.bulk_create(
        [
            _entry(first + at, random, benchmark, agents[at % len(agents)], each)
            for at, each in enumerate(added[:entries])
        ],
        BATCH,
    )
    _place(made, first)
    _score(made, random, benchmark)


def _add_agents(count: int, first: int) -> list[Agent]:
    organisations = Organisation.objects.bulk_create(
        Organisation(name=f"Organisation {at}", slug=f"organisation-{at}")
        for at in range(first, first + count)
    )
    return Agent.objects.bulk_create(
        Agent(organisation=each, name=f"Agent {at}", slug=f"agent-{at}")
        for at, each in enumerate(organisations, first)
    )


def _team(organisation: Organisation) -> Team:
    return Team.objects.create(organisation=organisation, name=f"Team of {organisation}")


def _entry(at: int, random: Random, benchmark: Benchmark, agent: Agent, submission: Submission) -> Entry:
    return Entry(
        slug=f"entry-{at}",
        agent=agent,
        benchmark=benchmark,
        source=Entry.Source.GRADED,
        submission=submission,
        scope=Split.ALL.value,
        run_on=date(2025, 1, 1) + timedelta(days=at % 500),
        version=f"1.{at}",
        llms=random.sample(LLMS, 1 + at % 2),
        source_available=at % 3 == 0,
        hours=random.choice((12.0, 24.0, None)),
        vcpus=random.choice((16.0, 36.0, None)),
        ram_gb=random.choice((64.0, 440.0, None)),
        gpus=1.0,
        gpu_model=random.choice(GPUS),
        cost_usd=random.choice((None, round(random.uniform(50, 5000), 2))),
    )


def _place(entries: Sequence[Entry], first: int) -> None:
    """By a decision each. Their chain says nothing: nothing here looks at it."""
    tracks = [Track.objects.get(slug=slug) for slug, share in TRACKS for _ in range(share)]
    on = [tracks[at % len(tracks)] for at in range(len(entries))]
    decisions = Decision.objects.bulk_create(
        [
            Decision(
                kind=Decision.Kind.IMPORT,
                entry=entry,
                track=track,
                reason="Made up.",
                rule="None",
                evidence_url="https://example.org/",
                effective_at=NOW,
                recorded_at=NOW,
                previous_hash=_hash(at - 1),
                hash=_hash(at),
            )
            for at, (entry, track) in enumerate(zip(entries, on, strict=True), first)
        ],
        BATCH,
    )
    Placement.objects.bulk_create(
        [
            Placement(entry=each.entry, track=each.track, decision=each, effective_at=NOW)
            for each in decisions
        ],
        BATCH,
    )


def _hash(at: int) -> str:
    return hashlib.sha256(str(at).encode()).hexdigest()


def _score(entries: Sequence[Entry], random: Random, benchmark: Benchmark) -> None:
    """Medals at random by the entry's skill. Runs without one are left out: no board reads them."""
    members = list(Membership.objects.filter(benchmark=benchmark).values_list("competition_id", "split"))
    grading = _any_grading()
    cutoffs = dict(ThresholdsVersion.objects.order_by("number").values_list("competition", "pk"))
    results: list[EntryResult] = []
    runs: list[EntryRun] = []
    for entry in entries:
        won = _win(random, [competition for competition, split in members if split in Split.ALL.members])
        results += _results(entry, members, won)
        runs += _runs(entry, dict(members), won, grading, cutoffs)
        if len(runs) > 100_000:
            EntryRun.objects.bulk_create(runs, BATCH)
            runs = []
    EntryRun.objects.bulk_create(runs, BATCH)
    EntryResult.objects.bulk_create(results, BATCH)


Won = dict[tuple[str, str], Medal]


def _win(random: Random, competitions: Sequence[str]) -> Won:
    skill = random.betavariate(2, 4)
    return {
        (seed, competition): random.choice(KINDS)
        for seed in SEEDS
        for competition in competitions
        if random.random() < skill
    }


def _results(entry: Entry, members: Sequence[tuple[str, str]], won: Won) -> Iterator[EntryResult]:
    for split in (Split.LOW, Split.MEDIUM, Split.HIGH, Split.ALL):
        inside = {competition for competition, stored in members if stored in split.members}
        per_seed = {
            seed: 100 * sum(key[0] == seed and key[1] in inside for key in won) / len(inside)
            for seed in SEEDS
        }
        figure, runs = mean_and_sem(list(per_seed.values())), len(SEEDS) * len(inside)
        yield EntryResult(
            entry=entry,
            split=split.value,
            any_medal_mean=figure.mean,
            any_medal_sem=figure.sem,
            seeds=len(SEEDS),
            per_seed=per_seed,
            total_runs=runs,
            above_median_mean=figure.mean,
            valid_mean=100.0,
            submitted_mean=100.0,
            **{
                f"{kind}_mean": 100
                * sum(key[1] in inside and medal == kind for key, medal in won.items())
                / runs
                for kind in KINDS
            },
        )


def _runs(
    entry: Entry, splits: dict[str, str], won: Won, grading: Grading, cutoffs: dict[str, int]
) -> Iterator[EntryRun]:
    for (seed, competition), medal in won.items():
        yield EntryRun(
            entry=entry,
            seed=seed,
            competition_id=competition,
            split=splits[competition],
            grading=grading,
            thresholds_id=cutoffs.get(competition),
            outcome=EntryRun.Outcome.SCORED,
            score=0.5,
            medal=medal,
            above_median=True,
        )


def _any_grading() -> Grading:
    """One for all runs: a board shows what a run is worth, not how that came about."""
    blob, _ = Blob.objects.get_or_create(realm="bench", sha256="0" * 64, defaults={"size": 1, "key": "bench"})
    grading, _ = Grading.objects.get_or_create(
        blob=blob, competition=Competition.objects.all()[0], grader_version="bench",
        defaults={"not_before": NOW, "lane": join_lane("", Grading.Priority.TEAM)},
    )  # fmt: skip
    return grading


def main() -> None:
    submissions, entries = int(sys.argv[1]), int(sys.argv[2])
    for command in ("migrate", "collectstatic", "load_catalogue"):
        call_command(command, verbosity=0, **({} if command == "load_catalogue" else {"interactive": False}))
    started = time.perf_counter()
    with transaction.atomic():
        fill(submissions, entries)
    filled = time.perf_counter()
    rebuild_standings(Benchmark.objects.get(slug=BENCHMARK), NOW + timedelta(days=1))
    done: dict[str, Any] = {
        "fill_s": round(filled - started, 1),
        "rebuild_s": round(time.perf_counter() - filled, 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(done))


if __name__ == "__main__":
    main()
