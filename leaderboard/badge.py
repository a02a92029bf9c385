"""An entry's badge: a small drawing for READMEs elsewhere. Pure. No word of it comes from a team."""

from dataclasses import dataclass
from html import escape

# Widths of digits and letters of a common sans-serif face at 11 px, on the generous side.
CHARACTER, PAD, HEIGHT = 6.2, 8, 20
NAME = "MLE-bench"
COLOURS = {"ranked": "#0b5667", "warned": "#8a4f00", "gone": "#5c6664"}


@dataclass(frozen=True)
class Standing:
    """Where an entry stands: `track` by its title, empty if withdrawn; percent of its own scope."""

    track: str
    rank: int | None = None
    percent: float | None = None
    is_warned: bool = False


def badge_text(standing: Standing) -> str:
    """Such as "Clean · rank 2 · 64.4 %"."""
    if not standing.track:
        return "withdrawn"
    rank = (
        f"rank {standing.rank}" if standing.rank else "under a warning" if standing.is_warned else "unranked"
    )
    figure = "" if standing.percent is None else f" · {standing.percent:.1f} %"
    return f"{standing.track} · {rank}{figure}"


def draw_badge(standing: Standing) -> str:
    """The SVG. It needs no style sheet and no script, and says its text to screen readers."""
    text = badge_text(standing)
    kind = "gone" if not standing.track else "warned" if standing.is_warned else "ranked"
    left, right = _width(NAME), _width(text)
    label = escape(f"{NAME}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" '
        f'aria-label="{label}"><title>{label}</title>'
        f'<rect width="{left + right}" height="{HEIGHT}" rx="3" fill="#2b3534"/>'
        f'<path fill="{COLOURS[kind]}" d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{left}z"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14" textLength="{left - 2 * PAD}">{NAME}</text>'
        f'<text x="{left + right / 2:g}" y="14" textLength="{right - 2 * PAD}">{escape(text)}</text>'
        "</g></svg>\n"
    )


def _width(text: str) -> int:
    return round(len(text) * CHARACTER) + 2 * PAD
