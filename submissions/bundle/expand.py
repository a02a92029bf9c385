"""Decompressing a window of bytes within the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from .budget import Budget
from .decoders import DECODING_ERRORS, Codec, Decoder
from .meter import Expansion
from .problems import ArchiveFault, Code
from .window import PIECE, Window

FEED = 1 << 14

Fault = Callable[[Code, str], ArchiveFault]


def expanded(
    window: Window, codec: Codec, budget: Budget, expansion: Expansion, fault: Fault
) -> Iterator[bytes]:
    """All streams of `codec` in `window`, decompressed, one behind the other, to the end of the window.

    Zero padding behind the last one is read over, as the command-line tools do. Raises what `fault` makes,
    and ArchiveFault for a bomb.
    """
    for number in count(1):
        if number > budget.streams:
            raise fault(
                Code.TOO_MANY_STREAMS,
                f"is made of more than {budget.streams} {codec.name} streams. Compress it in one go.",
            )
        yield from expand_one(window, codec.decoder(budget), expansion, fault)
        if not codec.begins(window.peek(6)):
            break
    if not window.rest_is_zero():
        raise fault(Code.TRAILING_DATA, f"has other data behind its {codec.name} stream. Make it anew.")


def expand_one(window: Window, decoder: Decoder, expansion: Expansion, fault: Fault) -> Iterator[bytes]:
    """One compressed stream. What lies behind it stays in the window."""
    while not decoder.finished:
        data = window.some(FEED) if decoder.hungry else b""
        at_end = decoder.hungry and not data
        given = _feed(decoder, data, fault)
        expansion.add(len(data), len(given))
        if given:
            yield given
        elif at_end and not decoder.finished:
            raise fault(
                Code.TRUNCATED,
                "ends in the middle of its compressed data. Make it anew and upload all of it.",
            )
    window.give_back(decoder.unused)


def _feed(decoder: Decoder, data: bytes, fault: Fault) -> bytes:
    try:
        return decoder.feed(data, PIECE)
    except DECODING_ERRORS as error:
        raise _explain(error, fault) from None


def _explain(error: Exception, fault: Fault) -> ArchiveFault:
    """The library's own words stay out of the message; 'memory' in them means a window over the limit."""
    if "memory" in str(error).lower():
        return fault(
            Code.NEEDS_TOO_MUCH_MEMORY,
            "needs too much memory to decompress. Use a lower level: at most xz -7 or zstd -19, no --long.",
        )
    return fault(Code.CORRUPT_STREAM, "is damaged: its compressed data cannot be read. Make it anew.")
