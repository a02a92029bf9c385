"""The benchmarks this version of the client knows: from the server's own files."""

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from .errors import ClientError
from .rules import Split

DEFAULT_BENCHMARK: Final = "mle-bench-v1"


def catalogue(kind: str) -> Traversable:
    """The folder of the catalogue's files: `benchmarks` or `competitions`."""
    return files(f"{__package__}._rules.grading") / kind


@cache
def list_benchmarks() -> tuple[str, ...]:
    """Their slugs, sorted."""
    names = (file.name for file in catalogue("benchmarks").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def splits_of(benchmark: str) -> dict[str, Split]:
    """The split of each member competition, by id. Raises ClientError for a benchmark not known here."""
    if benchmark not in list_benchmarks():
        raise ClientError(
            f"This version of the client does not know the benchmark '{benchmark}', only "
            f"{', '.join(list_benchmarks())}. Mend --benchmark, or update the client."
        )
    text = (catalogue("benchmarks") / f"{benchmark}.toml").read_text("utf-8")
    splits: dict[str, list[str]] = tomllib.loads(text)["splits"]
    return {competition: Split(split) for split, members in splits.items() for competition in members}
