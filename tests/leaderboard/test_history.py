"""The historical board: thirty rows exactly as published, with the two moves on record."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from grading.models import Benchmark
from leaderboard.history import HistoryError, import_history, read_history
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.models import Agent, Decision, Entry, EntryResult, Placement, StoredRow
from leaderboard.slugs import readable_slug
from leaderboard.standings import current_placement, rebuild_standings
from submissions.models import Organisation, Team
from tests import factories as make
from tests.leaderboard.standings import find_standings

pytestmark = pytest.mark.django_db
MOVED_ON = datetime(2026, 3, 23, tzinfo=UTC)
SPLITS = ("low", "medium", "high", "all")
# A row of each kind, by hand from the published table: Any Medal of low, medium, high and all, mean and SEM.
PUBLISHED = {
    "Famou-Agent-2.0-gemini-3-pro": [(80.3, 1.52), (64.04, 2.32), (42.22, 2.22), (64.44, 1.18)],
    "o1-preview-R&D-Agent": [(48.18, 1.11), (8.95, 1.05), (18.67, 1.33), (22.4, 0.5)],
    "scaffolding-gpt4o-mlab": [(4.55, 0.86), (0.0, 0.0), (0.0, 0.0), (1.6, 0.27)],
    "Disarray": [(90.91, 0.0), (72.81, 0.88), (71.11, 2.22), (77.78, 0.44)],
    "LoongFlow": [(77.27, 0.0), (63.15, 1.51), (40.0, 0.0), (62.66, 0.76)],
}


@pytest.fixture
def benchmark(db: None) -> Benchmark:
    return make.make_benchmark(
        "mle-bench-v1", splits={"easy": "low", "middle": "medium", "hard": "high", "extra": "dev"}
    )


@pytest.fixture
def imported(benchmark: Benchmark) -> Benchmark:
    assert import_history(read_history(), make.NOW) == 30
    return benchmark


def entry(key: str) -> Entry:
    return Entry.objects.get(import_key=key)


def board(track: str, split: str = "all") -> list[dict[str, Any]]:
    return [{**each.row, "rank": each.rank} for each in find_standings(track=track, split=split)]


@pytest.mark.parametrize("key", PUBLISHED)
def test_figures_are_those_published(imported: Benchmark, key: str) -> None:
    results = {result.split: result for result in entry(key).results.all()}
    assert [(results[split].any_medal_mean, results[split].any_medal_sem) for split in SPLITS] == PUBLISHED[
        key
    ]
    assert {result.seeds for result in results.values()} == {None}


def test_every_row_is_there_with_every_figure(imported: Benchmark) -> None:
    stored = {
        (result.entry.import_key, result.split): [result.any_medal_mean, result.any_medal_sem]
        for result in EntryResult.objects.select_related("entry")
    }
    rows = read_history()["rows"]
    published = {(row["import_key"], split): row["any_medal"][split] for row in rows for split in SPLITS}
    assert stored == published
    assert len(stored) == 120


def test_who_stands_where(imported: Benchmark) -> None:
    main, additional = board("no-private-lb"), board("additional")
    assert (len(main), len(additional), len(board("clean")), len(board("all"))) == (28, 2, 0, 30)
    assert [row["agent"] for row in main[:5]] == [
        "Famou-Agent 2.0",
        "AIBuildAI",
        "MARS+",
        "PiEvolve",
        "MLEvolve",
    ]
    assert [row["rank"] for row in main[:5]] == [1, 2, 3, 4, 4]
    assert main[-1]["rank"] == 28
    assert {row["source_text"] for row in main} == {"self-graded, unverified"}
    assert [(row["agent"], row["rank"]) for row in additional] == [("Disarray", None), ("LoongFlow", None)]
    assert board("no-private-lb", "dev") == []


def test_the_two_were_first_placed_on_the_main_board(imported: Benchmark) -> None:
    for key, day, pull in (("Disarray", 3, 118), ("LoongFlow", 9, 119)):
        first, second = entry(key).placements.order_by("effective_at")
        assert (first.track.slug, first.effective_at) == ("no-private-lb", datetime(2026, 2, day, tzinfo=UTC))
        assert (second.track.slug, second.effective_at) == ("additional", MOVED_ON)
        decision = second.decision
        assert (decision.kind, decision.decided_by, decision.effective_is_approximate) == (
            "import",
            None,
            True,
        )
        assert decision.evidence_url == f"https://github.com/openai/mle-bench/pull/{pull}"
        assert "Test-set feedback" in decision.reason
        assert "approximate" in decision.reason
        before = current_placement(entry(key), MOVED_ON - timedelta(days=1))
        assert before is not None
        assert before.track.slug == "no-private-lb"


def test_the_warned_rows_say_why(imported: Benchmark) -> None:
    warning = board("additional")[0]["warning"]
    assert warning["evidence_url"] == "https://github.com/openai/mle-bench/pull/118"
    assert warning["decision"] == entry("Disarray").placements.latest("effective_at").decision_id


def test_every_placement_is_a_recorded_decision_at_its_date(imported: Benchmark) -> None:
    assert (Decision.objects.count(), Placement.objects.count()) == (32, 32)
    dates = Decision.objects.filter(effective_is_approximate=False).values_list("effective_at", flat=True)
    assert list(dates) == sorted(dates)
    assert {decision.recorded_at for decision in Decision.objects.all()} == {make.NOW}
    assert verify_decisions() == []


def test_the_rest_of_a_row(imported: Benchmark) -> None:
    operand = entry("operand-ensemble")
    assert (operand.vcpus, operand.ram_gb, operand.gpus, operand.gpu_model) == (36, 440, 1, "A10")
    padded = operand.results.filter(is_padded=True).values_list("split", flat=True)
    assert set(padded) == {"medium", "high", "all"}
    assert "Some High competitions were not run." in operand.notes
    baseline = entry("models-o1-preview-aide")
    assert (baseline.vcpus, baseline.gpu_model, baseline.hours) == (None, "", 24)
    neo = entry("multi-agent-Neo")
    assert (neo.llms, neo.no_llm) == ([], False)
    assert entry("o3-gpt-4.1-R&D-Agent").llms == ["o3", "GPT-4.1"]
    assert len(entry("Disarray").llms) == 4
    assert (entry("scaffolding-gpt4o-opendevin").url, neo.run_on.isoformat()) == ("", "2025-07-28")


def test_the_padded_say_so_without_a_number(imported: Benchmark) -> None:
    padded = [row["padded"] for row in board("no-private-lb") if row["slug"] == "leeroo"]
    assert padded == ["padded"]


def test_agents_and_organisations_are_shared_and_nobodys(imported: Benchmark) -> None:
    rd_agent = Agent.objects.get(slug="r-and-d-agent")
    assert rd_agent.entries.count() == 3
    assert Agent.objects.filter(name="AIDE").count() == 1
    assert not Organisation.objects.exclude(verified_at=None).exists()
    assert not Team.objects.exists()


def test_again_changes_nothing_and_what_is_missing_is_added(imported: Benchmark) -> None:
    before = StoredRow.objects.count(), Decision.objects.count()
    assert import_history(read_history(), make.NOW + timedelta(days=1)) == 0
    assert (StoredRow.objects.count(), Decision.objects.count()) == before
    more = read_history()
    more["rows"].append({**more["rows"][1], "import_key": "new", "agent": "New"})
    assert import_history(more, make.NOW) == 1


def test_an_entry_that_was_moved_since_stays_there(imported: Benchmark) -> None:
    thesis = entry("thesis")
    make.place_entry(thesis, "additional")
    import_history(read_history(), make.NOW)
    rebuild_standings(imported, make.NOW)
    assert len(board("additional")) == 3


def test_half_an_import_is_none(benchmark: Benchmark) -> None:
    broken = json.loads(json.dumps(read_history()))
    broken["rows"][-1]["any_medal"]["all"] = ["a lot", 0]
    with pytest.raises(ValueError):
        import_history(broken, make.NOW)
    assert not Entry.objects.exists()
    assert not Organisation.objects.exists()


def test_without_the_benchmark_it_says_what_to_do() -> None:
    with pytest.raises(HistoryError, match=r"Run manage\.py load_catalogue first"):
        import_history(read_history(), make.NOW)
    with pytest.raises(CommandError, match="load_catalogue"):
        call_command("import_history")


def test_the_command(benchmark: Benchmark, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_history")
    call_command("import_history")
    assert capsys.readouterr().out == (
        "30 of 30 historical rows imported now.\n0 of 30 historical rows imported now.\n"
    )


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("MARS+", "mars-plus"),
        ("MARS", "mars"),
        ("Famou-Agent 2.0", "famou-agent-2-0"),
        ("gpt-5-R&D-Agent", "gpt-5-r-and-d-agent"),
        ("代理", "nameless"),
        ("a" * 99, "a" * 20),
        ("nineteen letters wow and more", "nineteen-letters-wow"),
    ],
)
def test_readable_slug(text: str, slug: str) -> None:
    assert readable_slug(text, 20, "nameless") == slug
