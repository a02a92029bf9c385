"""How much a row discloses of what readers compare it by: the same questions for graded and imported rows. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

Row = Mapping[str, Any]


def _says(name: str) -> Callable[[Row], bool]:
    return lambda row: row[name] is not None


# 0 and "none" are answers.
QUESTIONS: Mapping[str, Callable[[Row], bool]] = {
    "LLM": lambda row: bool(row["llms"] or row["no_llm"]),
    "version": _says("version"),
    "hours": _says("hours"),
    "GPU": lambda row: row["gpus"] is not None or row["gpu_model"] is not None,
    "vCPUs": _says("vcpus"),
    "RAM": _says("ram_gb"),
    "cost": _says("cost_usd"),
    "code": _says("source_available"),
}


def find_disclosed(row: Row) -> dict[str, Any]:
    """How many of the questions the row answers, and those it does not."""
    missing = [name for name, is_answered in QUESTIONS.items() if not is_answered(row)]
    return {"answered": len(QUESTIONS) - len(missing), "total": len(QUESTIONS), "missing": missing}
