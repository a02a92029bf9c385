"""The import rules of the house: down only, rules without Django, bundle and run card rules without anything big."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
APPS = ("grading", "submissions", "leaderboard")
# What each app may not know of. The project package's own edges (celery, settings) are no app's business either.
FORBIDDEN = {"grading": ("submissions", "leaderboard"), "submissions": ("leaderboard",)}
EDGES = frozenset({"views", "api", "tasks", "admin", "urls", "forms", "management", "templatetags"})
# Pure modules: no Django, no Celery, no network, no clock, whatever they import.
RULES = (
    *(
        "grading/catalogue.py",
        "grading/leaderboard_csv.py",
        "grading/medals.py",
        "grading/shape.py",
        "grading/splits.py",
        "grading/verdict.py",
    ),
    *("grading/specs.py", "grading/spec_files.py", "grading/spec_rules.py", "grading/strict.py"),
    *("grading/families.py", "grading/usable.py"),
    *("grading/graders/**/*.py", "grading/sandbox/policy.py", "grading/sandbox/result.py"),
    *("grading/sandbox/oci.py", "grading/sandbox/gvisor_policy.py"),
    *("submissions/bundle/**/*.py", "submissions/run_card/**/*.py"),
    *("submissions/seeds.py", "submissions/claimed_report.py"),
    *("submissions/run_line.py", "submissions/run_grid.py"),
    *(
        "leaderboard/aggregation.py",
        "leaderboard/ranking.py",
        "leaderboard/shown.py",
        "leaderboard/run_marks.py",
        "leaderboard/compare/lines.py",
        "leaderboard/compare/medals.py",
        "leaderboard/compare/pairs.py",
        "leaderboard/charts/**/*.py",
        "leaderboard/statistics/**/*.py",
    ),
    *("leaderboard/cutoff_chart.py", "leaderboard/launcher/processes.py"),
    *(
        f"leaderboard/evidence/{name}.py"
        for name in (
            *("blocks", "clock", "facts", "files", "gather", "linear", "llm_ids", "patterns", "scan"),
            "signals",
        )
    ),
    *("leaderboard/integrity/chain.py", "leaderboard/integrity/checks/**/*.py"),
    "leaderboard/integrity/proposal.py",
    *(
        f"leaderboard/fingerprints/{name}.py"
        for name in ("hashes", "sketch", "content", "near", "read", "child")
    ),
    *(
        "leaderboard/lineage.py",
        "leaderboard/integrity/findings/traits.py",
        "leaderboard/integrity/findings/alike.py",
    ),
    *(
        f"leaderboard/code_similarity/{name}.py"
        for name in ("source", "tokens", "winnow", "overlap", "candidates", "fragments", "signals")
    ),
    *(
        f"leaderboard/second_reading/{name}.py"
        for name in ("questions", "pieces", "prompt", "answers", "budget", "signals")
    ),
    *(f"leaderboard/contamination/{name}.py" for name in ("tally", "groups", "pairs", "lines", "signals")),
    *("leaderboard/notices/kinds.py", "leaderboard/notices/hears.py", "leaderboard/notices/words.py"),
    *("leaderboard/notices/addresses.py", "leaderboard/notices/backoff.py"),
    "leaderboard/notices/signature.py",
)
IMPURE = ("django", "celery", "rest_framework", "socket", "httpx", "requests", "boto3", "kombu")
CLOCK = frozenset({"now", "today", "utcnow", "time", "time_ns", "monotonic", "perf_counter"})


def modules(pattern: str) -> list[Path]:
    return sorted(path for path in ROOT.glob(pattern) if "migrations" not in path.parts)


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Dotted names a module imports, wherever in it; relative ones from the root."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            name = ".".join([*above, *filter(None, [node.module])])
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


def with_all_it_imports(path: Path) -> set[Path]:
    """The module and, near and far, those of this repository it stands on. Bare packages above them left aside."""
    found: set[Path] = set()
    left = [path]
    while left:
        found.add(module := left.pop())
        places = [ROOT.joinpath(*name.split(".")) for name in imported(module)]
        files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
        left += [file for file in files if file.is_file() and file not in found]
    return found


@pytest.mark.parametrize("app", FORBIDDEN)
def test_imports_point_down(app: str) -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(f"{app}/**/*.py")
        for name in imported(path)
        if name.split(".")[0] in FORBIDDEN[app]
    ]
    assert upward == []


@pytest.mark.parametrize("pattern", RULES)
def test_rules_are_pure(pattern: str) -> None:
    found = modules(pattern)
    assert found, f"{pattern} names nothing: was the rule renamed?"
    impure = {
        f"{path.relative_to(ROOT)}: {module.relative_to(ROOT)} imports {name}"
        for path in found
        for module in with_all_it_imports(path)
        for name in imported(module)
        if name.split(".")[0] in IMPURE
    }
    assert impure == set()


@pytest.mark.parametrize("pattern", RULES)
def test_rules_do_not_look_at_the_clock(pattern: str) -> None:
    looks = [
        f"{path.relative_to(ROOT)}:{node.lineno} asks for {node.attr}"
        for path in modules(pattern)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in CLOCK
    ]
    assert looks == []


def test_nothing_below_the_edges_imports_an_edge() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for app in APPS
        for path in modules(f"{app}/**/*.py")
        if not EDGES & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}
        for name in imported(path)
        if name.split(".")[0] in APPS and EDGES & set(name.split(".")[1:])
    ]
    assert wrong == []


@pytest.mark.parametrize("module", ["submissions.bundle", "submissions.run_card"])
def test_client_rules_load_without_django(module: str) -> None:
    """The client wheel is built from these files: they must load where Django, Celery and NumPy are not installed."""
    code = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {{"django", "celery", "rest_framework", "numpy", "kombu"}}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
import {module}
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
