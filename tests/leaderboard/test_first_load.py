"""What a reader fetches to see the board for the first time, compressed as it is sent."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from whitenoise.compress import Compressor

MOST_BYTES = 150_000
ASKED = re.compile(r'<(?:link rel="(?:stylesheet|icon)"|script|img)[^>]*?(?:href|src)="/static/([^"]+)"')


@pytest.mark.django_db
def test_the_board_of_the_benchmarks_history_is_light(client: Client) -> None:
    call_command("load_catalogue", verbosity=0)
    call_command("import_history", verbosity=0)
    html = client.get("/")
    files = {name: _file(name) for name in ASKED.findall(html.content.decode())}
    assert {path.suffix for path in files.values()} >= {".css", ".js"}
    sizes = {name: _compressed(path.read_bytes()) for name, path in files.items()}
    sizes["the page"] = _compressed(html.content)
    assert sum(sizes.values()) < MOST_BYTES, sizes
    assert "plotly" not in " ".join(sizes), "charts come only where they are shown"


def _file(name: str) -> Path:
    found = finders.find(name)
    assert isinstance(found, str), f"{name} is not there"
    return Path(found)


def _compressed(data: bytes) -> int:
    """Bytes as WhiteNoise writes them beside the file, and a proxy sends the page."""
    return len(Compressor.compress_gzip(data))
