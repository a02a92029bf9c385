"""Every table has a rule, the rules keep what they promise, and the SQL says the same."""

from pathlib import Path

import pytest
from django.apps import apps

from leaderboard.launcher.processes import site_processes
from leaderboard.roles.apply import BESIDE_MODELS, require_complete, table_names
from leaderboard.roles.grants import (
    BadRules,
    Grant,
    grant_statements,
    password_statement,
    read_matrix,
    role_statements,
)
from leaderboard.roles.rules import COLUMNS, ROLES, RULES

# People, what they sign in with, what they handed in, and what was decided.
CLOSED_TO_GRADING = {
    "submissions.User", "submissions.Team", "submissions.Submission", "submissions.Bundle", "submissions.Run",
    "submissions.EvidenceFile", "submissions.RunCardRevision", "submissions.TokenGrant", "knox.AuthToken",
    "sessions.Session", "mfa.Authenticator", "account.EmailAddress", "leaderboard.Decision", "leaderboard.Entry",
    "leaderboard.SigningKey",
}  # fmt: skip
PERMANENT = {
    "leaderboard.Decision", "leaderboard.PinMove", "leaderboard.Restatement", "leaderboard.Receipt",
    "leaderboard.Checkpoint", "leaderboard.Placement", "submissions.Event", "submissions.RunCardRevision",
}  # fmt: skip
CREDENTIALS = {"mfa.Authenticator", "knox.AuthToken", "submissions.TokenGrant", "submissions.User"}


def test_every_table_has_a_rule_and_every_rule_a_table() -> None:
    require_complete(table_names())


def test_a_new_table_without_a_rule_is_named() -> None:
    with pytest.raises(BadRules, match=r"no rule for leaderboard\.New"):
        require_complete({**table_names(), "leaderboard.New": "leaderboard_new"})


def test_every_process_of_the_site_has_a_role() -> None:
    assert {spec.name for spec in site_processes("python", Path("/v"), 8000, 1)} == set(ROLES)


@pytest.mark.parametrize("label", sorted({table for table, _ in COLUMNS}))
def test_columns_are_columns(label: str) -> None:
    known = {field.column for field in apps.get_model(label)._meta.concrete_fields}
    named = {column for (table, _), columns in COLUMNS.items() if table == label for column in columns}
    assert named <= known


@pytest.mark.parametrize("label", sorted(CLOSED_TO_GRADING))
def test_grading_knows_nothing_of(label: str) -> None:
    assert RULES[label]["grading"] == Grant()


def test_grading_changes_what_a_grading_comes_to_and_nothing_that_it_is() -> None:
    columns = set(RULES["grading.Grading"]["grading"].columns)
    assert columns
    assert not columns & {
        "id",
        "blob_id",
        "competition_id",
        "answers_id",
        "grader_version",
        "repeat",
        "priority",
    }


@pytest.mark.parametrize("label", sorted(PERMANENT))
def test_what_was_recorded_is_changed_and_deleted_by_nobody(label: str) -> None:
    assert not [role for role, grant in RULES[label].items() if grant.verbs & {"UPDATE", "DELETE"}]


@pytest.mark.parametrize(
    "label", [label for label in RULES if label.startswith("grading.") and label != "grading.Benchmark"]
)
def test_the_web_process_only_reads_gradings(label: str) -> None:
    assert RULES[label]["web"].verbs <= {"SELECT"}


def test_credentials_are_made_and_changed_by_the_web_process_alone() -> None:
    for label in CREDENTIALS:
        others = {role: grant.verbs for role, grant in RULES[label].items() if role != "web"}
        # What has ended is forgotten by housekeeping; a second factor never ends.
        forgets = {"housekeeping"} if label != "mfa.Authenticator" else set()
        wrong = {role for role, verbs in others.items() if verbs - {"SELECT", "DELETE"}}
        wrong |= {role for role, verbs in others.items() if "DELETE" in verbs and role not in forgets}
        assert not wrong, label


def test_only_who_signs_has_the_table_of_keys() -> None:
    writers = {role for role, grant in RULES["leaderboard.SigningKey"].items() if grant.verbs - {"SELECT"}}
    assert writers == {"housekeeping"}


def test_beside_models_are_read_alone() -> None:
    assert {verb for name in BESIDE_MODELS for grant in RULES[name].values() for verb in grant.verbs} == {
        "SELECT"
    }


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("a b\nt r", {}, "not one cell"),
        ("a\nt r\nt r", {}, "twice"),
        ("a\nt x", {}, "unknown letters"),
        ("a\nt C", {}, "without columns"),
        ("a\nt r", {("t", "a"): ("x",)}, "C"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    text: str, columns: dict[tuple[str, str], tuple[str, ...]], message: str
) -> None:
    with pytest.raises(BadRules, match=message):
        read_matrix(text, columns)


def test_the_statements_of_a_role() -> None:
    rules = read_matrix("web\nt raC\nu -\nv rd", {("t", "web"): ("x", "y")})
    grants = {table: cells["web"] for table, cells in rules.items()}
    assert list(grant_statements("m_web", "db", "public", grants)) == [
        'REVOKE ALL ON ALL TABLES IN SCHEMA "public" FROM "m_web"',
        'GRANT CONNECT ON DATABASE "db" TO "m_web"',
        'GRANT USAGE ON SCHEMA "public" TO "m_web"',
        'GRANT SELECT, INSERT, UPDATE ("x", "y") ON "public"."t" TO "m_web"',
        'GRANT SELECT, DELETE ON "public"."v" TO "m_web"',
    ]


def test_names_and_texts_are_quoted() -> None:
    assert password_statement('a"b', "it's") == "ALTER ROLE \"a\"\"b\" PASSWORD 'it''s'"
    assert "NOSUPERUSER NOCREATEDB NOCREATEROLE" in " ".join(role_statements("m_web"))
