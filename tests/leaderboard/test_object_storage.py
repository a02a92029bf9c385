"""Which store is a folder and which a bucket, by the environment; and who gets which key."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from leaderboard.bucket_policies import RIGHTS, process_policy
from leaderboard.environment import Environment
from leaderboard.object_storage import (
    BUCKET,
    FILES,
    KEYS_OF,
    REFUSING,
    file_stores,
    is_told,
    require_fitting_parts,
    storage_settings,
    upload_origins,
)

VAR = Path("/var/site")
MIB = 2**20
NAMED = {"MLEB_S3_BUNDLES": "b"}
KEY = {"MLEB_S3_BUNDLES_KEY": "k", "MLEB_S3_BUNDLES_SECRET": "s"}


def backend(variables: dict[str, str], store: str = "bundles") -> str:
    return str(file_stores(Environment(variables), VAR)[store]["BACKEND"])


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, FILES), (NAMED, REFUSING), ({**NAMED, **KEY}, BUCKET), (KEY, FILES)],
)
def test_a_store_is_a_bucket_once_one_is_named(variables: dict[str, str], expected: str) -> None:
    assert backend(variables) == expected
    assert backend(variables, "blobs") == FILES


def test_answers_are_no_store_of_files() -> None:
    env = Environment({"MLEB_S3_ANSWERS": "a"})
    assert "answers" not in file_stores(env, VAR)
    assert storage_settings(env)["ANSWERS_BUCKET"].bucket == "a"


@pytest.mark.parametrize(
    "variables",
    [
        {**NAMED, "MLEB_S3_BUNDLES_KEY": "k"},
        {**NAMED, "MLEB_S3_BUNDLES_SECRET": "s"},
        {**NAMED, **KEY, "MLEB_S3_ENDPOINT": "s3.example.org"},
        {**NAMED, **KEY, "MLEB_S3_ENDPOINT": "https://s3.example.org/path"},
    ],
)
def test_half_an_access_is_refused(variables: dict[str, str]) -> None:
    with pytest.raises(ImproperlyConfigured, match="MLEB_S3_"):
        file_stores(Environment(variables), VAR)


@pytest.mark.parametrize(
    ("variables", "origins"),
    [
        ({}, []),
        (NAMED, ["https://b.s3.us-east-1.amazonaws.com"]),
        ({**NAMED, "MLEB_S3_REGION": "eu-west-1"}, ["https://b.s3.eu-west-1.amazonaws.com"]),
        ({**NAMED, "MLEB_S3_ENDPOINT": "https://s3.example.org"}, ["https://s3.example.org"]),
        (
            {
                **NAMED,
                "MLEB_S3_ENDPOINT": "http://s3:8333",
                "MLEB_S3_UPLOAD_ENDPOINT": "https://up.example.org",
            },
            ["https://up.example.org"],
        ),
    ],
)
def test_pages_may_send_to_the_bucket_alone(variables: dict[str, str], origins: list[str]) -> None:
    assert upload_origins(Environment(variables)) == origins


@pytest.mark.parametrize(
    ("part", "whole", "fits"),
    [(5 * MIB, 50_000 * MIB, True), (5 * MIB, 50_001 * MIB, False), (5 * MIB - 1, MIB, False)],
)
def test_parts_fit_the_server(part: int, whole: int, fits: bool) -> None:
    require_fitting_parts(Environment({}), part, whole)
    if fits:
        require_fitting_parts(Environment(NAMED), part, whole)
        return
    with pytest.raises(ImproperlyConfigured, match="MLEB_UPLOAD_PART_BYTES"):
        require_fitting_parts(Environment(NAMED), part, whole)


def test_a_secret_is_not_printed() -> None:
    assert "hidden" not in repr(
        file_stores(Environment({**NAMED, **KEY, "MLEB_S3_BUNDLES_SECRET": "hidden"}), VAR)
    )


@pytest.mark.parametrize(
    "process", ["web", "intake", "validity", "evidence", "grading", "housekeeping", "other"]
)
@pytest.mark.parametrize("store", KEYS_OF)
def test_a_process_is_told_the_keys_it_has_rights_for(process: str, store: str) -> None:
    has_rights = store in RIGHTS.get(process, {})
    for word in ("KEY", "SECRET"):
        assert is_told(process, f"MLEB_S3_{store.upper()}_{word}") == has_rights
    assert is_told(process, f"MLEB_S3_{store.upper()}")
    assert not is_told(process, "MLEB_S3_ADMIN_SECRET")


@pytest.mark.parametrize("process", sorted(set(RIGHTS) - {"grading", "operator"}))
def test_only_grading_and_operators_come_near_answers(process: str) -> None:
    policy = process_policy(process, {store: store for store in KEYS_OF})
    assert "answers" not in repr(policy)


def test_the_web_process_reads_no_bundle() -> None:
    policy = process_policy("web", {"bundles": "b"})
    actions = [action for statement in policy["Statement"] for action in statement["Action"]]
    assert not [action for action in actions if "GetObject" in action]
