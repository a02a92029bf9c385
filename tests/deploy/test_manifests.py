"""That what `deploy/` names is there: variables, commands, images, files. Nothing here starts a container."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from leaderboard.celery import app
from leaderboard.launcher.processes import GUNICORN, WORKER, site_processes
from tests.leaderboard.test_running_docs import documented

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
# Of the images of others, and of the launcher, which documents it for itself.
OTHERS = {
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "RABBITMQ_DEFAULT_USER",
    "RABBITMQ_DEFAULT_PASS",
    "RABBITMQ_PASSWORD",
}
NOT_SETTINGS = {"MLEB_PROCESS", "MLEB_ROLE", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PATH"}
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


@cache
def documents(path: Path) -> list[Any]:
    """Read once: every process that runs tests collects the parameters below. Not to be changed."""
    return [each for each in yaml.safe_load_all(path.read_text()) if each]


def compose() -> Any:
    return documents(DEPLOY / "docker/compose.yaml")[0]


def kubernetes() -> Iterator[Any]:
    for path in sorted(KUBERNETES.glob("*.yaml")):
        yield from documents(path)


def workloads() -> dict[str, Any]:
    """By name the pod of every Deployment and Job."""
    kinds = ("Deployment", "Job")
    return {
        each["metadata"]["name"]: each["spec"]["template"] for each in kubernetes() if each["kind"] in kinds
    }


def container(name: str) -> Any:
    (found,) = workloads()[name]["spec"]["containers"]
    return found


def named_variables() -> set[str]:
    names = {name for service in compose()["services"].values() for name in service.get("environment") or {}}
    for pod in workloads().values():
        names |= {each["name"] for each in pod["spec"]["containers"][0]["env"]}
    for each in kubernetes():
        names |= set(each.get("data", {})) if each["kind"] == "ConfigMap" else set()
    for unit in UNITS:
        for line in re.findall(r"^Environment=(.*)$", unit.read_text(), re.M):
            names |= {word.partition("=")[0] for word in line.split()}
    names |= set(
        re.findall(
            r"\b([A-Z][A-Z_]{3,})=",
            " ".join(re.findall(r"^ENV (?:.|\\\n)*", (DEPLOY / "docker/Dockerfile").read_text(), re.M)),
        )
    )
    return names


def test_every_variable_is_in_the_documents() -> None:
    assert named_variables() - OTHERS - NOT_SETTINGS <= documented()
    assert {"MLEB_VAULT", "MLEB_SIGNING_DIR", "DATABASE_URL"} <= named_variables()


def all_commands() -> dict[str, list[str]]:
    """By place and name what each process runs."""
    found = {
        f"compose {name}": each["command"]
        for name, each in compose()["services"].items()
        if "leaderboard" in str(each.get("command")) or "manage.py" in str(each.get("command"))
    }
    found |= {f"kubernetes {name}": container(name)["command"] for name in workloads()}
    for unit in UNITS:
        (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.M)
        found[unit.name] = [Path(line.split()[0]).name, *line.replace("%%h", "%h").split()[1:]]
    return found


@pytest.mark.parametrize("words", all_commands().values(), ids=all_commands())
def test_every_command_exists(words: list[str]) -> None:
    if words[:2] == ["python", "manage.py"]:
        assert words[2] in get_commands()
    elif words[0] == "celery":
        assert words[1:3] == ["-A", "leaderboard"]
        assert set(words[words.index("-Q") + 1].split(",")) <= known_queues()
    else:
        assert words[0] == "gunicorn"
        assert words[words.index("--worker-class") + 1] == WORKER
        assert [word for word in GUNICORN if word.startswith("--")][:1] == ["--workers"]


def known_queues() -> set[str]:
    routed = {route["queue"] for route in app.conf.task_routes.values()}
    return routed | {"housekeeping", "clock"}


def test_each_place_starts_every_process_of_the_launcher() -> None:
    """And the clock once."""
    wanted = {spec.name for spec in site_processes("python", Path("/"), 1, 1)}
    assert wanted <= set(workloads())
    assert wanted <= set(compose()["services"])
    assert wanted <= {unit.stem.removeprefix("mle-bench-") for unit in UNITS}
    for place in ("compose", "kubernetes", "mle-bench"):
        assert sum("--beat" in words for name, words in all_commands().items() if name.startswith(place)) == 1


def test_every_queue_has_a_worker() -> None:
    for place in ("compose", "kubernetes", "mle-bench"):
        commands = [words for name, words in all_commands().items() if name.startswith(place)]
        served = {q for words in commands if "-Q" in words for q in words[words.index("-Q") + 1].split(",")}
        assert served | {"grading", "validity"} >= known_queues(), place


@pytest.mark.parametrize("name", ["web", "intake", "housekeeping", "notices", "evidence", "validity"])
def test_the_vault_is_for_grading_alone(name: str) -> None:
    mounts = [each["mountPath"] for each in container(name)["volumeMounts"]]
    assert "/vault" not in mounts
    assert not [each for each in compose()["services"][name].get("volumes", []) if each.startswith("vault:")]
    unit = (DEPLOY / f"systemd/mle-bench-{name}.service").read_text()
    assert re.search(r"^InaccessiblePaths=.*-/var/lib/mle-bench/vault", unit, re.M)


@pytest.mark.parametrize("name", ["web", "intake", "notices", "evidence", "validity", "grading"])
def test_signing_keys_are_for_housekeeping_alone(name: str) -> None:
    assert "/signing" not in [each["mountPath"] for each in container(name)["volumeMounts"]]
    assert not [
        each for each in compose()["services"][name].get("volumes", []) if each.startswith("signing:")
    ]
    unit = (DEPLOY / f"systemd/mle-bench-{name}.service").read_text()
    assert re.search(r"^InaccessiblePaths=.*-/var/lib/mle-bench/signing", unit, re.M)


def test_grading_reaches_nothing_outside() -> None:
    policies = [each["spec"] for each in kubernetes() if each["kind"] == "NetworkPolicy"]
    for labels in ({"app": "grading", "part-of": "mle-bench"}, {"app": "validity", "part-of": "mle-bench"}):
        hits = [p for p in policies if p["podSelector"].get("matchLabels", {}).items() <= labels.items()]
        assert len(hits) == 2
        assert "ipBlock" not in json.dumps(hits)
    assert compose()["networks"]["inside"]["internal"] is True
    for name in ("grading", "validity", "intake", "evidence"):
        assert compose()["services"][name]["networks"] == ["inside"]


def test_every_user_of_systemd_is_another() -> None:
    users = [re.findall(r"^User=(.*)$", unit.read_text(), re.M) for unit in UNITS]
    assert len({user for (user,) in users}) == len(UNITS)


def test_units_are_what_systemd_takes() -> None:
    """All it complains of is that the programs are not installed here."""
    if not shutil.which("systemd-analyze"):
        pytest.fail("systemd-analyze is missing: it comes with systemd")
    argv = ["systemd-analyze", "verify", *map(str, UNITS)]
    told = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120).stderr.splitlines()
    assert [line for line in told if "mle-bench" in line and "is not executable" not in line] == []


def test_what_kustomize_names_is_there() -> None:
    (main,) = documents(KUBERNETES / "kustomization.yaml")
    assert {path.name for path in KUBERNETES.glob("*.yaml")} == {*main["resources"], "kustomization.yaml"}
    images = {each["name"] for each in main["images"]}
    assert {container(name)["image"] for name in workloads()} == images
    targets = re.findall(r"^FROM base AS (\w+)$", (DEPLOY / "docker/Dockerfile").read_text(), re.M)
    assert images == {f"mle-bench-leaderboard/{target}" for target in targets}


def test_what_images_copy_is_there() -> None:
    text = (DEPLOY / "docker/Dockerfile").read_text()
    for source in re.findall(r"^COPY (\S+) ", text, re.M):
        assert (ROOT / source).exists(), source
