"""Filters for rows of a board and for runs: cut-offs, hardware, plain numbers."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html

from leaderboard.machinery import HostState

register = template.Library()


@register.filter
def at(values: Mapping[str, Any], key: str) -> Any:
    """The value of a key that is itself a variable; None where there is none."""
    return values.get(str(key))


@register.filter
def plain(value: float) -> str:
    """The number without needless zeros, whatever the language: 24, 0.5."""
    return f"{value:.6g}"


@register.filter
def cutoff(value: float) -> str:
    """A cut-off with the five decimals that scores are rounded to."""
    return f"{value:.5f}"


@register.filter
def hardware(row: Mapping[str, Any]) -> str:
    """GPU and vCPUs of a row, each undisclosed where it was not said."""
    if row["gpus"] is None and not row["gpu_model"] and row["vcpus"] is None:
        return _undisclosed("")
    return format_html("{}<br>{}", _gpu(row), _vcpus(row["vcpus"]))


def _gpu(row: Mapping[str, Any]) -> str:
    if row["gpus"] is None and not row["gpu_model"]:
        return _undisclosed("GPU")
    if row["gpus"] == 0:
        return "no GPU"
    count = f"{row['gpus']:g} × " if row["gpus"] else ""
    return f"{count}{row['gpu_model'] or 'GPU'}"


def _vcpus(number: float | None) -> str:
    return _undisclosed("vCPUs") if number is None else f"{number:g} vCPUs"


def _undisclosed(what: str) -> str:
    return format_html('<span class="undisclosed">{} undisclosed</span>', what)


@register.filter
def duration(seconds: int) -> str:
    """Seconds as people say them: 45 s, 3 min, 2 h."""
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"


@register.filter
def any_well(hosts: Iterable[HostState]) -> bool:
    """Whether at least one host can grade."""
    return any(state.is_well for state in hosts)
