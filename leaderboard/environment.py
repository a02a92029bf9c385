"""Reads settings from environment variables, refusing values that are not what they should be."""

from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"1", "yes", "true", "on"})
NO = frozenset({"0", "no", "false", "off"})


class Environment:
    """Typed access to variables that start with one prefix; errors name the variable and what it takes."""

    def __init__(self, variables: Mapping[str, str], prefix: str = "MLEB_") -> None:
        self.variables = variables
        self.prefix = prefix

    def text(self, name: str, default: str = "") -> str:
        return self.variables.get(self.prefix + name, default)

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        value = self.text(name, default)
        if value not in choices:
            raise self._refuse(name, value, "one of " + ", ".join(choices))
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name).lower()
        if not value:
            return default
        if value not in YES | NO:
            raise self._refuse(name, value, "yes or no")
        return value in YES

    def number(self, name: str, default: int, least: int = 0) -> int:
        value = self.text(name)
        if not value:
            return default
        if not value.isascii() or not value.isdigit() or int(value) < least:
            raise self._refuse(name, value, f"a whole number, {least} or more")
        return int(value)

    def words(self, name: str, default: str = "") -> list[str]:
        """Comma-separated words, blanks dropped."""
        return [word.strip() for word in self.text(name, default).split(",") if word.strip()]

    def path(self, name: str, default: Path) -> Path:
        value = self.text(name)
        if value and not value.startswith("/"):
            raise self._refuse(name, value, "an absolute path")
        return Path(value) if value else default

    def _refuse(self, name: str, value: str, wanted: str) -> ImproperlyConfigured:
        return ImproperlyConfigured(f"{self.prefix}{name}={value!r}: it takes {wanted}.")
