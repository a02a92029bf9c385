"""What a web process keeps in memory of the boards: the rows of snapshots, and whole answers made from them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Shelf(Generic[Thing]):
    """The things asked for last, up to a weight in all. Keys name a state, so that nothing on it can be stale."""

    def __init__(self, room: int, weigh: Callable[[Thing], int]) -> None:
        self.room, self.weigh = room, weigh
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._things

    def get(self, key: Hashable) -> Thing | None:
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def put(self, key: Hashable, thing: Thing) -> None:
        """Keeps it in place of what was there, and lets go of what was not asked for longest.

        What is too heavy by itself is not kept.
        """
        weight = self.weigh(thing)
        if weight > self.room:
            return
        with self._lock:
            if key in self._things:
                self._weight -= self.weigh(self._things.pop(key))
            self._things[key] = thing
            self._weight += weight
            while self._weight > self.room:
                self._weight -= self.weigh(self._things.popitem(last=False)[1])

    def get_or_make(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Two threads at once may both make it; either is right."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found)
        return found

    def clear(self) -> None:
        with self._lock:
            self._things.clear()
            self._weight = 0
