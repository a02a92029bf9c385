"""Whether bytes are UTF-8: by Arrow, which is ten times as quick, or without it."""

from __future__ import annotations

import codecs

try:
    import pyarrow as pa
except ModuleNotFoundError:  # The offline client may lack it.
    pa = None

CHUNK = 1 << 20


def is_utf8(data: bytes) -> bool:
    """Whether these bytes are strict UTF-8: no surrogates, no longer forms, nothing beyond the last character."""
    if data.isascii():
        return True
    return _decodes(data) if pa is None else _arrow_agrees(data)


def _arrow_agrees(data: bytes) -> bool:
    places = pa.py_buffer((0).to_bytes(8, "little") + len(data).to_bytes(8, "little"))
    cell = pa.Array.from_buffers(pa.large_binary(), 1, [None, places, pa.py_buffer(data)])
    try:
        cell.cast(pa.large_string())
    except pa.ArrowInvalid:
        return False
    return True


def _decodes(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        for start in range(0, len(data), CHUNK):
            decoder.decode(data[start : start + CHUNK], final=start + CHUNK >= len(data))
    except UnicodeDecodeError:
        return False
    return True
