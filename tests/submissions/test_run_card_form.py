"""The form: drawn from the schema, posted back as the same document."""

import pytest

from submissions.run_card import (
    SCHEMA,
    RunCardError,
    apply_form,
    attest,
    draft_form,
    form_fields,
    to_form,
)
from submissions.run_card.form import Field, Group
from submissions.run_card.schema import kind_of, properties
from tests.submissions.run_cards import complete, having

RICH = having(
    {
        "seeds.run_groups": {"2026-02-01_run-group_agent": "0", "another.group": "1"},
        "seeds.missing": [
            {"seed": "1", "competition": "leaf-classification", "missing_reason": "out_of_time"}
        ],
        "integrity.known_leaks_used": ["leaf-classification", "spaceship-titanic"],
        "integrity.validation_details": "First line.\nSecond line.",
        "cost.usd": 0.00001,
        "scaffold.closed": False,
    }
)


def drawn(document=None, blank_rows=2) -> dict[str, Field]:
    fields = {}
    for section in form_fields(document, blank_rows):
        for item in section.items:
            rows = item.rows if isinstance(item, Group) else ((item,),)
            fields.update({field.name: field for row in rows for field in row})
    return fields


def posted_by_browser(document) -> dict[str, list[str]]:
    """What a browser sends for the drawn form: every field, blank ones too, lines ended as browsers do."""
    return {name: [field.value.replace("\n", "\r\n")] for name, field in drawn(document).items()}


@pytest.mark.parametrize("document", [{}, complete(), RICH])
def test_a_form_sent_back_untouched_changes_nothing(document):
    assert apply_form(document, posted_by_browser(document)) == document
    assert apply_form({}, to_form(document)) == document


def test_a_form_is_told_what_its_fields_are():
    with pytest.raises(RunCardError) as caught:
        apply_form({}, {"cost.usd": ["12 USD"]})
    (problem,) = caught.value.problems
    assert problem.message.endswith("without units or separators, or leave it empty if unknown")


def test_every_question_is_drawn_with_label_and_help():
    fields = drawn(RICH)
    assert set(to_form(RICH)) <= set(fields)
    assert all(field.label and field.kind in KINDS for field in fields.values())
    assert all(field.help for name, field in fields.items() if ".run_groups." not in name)
    assert all(field.choices for field in fields.values() if field.kind in ("choice", "bool"))


KINDS = {"text", "long", "number", "date", "bool", "choice", "list"}


def test_sections_follow_the_schema_and_nested_parts_carry_their_title():
    assert [section.name for section in form_fields()] == list(properties(SCHEMA))
    assert drawn()["compute.default.vcpus"].label == "Default: vCPUs"
    assert drawn()["prompt"].kind == "choice"
    assert "attestation.digest" not in drawn()


def test_rows_are_drawn_with_blank_ones_after_them():
    assert {"llms.0.role", "llms.3.role", "seeds.run_groups.1.key"} <= set(drawn(complete()))
    assert "llms.4.role" not in drawn(complete())
    assert "llms.0.role" in drawn({}, blank_rows=1)
    assert "llms.1.role" not in drawn({}, blank_rows=1)


def test_open_questions_are_marked():
    assert drawn(having({"cost.usd": None}))["cost.usd"].is_open
    assert not drawn(complete())["cost.usd"].is_open
    assert drawn()["integrity.test_set_signal"].required_for == ("clean", "no-private-lb")


