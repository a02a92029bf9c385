"""The site's own check of one CSV: valid or not, with every reason; never a score."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .errors import ClientError, Exit, Fault
from .http import Session

WAIT_S = "5"
POLL_S = 1.0
LATER = "Look at {page} later."


@dataclass(frozen=True)
class Validity:
    """What the site says of a CSV: every reason why it is invalid, none where it is valid."""

    is_valid: bool
    reasons: tuple[Fault, ...]
    page: str


class NotChecked(ClientError):
    """The site came to no verdict."""

    exit_code = Exit.UNREACHABLE


def validate_file(session: Session, competition: str, file: Path, timeout_s: float) -> Validity:
    """The verdict on one file, waiting for it. Raises NotChecked, or Refused for a file that is not taken."""
    deadline = time.monotonic() + timeout_s
    check = _send(session, competition, file)
    while check["state"] != "done":
        if time.monotonic() > deadline:
            raise NotChecked(f"No result within {timeout_s:.0f} seconds. {_later(session, check)}")
        session.patience.sleep(POLL_S)
        check = session.get(check["url"]).json()
    return _verdict(session, check, file)


def _send(session: Session, competition: str, file: Path) -> Mapping[str, Any]:
    with file.open("rb") as content:
        answer = session.request(
            "POST",
            f"/api/v1/competitions/{quote(competition, safe='')}/validate",
            again=False,  # Each one counts, and the file was read to its end.
            params={"wait": WAIT_S},
            files={"file": (file.name, content, "application/octet-stream")},
        )
    check: Mapping[str, Any] = answer.json()
    return check


def _verdict(session: Session, check: Mapping[str, Any], file: Path) -> Validity:
    if check["valid"] is None:
        said = " ".join(reason["message"] for reason in check["reasons"])
        outcome = check["outcome"].replace("_", " ")
        raise NotChecked(f"The check of {file} ended as: {outcome}. {said or _later(session, check)}")
    reasons = tuple(Fault(each["code"], "", each["message"]) for each in check["reasons"])
    return Validity(bool(check["valid"]), reasons, session.url(check["page"]))


def _later(session: Session, check: Mapping[str, Any]) -> str:
    return LATER.format(page=session.url(check["page"]))
