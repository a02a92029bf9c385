"""Imports for gradings: all that graders need, and nothing that they only might."""

from __future__ import annotations

import importlib
import importlib.abc
import pkgutil
import sys


class Hidden(importlib.abc.MetaPathFinder):
    """pandas. pyarrow would load it where it happens to be installed: seconds, and twice the memory to copy."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide_pandas() -> None:
    sys.meta_path.insert(0, Hidden())


def import_graders() -> None:
    """Every grader, and with them numpy and pyarrow."""
    graders = importlib.import_module("grading.graders")
    for module in pkgutil.iter_modules(graders.__path__, "grading.graders."):
        importlib.import_module(module.name)
