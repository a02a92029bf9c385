"""The process that reads logs and code: what it may see, which tasks it knows, and that its documents are current."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import Tags, run_checks

from leaderboard.evidence.patterns import load_patterns
from leaderboard.evidence.reference import evidence_reference
from leaderboard.evidence.signals import log_signals
from leaderboard.launcher.processes import ProcessSpec, site_processes
from leaderboard.models import Finding

DOCS = Path(__file__).parents[3] / "docs"
SPECS = {each.name: each for each in site_processes("python", Path("/var"), 1, 1)}


def evidence() -> ProcessSpec:
    return SPECS["evidence"]


def test_it_sees_evidence_and_neither_answers_nor_predictions() -> None:
    spec = evidence()
    assert not spec.sees_vault
    assert not spec.sees_signing_key
    assert not spec.holds_sandboxes
    assert {"blobs", "bundles", "spool", "validity", "mail"} <= set(spec.hidden)
    assert "evidence" not in spec.hidden


def test_nobody_else_but_intake_sees_evidence() -> None:
    seeing = {name for name, spec in SPECS.items() if "evidence" not in spec.hidden}
    # Intake writes it.
    assert seeing == {"evidence", "intake"}


def test_it_runs_its_own_tasks_alone() -> None:
    code = (
        "import django; django.setup(); from leaderboard.celery import app; app.loader.import_default_modules();"
        "print(sorted(n for n in app.tasks if not n.startswith('celery.')))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "leaderboard.settings", **evidence().environment}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == str(["leaderboard.evidence.tasks.read", "leaderboard.evidence.tasks.sweep"])


def test_the_page_of_patterns_is_current() -> None:
    found = (DOCS / "evidence.md").read_text("utf-8")
    assert found == evidence_reference(), "run python -m leaderboard.evidence.reference > docs/evidence.md"


def test_the_page_of_findings_names_every_signal_of_logs() -> None:
    page = (DOCS / "findings.md").read_text("utf-8")
    longest = Finding._meta.get_field("code").max_length
    for signal in log_signals(load_patterns()):
        assert f"(`{signal.code}`)" in page
        assert len(signal.code) <= longest


@pytest.mark.parametrize(("content", "ids"), [("off = []\n", []), ("of = []\n", ["leaderboard.E007"])])
def test_a_bad_file_of_patterns_keeps_the_site_from_starting(
    content: str, ids: list[str], tmp_path: Path, settings: object
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(content)
    settings.EVIDENCE_PATTERNS = path  # type: ignore[attr-defined]
    found = [message for message in run_checks(tags=[Tags.security]) if message.id == "leaderboard.E007"]
    assert [message.id for message in found] == ids
    assert all("own.toml" in message.msg for message in found)
