"""Which names and runs an archive has shown so far, and whether one more may stand beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .budget import Budget
from .layout import SEED, Kind, Place
from .names import find_name_faults, fingerprint, fold, split_name
from .problems import ArchiveFault, Code, Problem, shown, size_text
from .raw import RawKind, RawMember

ROOT_FOLDERS = (b".", b"./")


class Register:
    """Checks names, kinds and duplicates. Holds fingerprints only."""

    def __init__(self, budget: Budget, report: Callable[[Problem], None]) -> None:
        self._budget, self._report = budget, report
        self._count = self._name_bytes = 0
        self._files: dict[int, int] = {}
        self._folders: set[int] = set()
        self._runs: set[int] = set()
        self._checkpoints: Counter[int] = Counter()
        self._seeds: set[str] = set()

    def admit(self, raw: RawMember) -> str | None:
        """The member's name; None if it is refused, and reported, or the root. Raises ArchiveFault."""
        self._spend(raw)
        if raw.kind is RawKind.FOLDER and raw.name in ROOT_FOLDERS:
            return None
        name = self._decode(raw.name)
        if name is None or not self._admit_name(name) or not self._admit_kind(name, raw.kind):
            return None
        return name if self._admit_once(name, raw.kind) else None

    def admit_run(self, name: str, place: Place) -> bool:
        """Whether the seed's label is well formed and, for predictions, this run was not met before."""
        if place.seed and not SEED.fullmatch(place.seed):
            self._refuse(
                Code.BAD_SEED,
                name,
                f"lies in '{shown(place.seed)}', which cannot be a seed's label. "
                "Use up to 64 letters, digits, '.', '_' and '-', starting with a letter or digit",
            )
            return False
        self._admit_seed(place.seed)
        if place.kind not in (Kind.SUBMISSION, Kind.CHECKPOINT):
            return True
        run = fingerprint(f"{place.seed}/{place.competition_id}/{place.checkpoint_hours}".encode())
        if run in self._runs:
            self._refuse(
                Code.DUPLICATE_RUN,
                name,
                "is a second file of predictions for the same seed and competition. "
                "Keep one, or put each repetition under its own seed or run group",
            )
            return False
        self._runs.add(run)
        if place.kind is Kind.CHECKPOINT:
            self._count_checkpoint(place)
        return True

    def _admit_seed(self, seed: str | None) -> None:
        """Counts seeds, and run groups alike: which of them are one seed only the run card says."""
        if seed is None:
            return
        self._seeds.add(seed)
        if len(self._seeds) > self._budget.seeds:
            raise ArchiveFault(
                Code.TOO_MANY_SEEDS,
                f"The bundle has more than {self._budget.seeds} seeds or run groups. Put all competitions of one "
                "seed into one folder, and hand in fewer seeds; say on the run card how many were run.",
            )

    def _count_checkpoint(self, place: Place) -> None:
        run = fingerprint(f"{place.seed}/{place.competition_id}".encode())
        self._checkpoints[run] += 1
        if self._checkpoints[run] > self._budget.checkpoints:
            raise ArchiveFault(
                Code.TOO_MANY_CHECKPOINTS,
                f"The bundle has more than {self._budget.checkpoints} checkpoints of one run. Hand in fewer, "
                "such as one for each hour.",
            )

    def _spend(self, raw: RawMember) -> None:
        self._count += 1
        self._name_bytes += len(raw.name)
        if self._count > self._budget.members:
            raise ArchiveFault(
                Code.TOO_MANY_MEMBERS,
                f"The archive has more than {self._budget.members} files and folders. Leave out logs and "
                "code you do not need to show, or pack each run's logs into one file.",
            )
        if self._name_bytes > self._budget.paths_bytes:
            raise ArchiveFault(
                Code.PATHS_TOO_LONG,
                f"The names in the archive take more than {size_text(self._budget.paths_bytes)} together. "
                "Shorten them, or leave files out.",
            )

    def _decode(self, raw_name: bytes) -> str | None:
        try:
            return raw_name.decode()
        except UnicodeDecodeError:
            name = raw_name.decode("utf-8", "backslashreplace")
            self._refuse(
                Code.NAME_NOT_UTF8, name, "has a name that is not UTF-8. Rename it with plain letters"
            )
            return None

    def _admit_name(self, name: str) -> bool:
        faults = list(find_name_faults(name, self._budget.path_bytes))
        for code, message in faults:
            self._refuse(code, name, message)
        return not faults

    def _admit_kind(self, name: str, kind: RawKind) -> bool:
        if kind in (RawKind.FILE, RawKind.FOLDER):
            return True
        self._refuse(
            Code(kind.value),
            name,
            f"is no plain file ({kind}). Put the file itself there (tar --dereference)",
        )
        return False

    def _admit_once(self, name: str, kind: RawKind) -> bool:
        path = "/".join(split_name(name))
        exact, folded = fingerprint(path.encode()), fingerprint(fold(path).encode())
        earlier = self._files.get(folded)
        if kind is RawKind.FOLDER and earlier is None:
            self._folders.add(exact)
            return True
        if earlier is None and exact not in self._folders:
            self._files[folded] = exact
            return True
        if earlier in (None, exact):
            self._refuse(
                Code.DUPLICATE_MEMBER, name, "is in the archive twice. Pack it anew, not by appending"
            )
        else:
            self._refuse(
                Code.COLLIDING_MEMBER,
                name,
                "differs from another name only in case or accents' encoding. Rename it",
            )
        return False

    def _refuse(self, code: Code, name: str, message: str) -> None:
        self._report(Problem(code, shown(name), f"'{shown(name)}' {message}."))
