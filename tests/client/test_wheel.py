"""The wheel: the server's own rules, file by file, and a client that works where there is no checkout."""

import ast
import ensurepip
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType

import pytest
from mlebench_leaderboard.csv_check import EXTRA

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "client"
RULES = "mlebench_leaderboard/_rules/"
DEMO_BUNDLE = ROOT / "demo" / "bundle.tar.gz"


@cache
def build_rules() -> ModuleType:
    """The build hook, as hatchling loads it."""
    spec = importlib.util.spec_from_file_location("build_rules", CLIENT / "build_rules.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=CLIENT, check=True, capture_output=True,
    )  # fmt: skip
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_servers_files_unchanged(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {
            name.removeprefix(RULES): digest(archive.read(name))
            for name in archive.namelist()
            if name.startswith(RULES) and name != f"{RULES}__init__.py"
        }
    files = build_rules().rule_files()
    assert inside == {path.relative_to(ROOT).as_posix(): digest(path.read_bytes()) for path in files}
    assert {
        "submissions/bundle/read.py",
        "submissions/run_card/schema.json",
        "grading/graders/outline.py",
    } <= {*inside}


def test_the_wheel_holds_nothing_else_of_the_server(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert not [
            name for name in names if "django" in archive.read(name).decode().lower() and "graders" in name
        ]
    assert not [name for name in names if not re.match(r"mlebench_leaderboard(-[\d.]+\.dist-info)?/", name)]
    assert not [name for name in names if "__pycache__" in name or "intake" in name or "vault" in name]


def test_the_rules_import_only_what_goes_with_them() -> None:
    """By relative names: in the wheel there is no package called `grading` or `submissions`."""
    wrong = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in build_rules().rule_files()
        if path.suffix == ".py"
        for line in path.read_text().splitlines()
        if re.match(r"\s*(from|import) (grading|submissions|leaderboard|django|celery)\b", line)
    ]
    assert wrong == []


def imported_by(folder: Path) -> set[str]:
    """What the files below import from elsewhere, by distribution."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {each.name.split(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").split(".")[0])
    ours = {*sys.stdlib_module_names, "grading", "submissions", "mlebench_leaderboard"}
    return {name_of_distribution(each) for each in found - ours}


def name_of_distribution(module: str) -> str:
    return re.split(r"[<>=]", packages_distributions()[module][0])[0].lower()


def test_what_the_files_import_is_declared(wheel: Path, tmp_path: Path) -> None:
    """Else an installation ends in a traceback where no checkout has lent it its packages."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    declared = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    always = {re.split(r"[<>=]", each)[0].lower() for each in declared["dependencies"]}
    extra = {re.split(r"[<>=]", each)[0].lower() for each in declared["optional-dependencies"]["csv"]}
    graders = imported_by(tmp_path / RULES / "grading" / "graders")
    assert graders <= extra | always
    assert imported_by(tmp_path) == extra | always, "what is declared is imported, and the reverse"
    assert {*EXTRA} == extra, "the client looks for all of the extra before it imports it"


PROGRAM = """
import json, sys
import mlebench_leaderboard
from mlebench_leaderboard import check_archive, csv_rules, rules
report = check_archive(__import__("pathlib").Path(sys.argv[1]), "demo")
names = [name for name in sys.modules if name.split(".")[0] in ("grading", "submissions", "leaderboard", "django")]
print(json.dumps({"at": mlebench_leaderboard.__file__, "runs": report.runs, "good": report.is_good, "names": names}))
"""


@pytest.mark.slow
def test_installed_elsewhere_it_needs_no_checkout(wheel: Path, tmp_path: Path) -> None:
    python = install(wheel, tmp_path / "venv")
    # A folder in which a user happens to have packages of the same names.
    for name in ("grading", "submissions"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('not this one')")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    said = json.loads(run(tmp_path, python, program, DEMO_BUNDLE))
    assert said == {"at": said["at"], "runs": 3, "good": True, "names": []}
    assert said["at"].startswith(str(tmp_path))
    command = python.with_name("mlebench-leaderboard")
    assert "Packs folders of runs" in run(tmp_path, command, "--help")
    checked = run(tmp_path, command, "check", DEMO_BUNDLE, "--benchmark", "demo")
    assert "The server would take this bundle." in checked


def install(wheel: Path, venv: Path) -> Path:
    """A new environment with the wheel. What it depends on is borrowed from this one: tests use no network."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True, capture_output=True)
    python = venv / "bin" / "python"
    done = subprocess.run([*installer(python), wheel], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    borrowed = next(Path(path) for path in sys.path if path.endswith("site-packages"))
    site_packages = next(venv.glob("lib/python*/site-packages"))
    (site_packages / "borrowed.pth").write_text(f"{borrowed}\n")
    return python


def installer(python: Path) -> list[str | Path]:
    """uv where there is one; else the pip that comes with Python, run from its wheel."""
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--offline", "--no-deps", "--python", python]
    bundled = Path(ensurepip.__file__).parent / "_bundled"
    pip = next(bundled.glob("pip-*.whl")) / "pip"
    return [python, pip, "install", "--no-index", "--no-deps", "--no-compile", "--disable-pip-version-check"]


def run(folder: Path, *arguments: object) -> str:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MLEB_"))
    }
    done = subprocess.run(
        [str(each) for each in arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
