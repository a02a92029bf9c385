"""Sorting an archive's members: kept, ignored or refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from .decoders import GZIP, ZSTD
from .documents import Documents
from .expand import expanded
from .layout import Kind, Layout, Place, is_noise
from .manifest import IgnoredMember, KeptMember, Member, MemberSink
from .meter import Expansion, Meter
from .names import split_name
from .problems import ArchiveFault, Code, MemberFault, Problem, shown, size_text
from .raw import RawKind, RawMember
from .register import Register
from .window import Window

CODECS = {"gzip": GZIP, "zstd": ZSTD}
# Looking for the nearest competition takes a millisecond each; nobody reads more.
MAX_HINTS = 200


class Collector:
    """Takes members one by one, and notes problems. Raises ArchiveFault where reading cannot go on."""

    def __init__(self, layout: Layout, meter: Meter, keep: Callable[[KeptMember], MemberSink]) -> None:
        self._layout, self._meter, self._keep = layout, meter, keep
        self._register = Register(meter.budget, self.report)
        self._sinks: list[MemberSink] = []
        self.documents = Documents(meter.budget)
        self.problems: list[Problem] = []
        self.members: list[Member] = []
        self.ignored: list[IgnoredMember] = []
        self.tops: set[str | None] = set()
        self.run_groups: set[str] = set()

    def report(self, problem: Problem) -> None:
        if len(self.problems) >= self._meter.budget.problems:
            raise ArchiveFault(
                Code.TOO_MANY_PROBLEMS,
                f"There are more than {self._meter.budget.problems} problems. Mend these first.",
            )
        self.problems.append(problem)

    def take(self, raw: RawMember) -> None:
        """Keep, ignore or refuse one member. What is not read here is left in `raw.pieces`."""
        name = self._register.admit(raw)
        if name is None or raw.kind is not RawKind.FILE:
            return
        self._check_declared_size(name, raw)
        parts = split_name(name)
        place = None if is_noise(parts) else self._layout.find_place(parts)
        if place is None:
            self.ignore(name, self._layout.explain(parts, hint=len(self.ignored) < MAX_HINTS))
        elif place.kind in (Kind.RUN_CARD, Kind.GRADING_REPORT):
            self._take_document("/".join(parts), place, raw)
        elif self._register.admit_run(name, place):
            self._take_file("/".join(parts), place, raw)

    def ignore(self, path: str, reason: str) -> None:
        self.ignored.append(IgnoredMember(shown(path), reason))

    def abort(self) -> None:
        for sink in self._sinks:
            sink.abort()

    def _take_document(self, path: str, place: Place, raw: RawMember) -> None:
        if not self.documents.has_room(place.top):
            self.ignore(path, "not at the top of the bundle")
            return
        try:
            self.documents.hold(place.kind, path, place.top, raw.pieces)
        except MemberFault as fault:
            self.report(fault.problem)

    def _take_file(self, path: str, place: Place, raw: RawMember) -> None:
        if place.seed:
            self.tops.add(place.top)
        if place.in_run_group and place.seed:
            self.run_groups.add(place.seed)
        fields = (path, place.kind, place.seed, place.competition_id, place.checkpoint_hours)
        sink = self._keep(KeptMember(*fields, place.compression))
        self._sinks.append(sink)
        try:
            size, sha256 = self._pour(path, self._content(path, place, raw), sink)
        except MemberFault as fault:
            self.report(fault.problem)
            return
        sink.close()
        self.members.append(Member(*fields, size, sha256, place.compression))

    def _pour(self, path: str, pieces: Iterator[bytes], sink: MemberSink) -> tuple[int, str]:
        digest, size = hashlib.sha256(), 0
        for piece in pieces:
            size += len(piece)
            self._check_size(path, size)
            digest.update(piece)
            sink.write(piece)
        return size, digest.hexdigest()

    def _content(self, path: str, place: Place, raw: RawMember) -> Iterator[bytes]:
        """The member's bytes, predictions decompressed: equal predictions become equal blobs."""
        if place.compression == "none":
            return raw.pieces
        expansion = Expansion(self._meter, shown(path), Code.NESTED_RATIO_EXCEEDED)
        codec = CODECS[place.compression]
        return expanded(Window(raw.pieces), codec, self._meter.budget, expansion, _nested_fault(path))

    def _check_declared_size(self, name: str, raw: RawMember) -> None:
        self._check_size(name, raw.size or 0)

    def _check_size(self, path: str, size: int) -> None:
        limit = self._meter.budget.member_bytes
        if size > limit:
            raise ArchiveFault(
                Code.MEMBER_TOO_LARGE,
                f"'{shown(path)}' is larger than {size_text(limit)}, the limit for one file. Leave it out.",
                shown(path),
            )


def _nested_fault(path: str) -> Callable[[Code, str], MemberFault]:
    """A compressed CSV that cannot be read spoils itself, not the archive around it."""

    def fault(code: Code, message: str) -> MemberFault:
        own = {Code.TRUNCATED, Code.CORRUPT_STREAM, Code.TRAILING_DATA}
        return MemberFault(
            Code.NESTED_CORRUPT if code in own else code, f"'{shown(path)}' {message}", shown(path)
        )

    return fault
