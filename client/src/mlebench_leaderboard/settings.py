"""Which site, and with which token: options first, then the environment, then a file only its owner may read."""

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .errors import ClientError

APP = "mlebench-leaderboard"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
NO_SITE = "Which site? Give --url https://…, set MLEB_URL, or run `mlebench-leaderboard login --url https://…` once."


@dataclass
class Config:
    """What `login` remembers. Tokens belong to one origin each, so that none is ever sent to another site."""

    url: str = ""
    tokens: dict[str, str] = field(default_factory=dict)


def app_dir(variable: str, fallback: str) -> Path:
    """This program's folder under an XDG base directory, such as XDG_CONFIG_HOME."""
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / fallback) / APP


def config_path() -> Path:
    return app_dir("XDG_CONFIG_HOME", ".config") / "config.json"


def read_config() -> Config:
    """The stored settings; empty where there are none. Raises ClientError for a file that others may read."""
    path = config_path()
    try:
        mode = path.stat().st_mode
        plain = json.loads(path.read_text("utf-8"))
        found = Config(str(plain.get("url", "")), dict(plain.get("tokens", {})))
    except FileNotFoundError:
        return Config()
    except (ValueError, AttributeError, TypeError):
        raise ClientError(f"{path} is not what `login` writes. Delete it and log in again.") from None
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ClientError(f"{path} holds tokens and others may read it. Mend it with: chmod 600 {path}")
    return found


def write_config(config: Config) -> Path:
    """The file, which only its owner may read."""
    path = config_path()
    write_private(path, {"url": config.url, "tokens": config.tokens})
    return path


def write_private(path: Path, content: Mapping[str, Any]) -> None:
    """JSON in a file of mode 600, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent)  # Made with mode 600.
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
    Path(draft).replace(path)


def origin_of(url: str) -> str:
    """Scheme, host and port. Raises ClientError for what is no http address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ClientError(
            f"'{url}' is not the address of a site. Write it like https://leaderboard.example.org"
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def choose_site(given: str | None) -> str:
    """The site's address from the option, MLEB_URL or the file, without a path. Raises ClientError if there is none."""
    url = given or os.environ.get("MLEB_URL") or read_config().url
    if not url:
        raise ClientError(NO_SITE)
    return origin_of(url)


def choose_token(site: str) -> str | None:
    """MLEB_TOKEN, else the token stored for this very site."""
    return os.environ.get("MLEB_TOKEN") or read_config().tokens.get(site)


def require_safe(site: str) -> None:
    """Raises ClientError where a token would travel unencrypted to another machine."""
    parts = urlsplit(site)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ClientError(f"{site} is not encrypted, and your token would travel openly. Use https://…")
