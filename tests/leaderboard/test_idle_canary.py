"""A worker without work runs its canary all the same, hourly and no more often."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from grading import host as grading_host
from grading.models import GradingHost
from grading.sandbox.errors import SandboxError, SandboxUnavailable
from leaderboard import idle_canary
from leaderboard.health.probes import check_grading
from leaderboard.machinery import STALE_AFTER
from submissions.models import ValidityHost
from submissions.validity import host as validity_host
from tests.factories import NOW

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


class Report:
    mode, version, path, probes = "user", "0.11.0", "/usr/bin/bwrap", ("uid",)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[int]:
    """The slots in which canaries ran; those are tested where sandboxes are."""
    slots: list[int] = []
    settings.GRADING_SLOTS = 3

    def check(slot: int = 0) -> type[Report]:
        slots.append(slot)
        return Report

    for host in (grading_host, validity_host):
        monkeypatch.setattr(host, "check_isolation", check)
    monkeypatch.setattr(grading_host, "check_walls", lambda pool, slot: ("uid",))
    monkeypatch.setattr(validity_host, "_require_no_vault", lambda: None)
    monkeypatch.setattr(connection, "close", lambda: None)
    return slots


@pytest.mark.parametrize(("kind", "slot"), [("grading", 3), ("validity", validity_host.FIRST_SLOT)])
def test_once_an_hour_in_a_slot_of_its_own(kind: str, slot: int, asked: list[int]) -> None:
    for after in (timedelta(0), HOUR / 2, HOUR, HOUR * 1.5):
        idle_canary.look(kind, NOW + after)
    assert asked == [slot, slot]


def test_a_day_without_work_stays_green() -> None:
    for hour in range(25):
        idle_canary.look("grading", NOW + hour * HOUR)
    now = NOW + 24 * HOUR + STALE_AFTER
    assert check_grading(now) == ""
    assert check_grading(now + timedelta(seconds=1)) != ""


@pytest.mark.parametrize(
    ("kind", "row"),
    [("grading", GradingHost.objects.get), ("validity", ValidityHost.objects.get)],
)
def test_a_canary_that_does_not_hold_turns_the_host_red(
    kind: str, row: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(slot: int = 0) -> None:
        raise SandboxUnavailable("No namespaces.", "Allow them.")

    for host in (grading_host, validity_host):
        monkeypatch.setattr(host, "check_isolation", fail)
    idle_canary.look(kind, NOW)
    assert (row().is_isolated, row().checked_at) == (False, NOW)


@pytest.mark.parametrize("fault", [SandboxError("Lost."), OSError(28, "full")])
def test_a_fault_that_may_pass_ends_nothing(
    fault: Exception, monkeypatch: pytest.MonkeyPatch, asked: list[int]
) -> None:
    def fail(slot: int = 0) -> None:
        raise fault

    with monkeypatch.context() as broken:
        broken.setattr(grading_host, "check_isolation", fail)
        idle_canary.look("grading", NOW)
    idle_canary.look("grading", NOW)
    assert asked == [3]
    assert GradingHost.objects.get().is_isolated
