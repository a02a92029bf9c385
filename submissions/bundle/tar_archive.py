"""Members of a tar stream: ustar, GNU and pax, with every extension bounded."""

from __future__ import annotations

from collections.abc import Iterator

from .budget import Budget
from .problems import ArchiveFault, Code, shown, size_text
from .raw import RawKind, RawMember
from .tar_header import BLOCK, TarHeader, bad_header, parse_header, parse_pax
from .window import Window

KINDS = {
    b"0": RawKind.FILE,
    b"\0": RawKind.FILE,
    b"7": RawKind.FILE,
    b"1": RawKind.HARDLINK,
    b"2": RawKind.SYMLINK,
    b"3": RawKind.DEVICE,
    b"4": RawKind.DEVICE,
    b"5": RawKind.FOLDER,
    b"6": RawKind.FIFO,
    b"S": RawKind.SPARSE,
}
# Pax records (x, g) and GNU's long name and long link target.
EXTENSIONS = b"xgLK"
ZERO = bytes(BLOCK)


def tar_members(window: Window, budget: Budget) -> Iterator[RawMember]:
    """Each member in order; then checks that only padding is left. Raises ArchiveFault."""
    while (member := _next_member(window, budget)) is not None:
        yield member
        for _ in member.pieces:
            pass
        window.exactly(-(member.size or 0) % BLOCK)
    if not window.rest_is_zero():
        raise ArchiveFault(
            Code.TRAILING_DATA,
            "There is more data behind the end of the tar archive. Pack everything into one, in one go.",
        )


def _next_member(window: Window, budget: Budget) -> RawMember | None:
    extensions = _Extensions(budget)
    while (block := window.exactly(BLOCK)) != ZERO:
        header = parse_header(block)
        if header.type not in EXTENSIONS:
            return _build_member(header, extensions, window)
        extensions.add(header, window)
    if extensions.count:
        raise bad_header("an extended header stands before nothing")
    return None


def _build_member(header: TarHeader, extensions: _Extensions, window: Window) -> RawMember:
    size = header.size if extensions.size is None else extensions.size
    name = header.name if extensions.name is None else extensions.name
    kind = KINDS.get(header.type, RawKind.SPECIAL)
    if kind is RawKind.FILE and name.endswith(b"/"):
        kind = RawKind.FOLDER
    if size and kind is not RawKind.FILE:
        raise _refuse_content(name, kind)
    if extensions.sparse:
        kind = RawKind.SPARSE
    return RawMember(name, kind, size, window.take(size))


def _refuse_content(name: bytes, kind: RawKind) -> ArchiveFault:
    """Readers disagree on whether bytes follow such a header, so what comes next cannot be known."""
    member = shown(name.decode("utf-8", "replace"))
    code = Code.BAD_TAR_HEADER if kind is RawKind.FOLDER else Code(kind.value)
    return ArchiveFault(
        code,
        f"'{member}' is no plain file ({kind}) but claims content. Pack plain files and folders only.",
        member,
    )


class _Extensions:
    """The extension headers before one member. Raises ArchiveFault past the budget and for contradictions."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._bytes = 0
        self.count = 0
        self.name: bytes | None = None
        self.size: int | None = None
        self.sparse = False

    def add(self, header: TarHeader, window: Window) -> None:
        self._spend(header.size)
        payload = window.exactly(header.size)
        window.exactly(-header.size % BLOCK)
        if header.type == b"L":
            self._set_name(payload.rstrip(b"\0"))
        elif header.type in b"xg":
            self._apply(parse_pax(payload, self._budget.extension_records), for_all=header.type == b"g")

    def _spend(self, size: int) -> None:
        self.count += 1
        self._bytes += size
        if self.count > self._budget.extension_headers:
            raise ArchiveFault(
                Code.TOO_MANY_EXTENSION_HEADERS,
                f"A member has over {self._budget.extension_headers} extended tar headers. Pack it anew.",
            )
        if self._bytes > self._budget.extension_header_bytes:
            raise ArchiveFault(
                Code.EXTENSION_HEADER_TOO_LARGE,
                f"The extended tar headers of a member take {size_text(self._bytes)}; at most "
                f"{size_text(self._budget.extension_header_bytes)} are read. Pack without extended "
                "attributes (tar --no-xattrs) and shorten long names.",
            )

    def _apply(self, records: dict[str, bytes], *, for_all: bool) -> None:
        """Only name, size and sparseness change what is read; times, owners and the like are passed over."""
        if for_all and records.keys() & {"path", "size"}:
            raise bad_header("a global header sets the name or size of every member")
        self.sparse |= any(key.startswith("GNU.sparse.") for key in records)
        if "path" in records:
            self._set_name(records["path"])
        if "size" in records:
            self._set_size(records["size"])

    def _set_name(self, name: bytes) -> None:
        if self.name not in (None, name):
            raise bad_header("a member has two long names")
        self.name = name

    def _set_size(self, digits: bytes) -> None:
        if not digits.isdigit() or len(digits) > 20:
            raise bad_header("a size is not a number")
        self.size = int(digits)
