"""gunicorn's worker with threads, none of which a slow sender can hold.

A plain one gives a connection to a thread with its first byte: so many senders of one byte a second as there are
threads stop the site. Here the loop that waits for all connections takes the head and small bodies itself; a thread
gets what can be answered. Large bodies have threads of their own, and must keep a pace. A proxy that buffers does the
same in production; this is for the site that stands alone.
"""

import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.http.unreader import SocketUnreader
from gunicorn.util import close_graceful
from gunicorn.workers.gthread import TConn, ThreadWorker

from leaderboard.launcher.arrival import Arrival, Pace, read_arrival

# From the first byte to the end of the head and, if small, of the body.
ARRIVES_WITHIN_S = 15.0
# Nothing sent, or nothing read of an answer, for so long ends a connection.
SILENT_S = 60.0
CHUNK = 2**16
CLOSERS = 4


class TooSlow(ConnectionResetError):
    """Ends the request as a connection does that its sender has broken off."""


class PacedUnreader(SocketUnreader):  # type: ignore[misc]
    """Reads from a socket until its sender is too slow. Only the time spent waiting counts."""

    def __init__(self, sock: socket.socket, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(sock)
        self.pace, self.clock = pace, clock
        self.start()

    def start(self) -> None:
        """A new request begins."""
        self.received, self.waited_s = 0, 0.0

    def chunk(self, size_hint: int | None = None) -> bytes:
        began = self.clock()
        data: bytes = super().chunk(size_hint)
        self.waited_s += self.clock() - began
        self.received += len(data)
        if data and self.pace.is_too_slow(self.received, self.waited_s):
            raise TooSlow(104, "too slow")
        return data


class Connection(TConn):  # type: ignore[misc]
    """A connection with what has arrived of its next request."""

    def __init__(
        self, cfg: Any, sock: socket.socket, client: Any, server: Any, closers: ThreadPoolExecutor
    ) -> None:
        super().__init__(cfg, sock, client, server)
        self.arrived, self.closers = bytearray(), closers
        self.data_ready = True  # Threads never wait for the first byte.

    def init(self) -> None:
        super().init()
        self.sock.settimeout(SILENT_S)
        if not isinstance(self.parser.unreader, PacedUnreader):
            self.parser.unreader = PacedUnreader(self.sock, Pace())
        self.parser.unreader.start()
        self.parser.unreader.unread(bytes(self.arrived))
        self.arrived.clear()

    def take(self) -> Arrival:
        """Receives what is there. Raises OSError where the sender is gone."""
        while (arrival := read_arrival(bytes(self.arrived))) is Arrival.WAIT:
            try:
                data = self.sock.recv(CHUNK)
            except BlockingIOError:
                break
            if not data:
                raise ConnectionResetError
            self.arrived += data
        return arrival

    def take_read_ahead(self) -> None:
        """Bytes of the next request that came with the one before."""
        if self.parser is not None:
            self.arrived += self.parser.unreader.take_buffered()

    def close(self, graceful: bool = False) -> None:
        """The wait for the other side to close must not keep the loop that serves everybody."""
        if not graceful:
            super().close()
            return
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_WR)
        self.closers.submit(close_graceful, self.sock)


class Worker(ThreadWorker):  # type: ignore[misc]
    """Collects requests in its loop and hands whole ones to threads."""

    def init_process(self) -> None:
        self.receivers = ThreadPoolExecutor(self.cfg.threads, thread_name_prefix="receiver")
        self.closers = ThreadPoolExecutor(CLOSERS, thread_name_prefix="closer")
        super().init_process()

    def accept(self, listener: socket.socket) -> None:
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        self.enqueue_req(Connection(self.cfg, sock, client, listener.getsockname(), self.closers))

    def enqueue_req(self, conn: Connection) -> None:
        """To a thread as soon as it has arrived; until then back to the loop, for so long and no longer."""
        conn.timeout = time.monotonic() + ARRIVES_WITHIN_S
        conn.sock.setblocking(False)
        conn.take_read_ahead()
        if not self._go_on(conn):
            self.pending_conns.append(conn)
            self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        # First, since a thread may be done with it, and its number be another's, before this returns.
        self.poller.unregister(client)
        if self._go_on(conn):
            self.pending_conns.remove(conn)
        else:
            self.poller.register(client, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def _go_on(self, conn: Connection) -> bool:
        """Whether the loop is done with the connection: in a thread, or closed."""
        try:
            arrival = conn.take()
        except OSError:
            self.nr_conns -= 1
            conn.close()
            return True
        if arrival is Arrival.WAIT:
            return False
        pool = self.tpool if arrival is Arrival.ANSWER else self.receivers
        done = pool.submit(self.handle, conn)
        done.add_done_callback(lambda future: self.method_queue.defer(self.finish_request, conn, future))
        return True
