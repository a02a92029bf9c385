"""That nothing is skipped unseen where everything is required."""

import pytest

from tests.conftest import fail_if_required


def skipped() -> pytest.TestReport:
    where = ("tests/test_x.py", 3, "Skipped: no Chromium here")
    return pytest.TestReport("tests/test_x.py::test", where, {}, "skipped", where, "setup")


def test_a_skip_fails_where_all_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_ALL", "1")
    report = fail_if_required(skipped())
    assert report.failed
    assert "no Chromium here" in str(report.longrepr)


def test_a_skip_is_a_skip_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REQUIRE_ALL", raising=False)
    assert fail_if_required(skipped()).skipped
