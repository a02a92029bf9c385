"""The quick start's broker: messages as files, each whole from the moment it can be seen.

kombu writes a message into the folder its readers list, so that a reader can catch it half written and die of it.
"""

import json
import os
from time import monotonic
from typing import Any

from kombu.transport import filesystem


def unreadable(why: str) -> dict[str, Any]:
    """A message of a kind that nobody takes, in place of a file that is none."""
    properties = {"delivery_tag": os.urandom(16).hex(), "delivery_info": {}}
    kind = {"content-type": "application/x-unreadable", "content-encoding": "binary"}
    return {"body": why, "headers": {}, "properties": properties, **kind}


class Channel(filesystem.Channel):
    """Writes a message under another name and renames it, which readers see at once or not at all."""

    def _put(self, queue: Any, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # Its bases disagree.
        draft = os.path.join(self.data_folder_out, f".{os.getpid()}.{os.urandom(8).hex()}")
        with open(draft, "x", encoding="utf-8") as file:
            json.dump(payload, file)
        os.rename(draft, self._name(queue))

    def _get(self, queue: Any, timeout: Any = None) -> Any:
        """The next message; one that is no JSON comes as one that cannot be read, which its reader parks."""
        try:
            return super()._get(queue)  # type: ignore[no-untyped-call]
        except ValueError as error:
            return unreadable(type(error).__name__)

    def _name(self, queue: str) -> str:
        """As kombu names them: readers sort by time, and find their queue behind the first dot."""
        moment = int(monotonic() * 1000)
        return os.path.join(self.data_folder_out, f"{moment}_{os.urandom(8).hex()}.{queue}.msg")


class Transport(filesystem.Transport):
    Channel = Channel
