"""Sample submissions from the folder that the benchmark's prepare command leaves."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from leaderboard.models import SampleFingerprint
from tests.factories import make_benchmark
from tests.leaderboard.fingerprints.files import LABELS, NUMBERS, csv_of, ids
from tests.leaderboard.fingerprints.rows import cactus

pytestmark = pytest.mark.django_db


def put(folder: Path, competition: str, name: str, content: bytes) -> None:
    place = folder / competition / "prepared" / "public"
    place.mkdir(parents=True)
    (place / name).write_bytes(content)


def test_samples_are_loaded_once_and_said(tmp_path: Path) -> None:
    make_benchmark("samples", {NUMBERS: "low", LABELS: "low", "leaf-classification": "low"})
    put(tmp_path, NUMBERS, "sampleSubmission.csv", cactus(1))
    put(
        tmp_path,
        LABELS,
        "sample_submission.csv",
        csv_of({"PassengerId": ids(), "Transported": ["False"] * 400}),
    )
    for _ in range(2):
        said = StringIO()
        call_command("load_samples", "--from", str(tmp_path), stdout=said)
    assert said.getvalue().splitlines() == [
        f"made (1): {NUMBERS}",
        f"constant (1): {LABELS}",
        "missing (1): leaf-classification",
    ]
    assert SampleFingerprint.objects.get().competition_id == NUMBERS


@pytest.mark.parametrize(("folder", "said"), [("", "No sample submission"), ("absent", "is not a directory")])
def test_a_folder_without_samples_is_refused(tmp_path: Path, folder: str, said: str) -> None:
    make_benchmark("samples", {NUMBERS: "low"})
    with pytest.raises(CommandError, match=said):
        call_command("load_samples", "--from", str(tmp_path / folder))
