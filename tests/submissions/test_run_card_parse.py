"""From bytes to a document, or to every fault by path and line."""

import json
import random
import time
from contextlib import suppress
from functools import reduce

import pytest
import yaml

from submissions.run_card import RunCardError, check_document, parse_run_card
from submissions.run_card.reading import unreadable_text
from tests.submissions.run_cards import EXAMPLE, MALFORMED_JSON, MALFORMED_YAML, Malformed, complete


def problems_of(data: bytes, name: str = "run_card.yaml"):
    with pytest.raises(RunCardError) as caught:
        parse_run_card(data, name)
    return caught.value.problems


def assert_said(case: Malformed, name: str) -> None:
    found = problems_of(case.data, name)
    match = [p for p in found if (p.code, p.path, p.line) == (case.code, case.path, case.line)]
    assert match, found
    assert case.says in match[0].message
    assert all(len(problem.message) < 400 for problem in found)


@pytest.mark.parametrize("case", MALFORMED_YAML.values(), ids=MALFORMED_YAML)
def test_malformed_yaml_is_refused_with_its_place_and_remedy(case):
    assert_said(case, "run_card.yaml")


@pytest.mark.parametrize("case", MALFORMED_JSON.values(), ids=MALFORMED_JSON)
def test_malformed_json_is_refused_with_its_place_and_remedy(case):
    assert_said(case, "run_card.json")


def test_the_example_means_the_same_as_yaml_and_as_json():
    document = complete()
    assert parse_run_card(json.dumps(document).encode(), "run_card.json") == document
    assert parse_run_card(yaml.safe_dump(document).encode(), "run_card.yml") == document


def test_a_byte_order_mark_and_windows_lines_are_no_fault():
    data = b"\xef\xbb\xbf" + EXAMPLE.read_bytes().replace(b"\n", b"\r\n")
    assert parse_run_card(data, EXAMPLE.name) == complete()


def test_every_fault_is_told_at_once_in_order_of_line():
    data = b"scaffold:\n  version: 1.10\n  nam: x\nprompt: no\ncost:\n  usd: 1e3\nattestation: {name: 12}\n"
    assert [problem.line for problem in problems_of(data)] == [2, 3, 4, 6, 7]


def test_a_problem_reads_as_a_sentence():
    (problem,) = problems_of(b"scaffold:\n  nam: x\n")
    assert str(problem) == "line 2, scaffold.nam: is not a field of the run card; did you mean 'name'?"


@pytest.mark.parametrize(
    "data",
    [
        b"llms: tbd\ncost: unknown\nprompt: '?'\n",
        b"cost: {usd: n/a, tokens_in: unknown, tokens_out: }\n",
        b"compute: {default: {network_access: none, gpu_count: '-'}}\n",
        b"integrity: {predictions_by: undisclosed}\nattestation: {date: TBD, digest: ~}\n",
        b"{}\n",
    ],
)
def test_open_questions_are_accepted_whatever_their_kind(data):
    assert parse_run_card(data, "run_card.yaml") == {}


def test_seed_labels_may_be_written_as_numbers():
    assert parse_run_card(b"seeds: {labels: [0, 1, x]}\n", "a.yaml") == {"seeds": {"labels": ["0", "1", "x"]}}


def test_plain_dates_are_text():
    document = parse_run_card(b"attestation: {date: 2026-03-01}\n", "a.yaml")
    assert document == {"attestation": {"date": "2026-03-01"}}


@pytest.mark.parametrize(
    "word", ["1" + "_" * 50_000 + "x", "1:" * 50_000 + "x", "0" * 50_000 + "e", "1.1." * 20_000]
)
def test_long_words_are_judged_at_once(word):
    (problem,) = problems_of(b"scaffold:\n  name: %s\n" % word.encode())
    assert problem.code in ("maxLength", "ambiguous")


@pytest.mark.parametrize("name", ["run_card.txt", "run_card", "run_card.yaml.exe"])
def test_other_endings_are_refused(name):
    assert problems_of(b"{}", name)[0].code == "name"


DEEP: list = reduce(lambda inner, _: [inner], range(30), [])


@pytest.mark.parametrize(
    ("document", "code"),
    [({"seeds": {"labels": [0] * 20_000}}, "too_many"), ({"a": DEEP}, "too_deep")],
)
def test_a_document_that_came_from_no_file_has_the_same_bounds(document, code):
    with pytest.raises(RunCardError) as caught:
        check_document(document)
    assert [problem.code for problem in caught.value.problems] == [code]


@pytest.mark.parametrize(
    ("is_form", "words"),
    [
        (False, "without quotes, units or separators, or leave it out"),
        (True, "without units or separators, or leave it empty"),
    ],
)
def test_only_a_form_is_not_told_of_quotes(is_form, words):
    for document in ({"compute": {"default": {"ram_gb": "64"}}}, {"scaffold": {"closed": "false"}}):
        with pytest.raises(RunCardError) as caught:
            check_document(document, is_form=is_form)
        (problem,) = caught.value.problems
        assert words in problem.message


SEEN = [
    "1\ufe0f\u20e3",
    "#\ufe0f\u20e3",
    "\u2139\ufe0f",
    "\u2764\ufe0e",
    "\u2194\ufe0f",
    "\u00a9\ufe0f",
    "\u203c\ufe0f",
]
UNSEEN = [
    *("\ufe0fX", "A\ufe0f", "A \ufe0f", "A-\ufe0fX", "A.\ufe0f", "A'\ufe0fB", "A+\ufe0f", "A\u0301\ufe0f"),
    *("1\ufe0f", "A\ufe0f\u20e3", "1\ufe0e\ufe0f\u20e3", "\u2764\ufe0f\ufe0f", "\u2764\ufe00", "A\n\ufe0f"),
]


@pytest.mark.parametrize("text", SEEN)
def test_a_sign_may_choose_its_form(text):
    assert not list(unreadable_text(f"Team {text} X{text}"))


@pytest.mark.parametrize("text", UNSEEN)
def test_a_variation_selector_that_shows_nothing_is_refused(text):
    for whole in (text, f"\u2764\ufe0f {text}"):
        assert [code for _, code, _ in unreadable_text(whole)] == ["invisible_characters"]


def test_a_flood_of_problems_is_cut():
    flood = b"scaffold:\n" + b"".join(b"  k%d: yes\n" % number for number in range(3_000))
    found = problems_of(flood)
    assert len(found) == 201
    assert found[-1].code == "more"


def test_unknown_names_are_shown_short_and_printable():
    _, problem = problems_of(json.dumps({"\u202e" + "k" * 500: 1}).encode(), "run_card.json")
    assert len(problem.path) == 60
    assert problem.path.isprintable()


@pytest.mark.parametrize("name", ["run_card.yaml", "run_card.json"])
def test_damaged_files_end_in_a_document_or_in_problems(name):
    chance = random.Random(name)
    whole = EXAMPLE.read_bytes() if name.endswith("yaml") else json.dumps(complete()).encode()
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(RunCardError):
            assert isinstance(parse_run_card(bytes(data), name), dict)


def test_the_largest_file_is_read_in_seconds():
    rows = b"".join(b"    - {seed: a, competition: b, missing_reason: other}\n" for _ in range(1500))
    started = time.perf_counter()
    parse_run_card(b"seeds:\n  missing:\n" + rows, "run_card.yaml")
    assert time.perf_counter() - started < 10
