"""The client's version, as the site's log sees it."""

from typing import Final

VERSION: Final = "0.1.0"
