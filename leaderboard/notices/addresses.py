"""Which addresses a webhook may name, and to which numbers it may lead. Pure: looking names up is done elsewhere."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

LONGEST = 500
HTTPS_PORT, HTTP_PORT = 443, 80
FIRST_UNPRIVILEGED = 1024
HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?")
# No blanks and nothing beyond ASCII, so that nothing can be smuggled into the request line.
PLAIN = re.compile(r"[\x21-\x7e]+")
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
# Beside what the standard registry calls not global: addresses that hide IPv4 ones, and clouds' own services.
REFUSED = tuple(
    map(
        ipaddress.ip_network,
        (
            *("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32"),
            *("::/8", "64:ff9b::/32", "2001::/23", "2002::/16", "fec0::/10"),
        ),
    )
)


class BadAddress(Exception):
    """Shown to the person: why a webhook cannot go there."""


@dataclass(frozen=True)
class Target:
    """Where a delivery goes. `host` is as the URL names it, IPv6 without brackets."""

    host: str
    port: int
    path: str
    is_https: bool

    @property
    def authority(self) -> str:
        """For the Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        usual = HTTPS_PORT if self.is_https else HTTP_PORT
        return name if self.port == usual else f"{name}:{self.port}"


def parse_target(url: str, allow_loopback: bool = False) -> Target:
    """The target of an https URL. Raises BadAddress. `allow_loopback`: plain http to this machine too."""
    if len(url) > LONGEST or not PLAIN.fullmatch(url):
        raise BadAddress(f"Give an address of at most {LONGEST} plain characters, without blanks.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress("This is not an address. Write it as https://example.org/path.") from error
    host = (parts.hostname or "").lower()
    is_local = allow_loopback and parts.scheme == "http" and is_loopback(host)
    if parts.scheme != "https" and not is_local:
        raise BadAddress("Webhooks go to https:// addresses only.")
    _check_parts(host, bool(parts.username or parts.password or "@" in parts.netloc), parts.fragment)
    port = port or (HTTPS_PORT if parts.scheme == "https" else HTTP_PORT)
    if port != HTTPS_PORT and port < FIRST_UNPRIVILEGED and not is_local:
        raise BadAddress("Use port 443, or one from 1024.")
    if not is_local and (is_loopback(host) or (is_number(host) and not is_public(host))):
        raise BadAddress("This is an address of a private network.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host, port, path, parts.scheme == "https")


def _check_parts(host: str, has_login: bool, fragment: str) -> None:
    if has_login:
        raise BadAddress("Leave name and password out of the address; the signature says who sends.")
    if fragment:
        raise BadAddress("Leave out what follows the #; it would not be sent.")
    if not HOST.fullmatch(host) and not is_number(host):
        raise BadAddress("This is not the name of a host.")


def is_loopback(host: str) -> bool:
    return host in LOOPBACK_NAMES or f"[{host}]" in LOOPBACK_NAMES


def is_number(host: str) -> bool:
    """Whether the host is an IP address and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(number: str) -> bool:
    """Whether the IP address is one of the open internet: not private, loopback, link-local, reserved or disguised."""
    try:
        address = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    refused = any(address in network for network in REFUSED if network.version == address.version)
    special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not special and not refused
