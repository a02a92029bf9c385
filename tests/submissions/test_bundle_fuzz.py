"""Good bundles with bytes changed, cut and doubled: they are read or refused, and nothing else."""

import contextlib
import io

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from submissions.bundle import BundleError, read_bundle
from tests.submissions import bundles as b

BASES = [make(b.good_files()) for make in b.FORMATS.values()]
BASES += [b.streamed_zip(b.good_files()), b.run_tar(b.pax([(b"path", b"code/a")]), b.tar_member(b"x", b"x"))]

changes = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6)
cut = st.tuples(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["keep", "drop", "double"]))
quick = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)


def changed(base: bytes, edits: list[tuple[float, int]], piece: tuple[float, float, str]) -> bytes:
    data = bytearray(base)
    for at, value in edits:
        data[int(at * len(data))] = value
    start, end = sorted(int(x * len(data)) for x in piece[:2])
    middle = {"keep": 1, "drop": 0, "double": 2}[piece[2]]
    return bytes(data[:start] + data[start:end] * middle + data[end:])


def read_or_refuse(data: bytes) -> None:
    sinks: list[b.MemorySink] = []
    with contextlib.suppress(BundleError):
        read_bundle(
            io.BytesIO(data),
            layout=b.LAYOUT,
            budget=b.budget(seconds=5),
            keep=lambda member: sinks.append(b.MemorySink(member)) or sinks[-1],
        )
        assert all(sink.closed and not sink.aborted for sink in sinks)
        return
    assert all(sink.aborted for sink in sinks)


@quick
@given(st.sampled_from(BASES), changes, cut)
@example(BASES[0], [], (0.0, 0.0, "keep"))
def test_changed_bundles(
    base: bytes, edits: list[tuple[float, int]], piece: tuple[float, float, str]
) -> None:
    read_or_refuse(changed(base, edits, piece))


@quick
@given(
    st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b\x08", b"\xfd7zXZ\0", b.ZSTD_MAGIC]),
    st.binary(max_size=2000),
)
def test_noise(magic: bytes, noise: bytes) -> None:
    read_or_refuse(magic + noise)


@quick
@given(st.binary(max_size=300), st.sampled_from(b"xgLK0125S"), st.binary(max_size=12))
def test_tar_headers_of_noise(payload: bytes, kind: int, size: bytes) -> None:
    header = b.tar_header(payload[:100], size if payload[:1] > b"\x80" else len(payload), bytes([kind]))
    read_or_refuse(b.run_tar(header + payload.ljust(512, b"\0")))
