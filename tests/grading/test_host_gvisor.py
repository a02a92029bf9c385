"""A grading host told to use gVisor: it does so, or grades nothing."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from grading import host
from grading.models import GradingHost
from grading.sandbox import gvisor
from grading.sandbox.errors import SandboxUnavailable
from grading.sandbox.host import this_host
from tests.factories import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox, pytest.mark.enable_socket]


@pytest.fixture(autouse=True)
def chosen(settings: Any) -> Iterator[None]:
    settings.SANDBOX = "gvisor"
    host.end_pool()
    yield
    host.end_pool()


@pytest.mark.skipif(
    not shutil.which("runsc", path=gvisor.PLACES), reason="gVisor is missing: apt-get install runsc"
)
def test_containers_where_all_probes_hold() -> None:
    pool = host.isolated_pool(NOW, 42)
    recorded = GradingHost.objects.get()
    assert (pool.kind, recorded.is_isolated, recorded.reason) == ("gvisor", True, "")
    assert recorded.mode == f"{this_host().mode}, gvisor"
    assert "runsc" in recorded.sandbox_version
    assert recorded.sandbox_path.endswith("runsc")
    assert {"network", "kernel", "memory_file"} <= set(recorded.probes)


def test_nothing_less_where_gvisor_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although bubblewrap would do."""
    monkeypatch.setattr(gvisor, "PLACES", "/nonexistent")
    _refuses("was not found")


def test_nothing_less_where_a_probe_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Any:
        raise SandboxUnavailable("The sandbox does not hold: kernel.", "Mend it.")

    monkeypatch.setattr(host, "GVisorPool", lambda slot: None)
    monkeypatch.setattr(host, "check_containers", fail)
    _refuses("does not hold: kernel")


def _refuses(reason: str) -> None:
    with pytest.raises(SandboxUnavailable, match=reason):
        host.isolated_pool(NOW, 42)
    recorded = GradingHost.objects.get()
    assert not recorded.is_isolated
    assert reason in recorded.reason
