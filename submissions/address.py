"""Whose address a request counts for: limits, sessions and the audit log all ask here."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

# Whoever has IPv6 has at least such a network, with as many addresses as they like.
IPV6_PREFIX = 64


def address_of(request: HttpRequest) -> str | None:
    """The sender's address, None where it is no address (a Unix socket without a proxy)."""
    proxies: Any = settings.REST_FRAMEWORK["NUM_PROXIES"]
    return find_address(request.META, proxies)


def find_address(meta: Mapping[str, object], proxies: int) -> str | None:
    """What the outermost of our own proxies saw. Whatever the sender wrote left of that is not believed.

    Each proxy appends whom it heard from to X-Forwarded-For; without proxies the header is anybody's word.
    """
    told = [word.strip() for word in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if word.strip()]
    if proxies and told:
        return _clean(told[-min(proxies, len(told))])
    return _clean(str(meta.get("REMOTE_ADDR", "")))


def _clean(text: str) -> str | None:
    """Without a port, which some proxies add."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def network_of(address: str | None) -> str:
    """What a limit counts: an IPv4 address, or the whole network of an IPv6 one."""
    if address is None or ":" not in address:
        return address or "unknown"
    return str(ipaddress.ip_network(f"{address}/{IPV6_PREFIX}", strict=False))
