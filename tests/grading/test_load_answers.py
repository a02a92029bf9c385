"""The command that loads answers: what it says, what it refuses, and that nothing is written then."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from grading.models import AnswersVersion
from tests.factories import make_competition

pytestmark = pytest.mark.django_db
PLAYGROUND = "tabular-playground-series-may-2022"
GOOD = "id,target\n1,1\n2,0\n"


@pytest.fixture(autouse=True)
def vault(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path_factory.mktemp("vault") / "vault"
    monkeypatch.setenv("MLEB_VAULT", str(root))
    return root


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    make_competition(PLAYGROUND)
    file_of(tmp_path).parent.mkdir(parents=True)
    file_of(tmp_path).write_text(GOOD)
    return tmp_path


def file_of(prepared: Path) -> Path:
    return prepared / PLAYGROUND / "prepared" / "private" / "test.csv"


def load(prepared: Path) -> None:
    call_command("load_answers", "--from", str(prepared), "--only", PLAYGROUND)


def test_it_says_which_version_it_loaded(prepared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(prepared)
    said = capsys.readouterr().out
    assert f"loaded (1): {PLAYGROUND} (version 1, 2 rows)" in said
    assert f"note: {PLAYGROUND} has 2 rows, its file says 100,000" in said
    load(prepared)
    assert f"unchanged (1): {PLAYGROUND} (version 1, 2 rows)" in capsys.readouterr().out
    file_of(prepared).write_text(f"{GOOD}3,1\n")
    load(prepared)
    assert f"loaded (1): {PLAYGROUND} (version 2, 3 rows)" in capsys.readouterr().out


def test_what_cannot_be_graded_against_never_becomes_the_newest(prepared: Path, vault: Path) -> None:
    load(prepared)
    file_of(prepared).write_text("id,target\n1,1\n2,1\n")
    with pytest.raises(CommandError, match=f"{PLAYGROUND}: column target holds 1 distinct value"):
        load(prepared)
    assert AnswersVersion.objects.get().number == 1
    assert [path.name for path in vault.rglob("*.csv")] == ["1.csv"]


def test_a_path_with_nothing_is_named(prepared: Path) -> None:
    file_of(prepared).unlink()
    with pytest.raises(CommandError) as caught:
        load(prepared)
    assert str(caught.value).endswith(f"{PLAYGROUND}: there is no file {file_of(prepared)}")
    with pytest.raises(CommandError, match=r"/nowhere is not a directory\."):
        load(Path("/nowhere"))


def test_nothing_at_all_is_no_success(tmp_path: Path) -> None:
    call_command("load_catalogue", verbosity=0)
    with pytest.raises(CommandError, match=f"Nothing to load below {tmp_path}"):
        call_command("load_answers", "--from", str(tmp_path), verbosity=0)


def test_the_catalogue_comes_first(tmp_path: Path) -> None:
    with pytest.raises(
        CommandError, match=r"Not in the database yet: .* First run: manage\.py load_catalogue"
    ):
        load(tmp_path)


def test_a_vault_that_grading_would_refuse_is_refused(
    prepared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLEB_VAULT", str(Path(settings.VAR_DIR) / "vault"))
    with pytest.raises(CommandError, match="overlaps"):
        load(prepared)
    assert not AnswersVersion.objects.exists()
