"""How much of a request has arrived, and whether it comes fast enough. Bytes and seconds in, answers out."""

import re
from dataclasses import dataclass
from enum import Enum, auto

END_OF_HEAD = b"\r\n\r\n"
# A head no browser sends is left to the web server, which refuses it with the right words.
LONGEST_HEAD = 2**16
# Forms, JSON and small files; what is larger arrives while a thread of its own reads it.
SMALL_BODY = 2**16
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*(?=\r\n)", re.IGNORECASE)
# A body of unknown length, and one that is sent once somebody has asked for it.
ASKED_FOR = re.compile(rb"\r\n(transfer-encoding|expect):", re.IGNORECASE)


class Arrival(Enum):
    """What is to be done with a connection of which so much has arrived."""

    WAIT = auto()
    ANSWER = auto()  # Nothing more is needed from the sender.
    RECEIVE = auto()  # The rest of a large body is still to come.


def read_arrival(received: bytes) -> Arrival:
    end = received.find(END_OF_HEAD)
    if end < 0:
        return Arrival.WAIT if len(received) < LONGEST_HEAD else Arrival.RECEIVE
    head, body = received[: end + 2], len(received) - end - len(END_OF_HEAD)
    if ASKED_FOR.search(head):
        return Arrival.RECEIVE
    announced = LENGTH.search(head)
    length = int(announced[1]) if announced else 0
    if length <= body:
        return Arrival.ANSWER
    return Arrival.WAIT if length <= SMALL_BODY else Arrival.RECEIVE


@dataclass(frozen=True)
class Pace:
    """How slow a sender may be: whatever it likes for a while, then so many bytes a second on average."""

    grace_s: float = 20.0
    bytes_per_s: float = 4096.0

    def is_too_slow(self, received: int, waited_s: float) -> bool:
        """`waited_s`: seconds spent waiting for this sender, whatever else took time."""
        return waited_s > self.grace_s and received < self.bytes_per_s * waited_s
