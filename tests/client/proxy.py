"""A line between client and site that drops after so many bytes, as lines do."""

import contextlib
import socket
import threading
from types import TracebackType


class CuttingProxy:
    """Forwards TCP to a port of this machine. `cuts`: after so many bytes to the site everything is cut, each once."""

    def __init__(self, port: int, cuts: list[int]) -> None:
        self._to, self._cuts = port, cuts
        self.sent = 0
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> "CuttingProxy":
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._cut()
        for thread in self._threads:
            thread.join(5)

    def _start(self, target: object, *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._to))
            with self._lock:
                self._open |= {near, far}
            self._start(self._pump, near, far, True)
            self._start(self._pump, far, near, False)

    def _pump(self, source: socket.socket, target: socket.socket, to_site: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 14):
                if to_site and self._counts_as_last(len(data)):
                    target.sendall(data[:100])
                    self._cut()
                    return
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def _counts_as_last(self, size: int) -> bool:
        with self._lock:
            self.sent += size
            if self._cuts and self.sent > self._cuts[0]:
                self._cuts.pop(0)
                return True
            return False

    def _cut(self) -> None:
        with self._lock:
            dropped, self._open = self._open, set()
        for each in dropped:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
