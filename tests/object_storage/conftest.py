"""One server for all tests of this folder, and stores in it as one process or another may open them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from leaderboard.environment import Environment
from leaderboard.object_storage import file_stores
from tests.services.s3 import S3Server, s3

PART = 5 * 2**20


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "object_storage" in item.path.parts:
            item.add_marker("enable_socket")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3(tmp_path_factory.mktemp("s3")) as running:
        yield running


@pytest.fixture
def become(server: S3Server, settings: Any, tmp_path: Any) -> Callable[..., None]:
    """Stores as one process of the site has them, or, without its name, all of them with one key each."""

    def act_as(process: str = "", endpoint: str = "") -> None:
        env = Environment(server.environment(process, endpoint))
        static = settings.STORAGES["staticfiles"]
        settings.STORAGES = {**file_stores(env, tmp_path), "staticfiles": static}

    settings.UPLOAD_PART_BYTES = PART
    act_as()
    return act_as
