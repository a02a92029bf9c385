"""The version of the graders: a digest of their source, so that it changes exactly when the code does."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def grader_version() -> str:
    """Twelve hexadecimal digits over the names and bytes of the modules in this folder."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        source = path.read_bytes()
        digest.update(f"{path.name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:12]


GRADER_VERSION = grader_version()
