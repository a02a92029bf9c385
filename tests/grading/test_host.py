"""Which sandboxes a grading host uses, and what it records of them: warm, cold with the reason, or none at all."""

import sysconfig
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from grading import host
from grading.grade import request_grading
from grading.models import Blob, GradingHost
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.host import this_host
from grading.tasks import grade
from leaderboard.machinery import grading_hosts
from tests.factories import NOW, make_competition

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox, pytest.mark.enable_socket]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    host.end_pool()
    yield
    host.end_pool()


def fail(error: Exception) -> Any:
    def raise_it(*_: object, **__: object) -> None:
        raise error

    return raise_it


def test_warm_where_all_probes_hold() -> None:
    pool = host.isolated_pool(NOW, 20)
    recorded = GradingHost.objects.get()
    assert (pool.kind, recorded.is_isolated, recorded.reason) == ("warm", True, "")
    assert recorded.mode == f"{this_host().mode}, warm"
    assert {"network", "warm: network", "warm: sibling"} <= set(recorded.probes)
    assert host.isolated_pool(NOW + host.CANARY_EVERY, 20) is pool


@pytest.mark.parametrize("error", [SandboxUnavailable("No nesting.", "Allow it."), SandboxError("Lost.")])
def test_cold_where_the_walls_cannot_be_had(error: SandboxError, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "check_walls", fail(error))
    pool = host.isolated_pool(NOW, 20)
    recorded = GradingHost.objects.get()
    assert (pool.kind, recorded.is_isolated) == ("cold", True)
    assert recorded.mode == f"{this_host().mode}, cold"
    assert recorded.reason.startswith("Each grading starts a sandbox of its own")
    assert str(error) in recorded.reason
    assert not [probe for probe in recorded.probes if probe.startswith("warm")]


def test_none_where_nothing_is_isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "check_isolation", fail(SandboxUnavailable("No namespaces.", "Allow them.")))
    with pytest.raises(SandboxUnavailable, match="No namespaces"):
        host.isolated_pool(NOW)
    recorded = GradingHost.objects.get()
    assert (recorded.is_isolated, recorded.probes) == (False, [])


def test_the_canary_runs_again_after_an_hour_and_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(host, "check_walls", lambda pool, slot: asked.append(slot) or ("uid",))
    monkeypatch.setattr(host, "check_isolation", lambda slot: GOOD)
    late = NOW + host.CANARY_EVERY + timedelta(seconds=1)
    for now in (NOW, NOW + host.CANARY_EVERY, late):
        host.isolated_pool(now, 21)
    assert asked == [21, 21]
    host.end_pool()
    host.isolated_pool(late, 21)
    assert asked == [21, 21, 21]


def test_a_planted_fault_turns_the_host_red_and_leaves_gradings_queued(
    monkeypatch: pytest.MonkeyPatch, planted: Path
) -> None:
    """Really: the canary's secret lies where every sandbox can read it."""
    competition = make_competition()
    blob = Blob.objects.create(realm="r", sha256="0" * 64, size=1, key="k")
    waiting = request_grading(blob, competition.pk, ("a.task", "x"), NOW)
    with monkeypatch.context() as changed:
        changed.setattr(tempfile, "tempdir", str(planted))
        with pytest.raises(SandboxUnavailable, match="reads a file of the host"):
            grade(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    (red,) = grading_hosts(timezone.now())
    assert "secret_file: reads a file of the host" in red.trouble
    host.isolated_pool(timezone.now(), 22)
    (green,) = grading_hosts(timezone.now())
    assert green.is_well


@pytest.fixture
def planted() -> Iterator[Path]:
    """A folder among the files that a sandbox must see, which are the interpreter's."""
    with tempfile.TemporaryDirectory(prefix="planted-", dir=sysconfig.get_path("purelib")) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


class GOOD:
    mode, version, path, probes = "user", "0.11.0", "/usr/bin/bwrap", ("uid",)
