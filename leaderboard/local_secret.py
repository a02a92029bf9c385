"""The secret key of the quick start."""

import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def local_secret_key(var: Path) -> str:
    """The key kept in `var/secret_key`, made on first use. Safe when several processes start together."""
    path = var / "secret_key"
    if not path.exists():
        draft = path.with_name(f"secret_key.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(get_random_secret_key())
        try:
            os.link(draft, path)  # Fails where another process was first: then its key is the key.
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
