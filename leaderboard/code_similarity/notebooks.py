"""Loading notebooks that were published for a competition, to compare code with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grading.models import Competition
from leaderboard.code_similarity.signals import ENOUGH_TOKENS
from leaderboard.code_similarity.source import NoCode, code_in, is_code
from leaderboard.code_similarity.tokens import tokens_of
from leaderboard.code_similarity.winnow import pack, winnow
from leaderboard.models import CodeFile


@dataclass(frozen=True)
class LoadedNotebook:
    """What became of one file: `loaded`, `known`, or the reason why it is of no use."""

    path: str
    outcome: str

    @property
    def is_refused(self) -> bool:
        return self.outcome not in ("loaded", "known")


def find_notebooks(folder: Path) -> list[Path]:
    """Scripts and notebooks in the folder and below, by path; links are not followed."""
    return sorted(path for path in folder.rglob("*") if is_code(path.name) and path.is_file())


def load_notebooks(
    competition: Competition, folder: Path, paths: Iterable[Path], now: datetime
) -> Iterable[LoadedNotebook]:
    """Remembers each, one at a time. What is known already stays as it is."""
    for path in paths:
        name = str(path.relative_to(folder))
        yield LoadedNotebook(name, _load(competition, path, name, now))


def _load(competition: Competition, path: Path, name: str, now: datetime) -> str:
    try:
        code = code_in(name, path.read_bytes())
    except NoCode as error:
        return str(error)
    tokens = tokens_of(code)
    if len(tokens) < ENOUGH_TOKENS:
        return f"only {len(tokens)} tokens of code, fewer than the {ENOUGH_TOKENS} that count"
    _, is_new = CodeFile.objects.get_or_create(
        submission=None,
        competition=competition,
        digest=tokens.digest,
        defaults={
            "name": name[: CodeFile._meta.get_field("name").max_length],
            "text": code,
            "tokens": len(tokens),
            "prints": pack(winnow(tokens)[0]),
            "read_at": now,
        },
    )
    return "loaded" if is_new else "known"
