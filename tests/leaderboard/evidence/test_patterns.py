"""What is found in realistic logs, what is left alone, and how patterns of one's own are read."""

from pathlib import Path

import pytest

from grading.strict import CatalogueError
from leaderboard.evidence.files import kind_of, place_of
from leaderboard.evidence.patterns import Matcher, Pattern, load_patterns
from tests.leaderboard.evidence.logs import HONEST, RUN, aide, facts_of, open_hands

EXAMPLES = [(pattern, line) for pattern in load_patterns() for line in pattern.fires]
COUNTEREXAMPLES = [(pattern, line) for pattern in load_patterns() for line in pattern.leaves]


@pytest.mark.parametrize(("pattern", "line"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_a_pattern_matches_its_examples_in_a_log(pattern: Pattern, line: str) -> None:
    kind = pattern.reads[0]
    log = f"before\n{line}\nafter\n" if kind == "code" else f"{aide('one')}{line}\n{aide('two')}"
    assert pattern.code in facts_of(log, kind=kind).seen


@pytest.mark.parametrize(("pattern", "line"), COUNTEREXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_a_pattern_leaves_its_counterexamples(pattern: Pattern, line: str) -> None:
    assert pattern.code not in facts_of(f"{aide('one')}{line}\n").seen


def test_every_pattern_has_both_kinds_of_examples_and_names_an_innocent_cause() -> None:
    for pattern in load_patterns():
        assert pattern.fires, pattern.code
        assert pattern.leaves, pattern.code
        assert "Innocent:" in pattern.meaning or pattern.counts, pattern.code


def test_an_honest_log_with_all_the_benchmarks_own_instructions_says_nothing() -> None:
    facts = facts_of(HONEST)
    assert (dict(facts.seen), dict(facts.implied), facts.calls) == ({}, {}, {})


GRADED = "mlebench grade-sample /home/submission/submission.csv spaceship-titanic"
REALISTIC = [
    (open_hands("ls", GRADED), {"grading-command"}, {"score"}),
    (aide(f"Executing: {GRADED}"), {"grading-command"}, {"score"}),
    (
        '{"content": "{\\n  \\"score\\": 0.81,\\n  \\"gold_threshold\\": 0.82066,\\n  \\"any_medal\\": true\\n}"}\n',
        {"grading-report"},
        {"medal_or_threshold"},
    ),
    (open_hands("python -c \"import pandas as pd; pd.read_csv('/private/data/x/prepared/private/test.csv')\""),
     {"private-read", "private-path"}, {"score"}),
    (aide("Error: [Errno 13] Permission denied: '/private/data'"), {"private-path"}, set()),
    (open_hands("curl -s -X POST -F file=@submission.csv http://localhost:5000/validate"),
     {"validity-call"}, {"validity_only"}),
    ('{"source": "agent", "action": "browse", "args": {"url": '
     '"https://www.kaggle.com/c/spaceship-titanic/discussion/314580"}}\n',
     {"solution-visit", "solution-link"}, {"competition_solutions", "web"}),
    (aide("For questions see https://www.kaggle.com/c/spaceship-titanic/discussion."), {"solution-link"}, set()),
    (open_hands("kaggle competitions download -c spaceship-titanic"), {"data-download"}, {"competition_data"}),
    (aide("plan: a silver medal threshold of 0.81 seems within reach"), {"medal-words"}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("log", "codes", "implied"), REALISTIC)
def test_realistic_logs(log: str, codes: set[str], implied: set[str]) -> None:
    facts = facts_of(HONEST + log)
    assert set(facts.seen) == codes
    assert set(facts.implied) == implied
    assert all(runs == (RUN,) for runs in facts.implied.values())


def test_logs_of_no_single_run_and_code_imply_nothing() -> None:
    for how in ({"place": ""}, {"kind": "code"}):
        facts = facts_of(f"{GRADED}\n", **how)
        assert facts.seen["grading-command"].lines == 1
        assert dict(facts.implied) == {}


def test_a_link_counts_for_the_competition_of_the_run_alone() -> None:
    line = "wget https://www.kaggle.com/competitions/leaf-classification/code\n"
    assert "solution-visit" not in facts_of(line).seen
    assert "solution-visit" in facts_of(line, place="0/leaf-classification").seen


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f"I must not run {GRADED}", False),
        (f"{GRADED} is forbidden", False),
        (f"I will never cheat. {GRADED}", True),
        (f'{{"thought": "do not worry", "command": "{GRADED}"}}', True),
        (f"don't: {GRADED}; {GRADED}", True),
    ],
)
def test_a_sentence_that_forbids_is_left_alone_and_the_next_one_is_not(line: str, found: bool) -> None:
    (pattern,) = [each for each in load_patterns() if each.code == "grading-command"]
    assert (Matcher(pattern, "").find(line.encode()) is not None) is found


OWN = """\
off = ["medal-words"]
[[pattern]]
code = "our-answers"
title = "Our answers"
severity = "serious"
meaning = "They were read. Innocent: nothing."
reads = ["log"]
implies = ["score"]
expressions = ['holdout-7/answers']
fires = ['cat holdout-7/answers.csv']
leaves = ['answers']
"""


def test_a_file_of_ones_own_adds_and_switches_off(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    codes = [pattern.code for pattern in load_patterns(path)]
    assert codes[-1] == "our-answers"
    assert "medal-words" not in codes
    assert len(codes) == len(load_patterns())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("our-answers", "grading-command", "the code grading-command is taken"),
        ("medal-words", "medal-word", "medal-word is no pattern that is shipped"),
        ("serious", "grave", "write one of info, notice, warning, serious"),
        ('["log"]', '["logs"]', "a list of log, code"),
        ("score", "scores", "a list of validity_only"),
        ("'holdout-7/answers'", "'(?=x)'", "RE2 does not take an expression"),
        ("cat holdout-7", "cat holdout-8", "it does not match: cat holdout-8/answers.csv"),
        ("leaves = ['answers']", "leaves = ['x holdout-7/answers']", "it matches: x holdout-7/answers"),
        ("title = ", "titel = ", "pattern[0].titel: unknown key"),
        ("[[pattern]]", "[[pattern]", "not TOML"),
    ],
)
def test_a_fault_in_it_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(old, new))
    with pytest.raises(CatalogueError, match=r"own\.toml") as caught:
        load_patterns(path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("0/spaceship-titanic/logs/a.log", "log"),
        ("mine/0/spaceship-titanic/code/logs/x.py", "code"),
        ("g/spaceship-titanic_1b2c/logs/code/x.txt", "log"),
        ("code/agent.py", "code"),
        ("logs/all.txt", "log"),
    ],
)
def test_the_kind_of_a_file_is_its_first_folder_of_that_name(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_a_run_group_is_the_seed_that_the_run_card_maps_it_to() -> None:
    assert place_of("group-a", "leaf", {"group-a": "1"}) == "1/leaf"
    assert place_of("group-b", "leaf", {"group-a": "1"}) == "group-b/leaf"
    assert place_of("", None, {}) == ""
