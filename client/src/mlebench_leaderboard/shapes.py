"""The shapes of competitions' answers, kept here so that CSVs can be checked without a connection."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .errors import Refused
from .http import Session
from .settings import app_dir, write_private

Shape = dict[str, Any]


class ShapeCache:
    """Shapes of one site, a file per competition, each with the ETag it came with."""

    def __init__(self, site: str) -> None:
        self._folder = (
            app_dir("XDG_CACHE_HOME", ".cache") / "shapes" / site.replace("://", "-").replace(":", "-")
        )

    def read(self, competition: str) -> Shape | None:
        """The shape on file, however old; None where there is none."""
        kept = self._kept(competition)
        return kept["shape"] if kept else None

    def fetch(self, session: Session, competition: str) -> Shape:
        """The site's present shape. Raises Refused where the site has none."""
        kept = self._kept(competition)
        headers = {"If-None-Match": kept["etag"]} if kept and kept["etag"] else {}
        answer = session.get(f"/api/v1/competitions/{quote(competition, safe='')}/shape", headers=headers)
        if answer.status_code == 304 and kept:
            return dict(kept["shape"])
        shape: Shape = answer.json()
        write_private(self._path(competition), {"etag": answer.headers.get("ETag", ""), "shape": shape})
        return shape

    def fetch_if_any(self, session: Session, competition: str) -> Shape | None:
        """The site's present shape; None where it has none."""
        try:
            return self.fetch(session, competition)
        except Refused as error:
            if error.status not in (404, 409):
                raise
            return None

    def _kept(self, competition: str) -> dict[str, Any] | None:
        try:
            kept = json.loads(self._path(competition).read_text("utf-8"))
            return {"etag": str(kept["etag"]), "shape": dict(kept["shape"])}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _path(self, competition: str) -> Path:
        return self._folder / f"{quote(competition, safe='')}.json"
