"""Which sandboxes a grading host uses, and what it records of them: warm, cold with the reason, or none at all."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from grading import host
from grading.models import GradingHost
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.host import this_host
from tests.factories import NOW

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


class GOOD:
    mode, bwrap_version, bwrap_path, probes = "user", "0.11.0", "/usr/bin/bwrap", ("uid",)
