"""Named arrays in one file that can be mapped into memory: how digested answers are kept. Nothing is executed.

A magic line, the length of a JSON header, the header, then the arrays in little-endian bytes, each at a
multiple of 64. The header holds plain facts, and dtype, shape and place of each array.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .source import Mapped

MAGIC = b"MLEB answers 1\n\x00"
ALIGNMENT = 64
LENGTH_BYTES = 8
DTYPES = frozenset(["|b1", "<i4", "<i8", "<u8", "<f8", "|u1"])

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Contents:
    """The plain facts and the arrays of a container; the arrays are read-only views of the file."""

    facts: dict[str, Any]
    arrays: dict[str, Array]


def pack(facts: Mapping[str, Any], arrays: Mapping[str, Array]) -> Iterator[bytes | memoryview]:
    """The bytes of a container, piece by piece."""
    entries, at = {}, 0
    for name, array in arrays.items():
        entries[name] = {"dtype": _dtype_of(array), "shape": array.shape, "at": at}
        at += array.nbytes + -array.nbytes % ALIGNMENT
    header = json.dumps({"facts": facts, "arrays": entries}, allow_nan=False).encode()
    start = len(MAGIC) + LENGTH_BYTES + len(header)
    yield MAGIC + len(header).to_bytes(LENGTH_BYTES, "little") + header + b"\0" * (-start % ALIGNMENT)
    for array in arrays.values():
        flat = np.ascontiguousarray(array).reshape(-1)
        yield flat.view(np.uint8).data if flat.size else b""
        yield b"\0" * (-array.nbytes % ALIGNMENT)


def _dtype_of(array: Array) -> str:
    if array.dtype.str not in DTYPES:
        raise TypeError(f"arrays of {array.dtype} are not kept")
    return array.dtype.str


def is_container(data: Mapped) -> bool:
    return data[: len(MAGIC)] == MAGIC


def unpack(data: Mapped) -> Contents:
    """The contents of a container. ValueError or LookupError if it is none, or cut short."""
    if not is_container(data):
        raise ValueError("not a container of arrays")
    begin = len(MAGIC) + LENGTH_BYTES
    end = begin + int.from_bytes(data[len(MAGIC) : begin], "little")
    header = json.loads(data[begin:end])
    start = end + -end % ALIGNMENT
    return Contents(
        header["facts"], {name: _view(data, start, each) for name, each in header["arrays"].items()}
    )


def _view(data: Mapped, start: int, entry: Mapping[str, Any]) -> Array:
    if entry["dtype"] not in DTYPES:
        raise ValueError("a dtype that is not kept")
    dtype, shape = np.dtype(entry["dtype"]), tuple(map(int, entry["shape"]))
    size = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(data, dtype=dtype, count=size, offset=start + int(entry["at"])).reshape(shape)
