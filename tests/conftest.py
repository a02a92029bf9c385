"""What every test stands on: files in a folder of its own, a private cache, a fast hasher, no broker.

With REQUIRE_ALL set (`.ci/run`) a part that is missing fails its tests instead of skipping them.
"""

import gc
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.conf import settings as configured
from django.core.cache import caches
from pytest_socket import enable_socket

from tests.bucket_folder import bucket_stores
from tests.databases import own_database
from tests.services.s3 import S3Server, s3
from tests.slots import own_slots

# A folder of somebody's own competitions is no part of what is tested.
os.environ.pop("MLEB_CATALOGUE", None)
FILES = "django.core.files.storage.FileSystemStorage"
# What is there when the first test begins stays to the end. To look through all of it for garbage again and again is a
# fifth of the time that finding the tests takes.
gc.disable()
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--on-services",
        action="store_true",
        help="only what comes to a database, a store or a broker: the rest is the same on all of them",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return fail_if_required((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return fail_if_required((yield))


def fail_if_required(report: Report) -> Report:
    """The report, turned into a failure where it is a skip and nothing may be left out."""
    if os.environ.get("REQUIRE_ALL") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped while REQUIRE_ALL is set, and this was: {reason}"
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return import_module("tests.spreading").ByPlace(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what only root can do for whoever is not root. That is no skip: it runs as it is elsewhere.

    Tests that start a whole site come first: they wait a lot, and the others fill the time. Only without xdist's own
    order by size (`--no-loadscope-reorder`), which would put them last.
    """
    items.sort(key=lambda item: item.get_closest_marker("site") is None)
    for item in items:
        if item.get_closest_marker("site"):
            item.add_marker("enable_socket")  # For starting it, and the services under it.
    if config.getoption("on_services"):
        _leave_out(config, items, lambda item: not _comes_to_services(item))
    if os.geteuid() != 0:
        _leave_out(config, items, lambda item: bool(item.get_closest_marker("as_root")))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()


def _leave_out(
    config: pytest.Config, items: list[pytest.Item], is_left_out: Callable[[pytest.Item], bool]
) -> None:
    left_out = [item for item in items if is_left_out(item)]
    items[:] = [item for item in items if not is_left_out(item)]
    config.hook.pytest_deselected(items=left_out)


def _comes_to_services(item: pytest.Item) -> bool:
    """A test that brings services of its own does the very same whatever the others run on."""
    if item.get_closest_marker("own_services"):
        return False
    marked = any(item.get_closest_marker(name) for name in ("django_db", "site", "browser"))
    return marked or bool({"db", "transactional_db"} & set(getattr(item, "fixturenames", ())))


def _stores(root: Path) -> dict[str, dict[str, Any]]:
    stores = {
        name: {"BACKEND": FILES, "OPTIONS": {"location": root / name}}
        for name in configured.STORAGES
        if name != "staticfiles"
    }
    # The manifest of the real one only exists after collectstatic.
    return {**stores, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


@pytest.fixture(scope="session", autouse=True)
def process_slots() -> Iterator[None]:
    with own_slots():
        yield


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture
def own_stores(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, dict[str, Any]]:
    """Of one test: folders; on services (`make test ON=services`) folders of buckets, which takes sockets."""
    if os.environ.get("TEST_STORAGE") != "s3":
        return _stores(tmp_path)
    enable_socket()
    server = request.getfixturevalue("s3_server")
    return {**_stores(tmp_path), **bucket_stores(server, tmp_path)}


@pytest.fixture(autouse=True)
def own_place(settings: Any, tmp_path: Path, own_stores: dict[str, dict[str, Any]]) -> Iterator[None]:
    """Files, cache and passwords of one test are gone, or cheap, in the next."""
    settings.VAR_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path  # WhiteNoise warns where there is none.
    settings.STORAGES = own_stores
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(tmp_path)}
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.BOARD_CHECK_S = 0  # What one line changes, the next one sees.
    import_module("leaderboard.kept_answers").forget()
    yield
    caches["default"].clear()


@pytest.fixture(autouse=True)
def tracks_there(request: pytest.FixtureRequest) -> None:
    """A test that commits empties every table behind it, also of the tracks that a migration puts there."""
    marker = request.node.get_closest_marker("django_db")
    if marker is None and "db" not in request.fixturenames:
        return
    commits = marker is not None and marker.kwargs.get("transaction")
    request.getfixturevalue("transactional_db" if commits else "db")
    tracks = apps.get_model("leaderboard", "Track")
    if not tracks.objects.exists():
        import_module("leaderboard.migrations.0002_tracks").add_tracks(apps, None)


@pytest.fixture(autouse=True)
def rings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[Any, ...]]]:
    """Task and arguments of every ring, in place of a broker.

    Rings go out on commit, which an ordinary test never reaches: wrap the call in
    `django_capture_on_commit_callbacks(execute=True)`, or mark the test `django_db(transaction=True)`.
    """
    sent: list[tuple[str, tuple[Any, ...]]] = []

    def send(
        self: object, name: str, args: Any = (), kwargs: Mapping[str, Any] | None = None, **_: Any
    ) -> None:
        sent.append((name, tuple(args or ())))

    monkeypatch.setattr("celery.app.base.Celery.send_task", send)
    return sent


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """In place of migrating anew for every process. SQLite in a file, as in the default start: in memory, threads
    of one test would share a connection."""
    with django_db_blocker.unblock(), own_database(tmp_path_factory.mktemp("database")):
        yield
