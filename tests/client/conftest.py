"""The client as on a machine of its own: nothing remembered, nothing in the environment, no pauses."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from mlebench_leaderboard import Patience
from mlebench_leaderboard.cli import main

RunClient = Callable[..., "Done"]


class Done:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for name in ("CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    for name in ("MLEB_URL", "MLEB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return home


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def patience(pauses: list[float]) -> Patience:
    """Three tries, and pauses that are only written down."""
    return Patience(tries=3, first_pause_s=1, sleep=pauses.append)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> RunClient:
    """Runs a command in this process."""

    def run_client(*arguments: object) -> Done:
        capsys.readouterr()
        try:
            code = main([str(each) for each in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run_client


def write_files(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