EDITS = [
    ({"prompt": ["obfuscated"]}, {"prompt": "obfuscated"}),
    ({"cost.usd": [" 12.50 "]}, {"cost.usd": 12.5}),
    ({"cost.usd": [""]}, {"cost.usd": None}),
    ({"cost.usd": ["unknown"]}, {"cost.usd": None}),
    ({"cost.usd": ["0"]}, {"cost.usd": 0}),
    ({"integrity.web_search": ["true"]}, {"integrity.web_search": True}),
    ({"scaffold.closed": [""]}, {"scaffold.closed": None}),
    ({"scaffold.version": ["1.10"]}, {"scaffold.version": "1.10"}),
    ({"seeds.labels": ["0\r\n 1 \r\n\r\n"]}, {"seeds.labels": ["0", "1"]}),
    (
        {"seeds.run_groups.5.key": ["group"], "seeds.run_groups.5.value": ["0"]},
        {"seeds.run_groups": {"group": "0"}},
    ),
    (
        {
            "seeds.left_out.0.seed": [""],
            "seeds.left_out.1.seed": ["9"],
            "seeds.left_out.1.reason": ["budget"],
        },
        {"seeds.left_out": [{"seed": "9", "reason": "budget"}]},
    ),
    ({"compute.overrides.0.seed": [""]}, {"compute.overrides": None}),
    ({"scaffold.source_promise.date": ["2026-12-31"]}, {"scaffold.source_promise": {"date": "2026-12-31"}}),
    ({"not.a.field": ["x"], "llms.x.role": ["y"], "attestation.digest": ["a" * 64]}, {}),
]


@pytest.mark.parametrize(("posted", "changes"), EDITS)
def test_posted_answers_replace_old_ones_and_the_rest_stays(posted, changes):
    assert apply_form(complete(), posted) == having(changes)


FAULTS = [
    ({"cost.usd": ["a lot"]}, "cost.usd", "must be a number"),
    ({"cost.tokens_in": ["1.5"]}, "cost.tokens_in", "whole number"),
    ({"cost.tokens_in": ["9" * 400]}, "cost.tokens_in", "whole number"),
    ({"integrity.web_search": ["maybe"]}, "integrity.web_search", "true or false"),
    ({"prompt": ["both"]}, "prompt", "must be one of original, obfuscated"),
    ({"attestation.date": ["2026-02-30"]}, "attestation.date", "calendar"),
    ({"scaffold.report_url": ["javascript:alert(1)"]}, "scaffold.report_url", "https://"),
    ({"scaffold.name": ["a\x00b"]}, "scaffold.name", "control characters"),
    ({"scaffold.name": ["a\u202eb"]}, "scaffold.name", "direction of text"),
    ({"llms.3.date": ["soonish"], "llms.7.date": ["2026-02-31"]}, "llms.1.date", "calendar"),
]


@pytest.mark.parametrize(("posted", "path", "says"), FAULTS)
def test_faults_name_the_field_of_the_draft(posted, path, says):
    with pytest.raises(RunCardError) as caught:
        apply_form(complete(), posted)
    found = {problem.path: problem.message for problem in caught.value.problems}
    assert says in found[path]
    assert path in drawn(draft_form(complete(), posted))


def test_a_form_holds_no_more_than_a_file():
    with pytest.raises(RunCardError, match="262,144 bytes"):
        apply_form(complete(), {"scaffold.method": ["a" * 200_000], "scaffold.name": ["b" * 70_000]})


def test_rows_beyond_any_run_card_are_not_drawn_again():
    posted = {f"compute.overrides.{number}.seed": ["1"] for number in range(5_000)}
    drawn_rows = [name for name in drawn(draft_form({}, posted)) if name.startswith("compute.overrides.")]
    assert len({name.split(".")[2] for name in drawn_rows}) == 502


def test_nobody_attests_by_a_name_that_reads_as_another():
    with pytest.raises(RunCardError, match=r"attestation\.name: holds characters that turn the direction"):
        attest(complete(), "Ada \u202eelpmaxE", "2026-03-01")


def test_an_edit_takes_a_stale_digest_away_and_an_idle_post_keeps_it():
    attested = attest(complete(), "Ada Example", "2026-03-01")
    assert apply_form(attested, posted_by_browser(attested)) == attested
    assert "digest" not in apply_form(attested, {"prompt": ["obfuscated"]})["attestation"]


def test_every_schema_field_has_a_kind_the_form_draws():
    for schema in properties(SCHEMA).values():
        for field in properties(schema["items"] if kind_of(schema) == "rows" else schema).values():
            assert kind_of(field) in KINDS | {"section", "rows", "map"}
