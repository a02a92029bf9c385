"""Takes secrets out of text that is to be logged or reported. Pure.

Two nets: the very values this process was given, and the shapes secrets have wherever they come from.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

HIDDEN: Final = "[hidden]"
SHORTEST: Final = 8
# Names of settings and variables whose values are secrets.
SECRET_NAME: Final = re.compile(r"SECRET|PASSWORD|TOKEN|_KEY$|DSN|DATABASE_URL|BROKER_URL", re.IGNORECASE)
SHAPES: Final = (
    # user:password@ of any address
    (re.compile(r"(?<=://)([^\s/@:]*):[^\s/@]+@"), rf"\1:{HIDDEN}@"),
    (re.compile(r"(?i)\b(token|bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}"), rf"\1 {HIDDEN}"),
    (
        re.compile(
            r"(?i)\b((?:x-amz-)?(?:signature|credential|security-token)|password|passwd|secret|token|sessionid"
            r"|csrftoken|csrfmiddlewaretoken|api[_-]?key)(['\"]?\s*[=:]\s*['\"]?)[^\s&'\";,]+"
        ),
        rf"\1\2{HIDDEN}",
    ),
    # Links that open something for whoever has them.
    (
        re.compile(r"(/invitations/|/notices/unsubscribe/|/password/reset/key/|/confirm-email/)[^/\s\"']+"),
        rf"\1{HIDDEN}",
    ),
)


def secret_values(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Values of the environment that must not be written anywhere, the longest first. Short ones hide nothing."""
    found: set[str] = set()
    for name, value in variables.items():
        if SECRET_NAME.search(name):
            found |= {value, *_passwords(value)}
    return tuple(sorted((value for value in found if len(value) >= SHORTEST), key=len, reverse=True))


def _passwords(value: str) -> Iterable[str]:
    """The password inside an address, as it stands there and as it is sent."""
    try:
        password = urlsplit(value).password or ""
    except ValueError:
        return ()
    return (password, unquote(password))


def redact(text: str, values: Iterable[str] = ()) -> str:
    for value in values:
        text = text.replace(value, HIDDEN)
    for shape, instead in SHAPES:
        text = shape.sub(instead, text)
    return text
