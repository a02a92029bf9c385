"""What counts as an answer, which questions are open, one spelling per document."""

import json

import pytest

from submissions.run_card import (
    attest,
    canonical_digest,
    difference,
    is_placeholder,
    normalise,
    undisclosed,
)
from submissions.run_card.normal import drop_stale_digest
from tests.submissions.run_cards import complete, having, lacking

PLACEHOLDERS = [
    "",
    "  ",
    "n/a",
    "N/A",
    "n.a.",
    "none",
    "None.",
    "TBD",
    "tbd!",
    "to be determined",
    "latest",
    "undisclosed",
    "-",
    "--",
    "—",
    "?",
    "???",
    "...",
    "unknown",
    "<unknown>",
    "(n/a)",
    '"none"',
    "TODO",
    "todo:",
    "null",
    "not  disclosed",
    "Not Applicable",
    "code soon",
    "coming soon",
    "Confidential",
    "x",
]
ANSWERS = [
    "0",
    "no",
    "own",
    "none of the runs",
    "gpt-5-2025-08-07",
    "latest-2",
    "A10",
    "n",
    "unknown to us in May",
]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholders_are_no_answers(text):
    assert is_placeholder(text)
    assert undisclosed(having({"scaffold.name": text})) == ["scaffold.name"]


@pytest.mark.parametrize("text", ANSWERS)
def test_other_words_are_answers(text):
    assert not is_placeholder(text)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("compute.default.gpu_count", 0),
        ("compute.default.vcpus", 0),
        ("cost.usd", 0),
        ("integrity.validation_calls", 0),
        ("integrity.web_search", False),
        ("compute.default.network_access", False),
        ("integrity.test_set_signal", "none"),
        ("integrity.external_data", "none"),
        ("integrity.human_intervention", "none"),
        ("integrity.validation_route", "none"),
        ("seeds.labels", ["none"]),
    ],
)
def test_zero_false_and_a_listed_none_are_answers(path, value):
    document = having({path: value})
    assert path not in undisclosed(document)
    assert normalise(document) == normalise(normalise(document))


@pytest.mark.parametrize("name", ["test_set_signal", "external_data", "human_intervention"])
def test_a_section_of_one_listed_none_is_kept(name):
    document = {"integrity": {name: "none"}}
    assert normalise(document) == document


OPEN = [
    ({"scaffold.commit": None}, ["scaffold.commit"]),
    ({"scaffold.commit": None, "scaffold.archive_sha256": "a" * 64}, []),
    ({"scaffold.source_url": None}, ["scaffold.source_url"]),
    ({"scaffold.source_url": None, "scaffold.closed": True}, ["scaffold.method_statement"]),
    ({"scaffold.source_url": None, "scaffold.closed": True, "scaffold.method_statement": "It plans."}, []),
    ({"scaffold.source_url": None, "scaffold.source_promise": {"date": "2026-12-31"}}, []),
    ({"scaffold.source_url": None, "scaffold.source_promise": {"date": "tbd"}}, ["scaffold.source_url"]),
    ({"llms": []}, ["llms"]),
    ({"llms": [{}]}, ["llms"]),
    ({"llms": [], "scaffold.uses_llm": False}, []),
    ({"llms.1.role": None, "llms.1.snapshot": "latest"}, ["llms.1.role", "llms.1.snapshot"]),
    ({"llms.1.snapshot": None, "llms.1.date": "2026-02-01"}, []),
    ({"compute.default.gpu_model": None}, ["compute.default.gpu_model"]),
    (
        {
            "compute.default.gpu_model": None,
            "compute.default.gpu_memory_gb": None,
            "compute.default.gpu_count": 0,
        },
        [],
    ),
    ({"seeds.left_out.0.details": None}, []),
    ({"seeds.left_out.0.details": None, "seeds.left_out.0.reason": "other"}, ["seeds.left_out.0.details"]),
    ({"integrity.web_search": True}, ["integrity.web_search_details"]),
    ({"integrity.external_data_details": None}, ["integrity.external_data_details"]),
    ({"integrity.external_data_details": None, "integrity.external_data": "none"}, []),
    ({"integrity.test_set_signal": "label_leak"}, ["integrity.known_leaks_used"]),
    ({"integrity.final_selection_rule": "other"}, ["integrity.final_selection_details"]),
    ({"cost.usd": None, "prompt": None}, ["cost.usd", "prompt"]),
    ({"scaffold.licence": None, "scaffold.report_url": None, "llms.0.effort": None}, []),
]


@pytest.mark.parametrize(("changes", "expected"), OPEN)
def test_open_questions_follow_from_the_answers_around_them(changes, expected):
    assert undisclosed(having(changes)) == expected


def test_the_example_is_complete_and_an_empty_document_is_not():
    assert undisclosed(complete()) == []
    assert undisclosed({}, "no-private-lb") == [
        "integrity.test_set_signal",
        "attestation.name",
        "attestation.date",
    ]
    assert len(undisclosed({})) > 25


def test_equal_answers_have_one_spelling_and_one_digest():
    document = complete()
    restated = json.loads(json.dumps(document, sort_keys=True))
    restated["scaffold"]["name"] = "  Cross-validator\n"
    restated["scaffold"]["archive_sha256"] = "n/a"
    restated["compute"]["default"]["hours_allowed"] = 24.0
    restated["seeds"]["labels"] = [0, 1, 2]
    restated["seeds"]["missing"] = [{}, {"seed": None}]
    assert normalise(restated) == document
    assert list(normalise(restated)) == list(document)
    assert canonical_digest(restated) == canonical_digest(document)


@pytest.mark.parametrize(
    "changes",
    [{"prompt": "obfuscated"}, {"cost.usd": 0}, {"integrity.web_search": True}, {"attestation.name": "Bob"}],
)
def test_another_answer_has_another_digest(changes):
    assert canonical_digest(having(changes)) != canonical_digest(complete())


def test_an_attestation_carries_the_digest_of_the_very_answers():
    attested = attest(complete(), "Bob Example", "2026-03-02")
    assert attested["attestation"]["digest"] == canonical_digest(attested)
    assert drop_stale_digest(attested) == attested
    edited = having({"prompt": "obfuscated"}, attested)
    assert "digest" not in drop_stale_digest(edited)["attestation"]


DIFFERENCES = [
    ({"prompt": "obfuscated"}, [("prompt", "original", "obfuscated")]),
    ({"cost.usd": None}, [("cost.usd", 311.4, None)]),
    ({"integrity.web_search": True}, [("integrity.web_search", False, True)]),
    ({"compute.default.gpu_count": 0}, [("compute.default.gpu_count", 1, 0)]),
    ({"llms.1.id": "b-1"}, [("llms.1.id", "Qwen/Qwen3-235B-A22B", "b-1")]),
    ({"seeds.labels": ["0"]}, [("seeds.labels", ["0", "1", "2"], ["0"])]),
    ({"seeds.run_groups": {"g.1": "0"}}, [("seeds.run_groups.g.1", None, "0")]),
    ({"scaffold.archive_sha256": "tbd", "scaffold.name": " Cross-validator"}, []),
]


@pytest.mark.parametrize(("changes", "expected"), DIFFERENCES)
def test_a_difference_lists_changed_answers_only(changes, expected):
    found = difference(complete(), having(changes))
    assert [(change["path"], change["before"], change["after"]) for change in found] == expected


def test_differences_between_zero_and_false_and_nothing_show():
    assert difference({"cost": {"usd": 0}}, {}) == [{"path": "cost.usd", "before": 0, "after": None}]
    assert len(difference({}, complete())) > 40
    assert lacking("cost") != complete()
