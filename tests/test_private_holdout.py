"""A private holdout, made as docs/private-holdout.md says, and a submission to it by the same path as any other."""

import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.test import Client

from grading.catalogue import CatalogueError, catalogue_folders, shipped_benchmarks, shipped_competitions
from leaderboard.models import EntryRun
from submissions.models import Submission
from tests.factories import make_maintainer, make_team, make_user
from tests.submissions.bundles import tar
from tests.submissions.run_cards import having
from tests.submissions.test_permissions import signed_in
from tests.submissions.uploading import put_part
from tests.test_flow import (  # noqa: F401 - fixtures
    Deliver,
    Send,
    api,
    deliver,
    publish,
    send,
    status,
    unisolated,
)

pytestmark = pytest.mark.django_db
PAGE = Path(__file__).parents[1] / "docs" / "private-holdout.md"
FILES = {
    "competitions/river-levels.toml": 'id = "river-levels"',
    "benchmarks/holdout-2026.toml": 'slug = "holdout-2026"',
}
TRUTH = "id,level\n1,0.31\n2,0.12\n3,0.77\n"


@pytest.fixture(autouse=True)
def fresh_catalogue() -> Iterator[None]:
    """What was read stays read within a process, so it is forgotten before and after."""
    for forget in (shipped_competitions, shipped_benchmarks):
        forget.cache_clear()
    yield
    for forget in (shipped_competitions, shipped_benchmarks):
        forget.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The operator's folder with the files that the page shows, word for word."""
    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for name, first_line in FILES.items():
        path = tmp_path / "catalogue" / name
        path.parent.mkdir(parents=True)
        path.write_text(next(block for block in blocks if block.startswith(first_line)))
    monkeypatch.setenv("MLEB_CATALOGUE", str(tmp_path / "catalogue"))
    return tmp_path / "catalogue"


@pytest.fixture
def holdout(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("MLEB_VAULT", str(tmp_path_factory.mktemp("vault") / "vault"))
    answers = tmp_path / "answers" / "river-levels" / "prepared" / "private" / "test.csv"
    answers.parent.mkdir(parents=True)
    assert TRUTH in PAGE.read_text()
    answers.write_text(TRUTH)
    call_command("load_catalogue", verbosity=0)
    call_command("load_answers", "--from", str(tmp_path / "answers"), "--only", "river-levels", verbosity=0)


def bundle() -> bytes:
    """Three seeds, each wrong by another constant, hence with that RMSE."""
    shifts = {"0": 0.05, "1": 0.25, "2": 0.4}
    files = {
        f"{seed}/river-levels/submission.csv": "id,level\n"
        + "".join(f"{i},{level + shift}\n" for i, level in ((3, 0.77), (1, 0.31), (2, 0.12)))
        for seed, shift in shifts.items()
    }
    card = having({"compute.overrides": None})
    return tar(
        {
            **{path: text.encode() for path, text in files.items()},
            "run_card.yaml": yaml.safe_dump(card).encode(),
        }
    )


@pytest.mark.usefixtures("holdout")
def test_a_submission_goes_the_whole_way(deliver: Deliver, send: Send) -> None:  # noqa: F811
    member, maintainer = make_user(), make_maintainer()
    make_team(owner=member)
    client, content = signed_in(member), bundle()
    asked = {
        "benchmark": "holdout-2026",
        "filename": "b.tar",
        "size": len(content),
        "creation_key": str(uuid.uuid4()),
    }
    submission = Submission.objects.get(public_id=send(client, "POST", "/api/v1/submissions", asked)["id"])
    assert put_part(client, submission, 1, content).status_code == 200
    send(client, "POST", f"{api(submission)}/complete")
    deliver()
    assert status(submission) == "awaiting_team"
    card = client.get(f"{api(submission)}/run-card").json()
    said = {"scope": "low", "attested_name": "Ada Example", "revision": card["number"], "accept": True}
    send(client, "POST", f"{api(submission)}/confirm", said)
    deliver()
    assert status(submission) == "in_review"
    publish(maintainer, submission)

    runs = EntryRun.objects.order_by("seed").values_list("score", "medal")
    assert list(runs) == [(0.05, "gold"), (0.25, "bronze"), (0.4, "none")]
    (row,) = ranking("holdout-2026")
    assert (row["rank"], round(row["result"]["any_medal_mean"], 2)) == (1, 66.67)
    assert ranking("mle-bench-v1") == []


def ranking(benchmark: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        Client().get("/api/v1/rankings/clean", {"benchmark": benchmark, "split": "low"}).json()["rows"]
    )
    return rows


@pytest.mark.usefixtures("folder")
def test_the_operators_files_stand_beside_the_shipped_ones() -> None:
    assert "river-levels" in shipped_competitions()
    assert "spaceship-titanic" in shipped_competitions()
    assert "holdout-2026" in shipped_benchmarks()


def test_a_file_never_replaces_a_shipped_one(folder: Path) -> None:
    (folder / "competitions" / "spaceship-titanic.toml").write_text("")
    with pytest.raises(CatalogueError, match=r"spaceship-titanic\.toml: there are two of this name"):
        shipped_competitions()
    with pytest.raises(CommandError, match="two of this name"):
        call_command("load_catalogue", verbosity=0)


@pytest.mark.parametrize("chosen", ["catalogue", "/nowhere"])
def test_a_folder_that_is_none_is_refused(chosen: str) -> None:
    with pytest.raises(CatalogueError, match="absolute path of a folder"):
        catalogue_folders({"MLEB_CATALOGUE": chosen})
