"""The committed bundle is what the agent made, complete and reproducible."""

import io
import tarfile

import pytest

from demo.bundle import COMPETITION, Run, digest_sources, make_members, pack_members, read_sources
from demo.scores import BUNDLE, read_labels
from demo.split import read_split
from leaderboard.integrity.checks import Disclosure, RunFacts, SeedFacts, run_checks
from leaderboard.integrity.proposal import propose_track
from submissions.run_card import parse_run_card, undisclosed

SEEDS = ["seed-0", "seed-1", "seed-2"]


@pytest.fixture(scope="module")
def members():
    with tarfile.open(BUNDLE) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


@pytest.fixture(scope="module")
def card(members):
    return parse_run_card(members["run_card.yaml"], "run_card.yaml")


def test_it_holds_card_predictions_logs_and_code_of_three_seeds(members):
    parts = ["submission.csv", "logs/agent.log", *(f"code/{name}" for name in read_sources())]
    assert set(members) == {"run_card.yaml"} | {
        f"{seed}/{COMPETITION}/{part}" for seed in SEEDS for part in parts
    }


def test_it_was_made_by_the_code_as_it_stands(members, card):
    for seed in SEEDS:
        for name, text in read_sources().items():
            assert members[f"{seed}/{COMPETITION}/code/{name}"] == text, "run the agent again: demo/README.md"
    assert card["scaffold"]["archive_sha256"] == digest_sources(read_sources())


def test_its_run_card_is_valid_and_answers_every_question(card):
    assert undisclosed(card) == []
    assert card["scaffold"]["uses_llm"] is False
    assert card["seeds"]["labels"] == SEEDS


def test_its_run_card_earns_the_clean_track(card):
    scope = frozenset({COMPETITION})
    runs = RunFacts(scope, {seed: SeedFacts(present=scope) for seed in SEEDS})
    proposal = propose_track(run_checks(Disclosure(card, runs)))
    assert (proposal.track, proposal.reasons) == ("clean", ())


@pytest.mark.parametrize("seed", SEEDS)
def test_each_seed_predicts_every_test_passenger(members, seed):
    labels = read_labels(members[f"{seed}/{COMPETITION}/submission.csv"].decode())
    assert labels.keys() == read_labels(read_split().answers).keys()
    assert set(labels.values()) == {"True", "False"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_logged_choice_has_the_best_logged_mean(members, seed):
    _, *lines = members[f"{seed}/{COMPETITION}/logs/agent.log"].decode().splitlines()
    (chosen,) = [line for line in lines if line.endswith("<- chosen")]
    assert float(chosen.split()[1]) == max(float(line.split()[1]) for line in lines)


def test_equal_contents_give_equal_bytes():
    packed = pack_members({"b": b"2", "a": b"1"})
    assert packed == pack_members({"a": b"1", "b": b"2"})
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        assert archive.getnames() == ["a", "b"]


def test_the_card_gets_the_mean_hours_of_a_seed():
    runs = [Run(seed, "", "", hours * 3600) for seed, hours in zip(SEEDS, [1, 2, 6], strict=True)]
    assert b"hours_used: 3.000\n" in make_members(runs)["run_card.yaml"]
