"""The scores of entries on one competition against its human cut-offs. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.charts.chart import (
    ACCENT,
    Chart,
    Json,
    Table,
    TableRow,
    figure,
    fixed,
    hover,
    layout,
    marks,
    names_axis,
)
from leaderboard.charts.human import MARKS, MEDAL_MARKS, OTHER_MARK, Scored, cutoff_line

# Names of what has no score; more would be no sentence.
MOST_NAMES = 20
ROW_PX, HEAD_PX = 24, 150


@dataclass(frozen=True)
class EntryScores:
    """An entry's scores on the competition; runs without one have none here."""

    name: str
    url: str
    scores: tuple[Scored, ...]


def scores_on(
    entries: Sequence[EntryScores], cutoffs: Mapping[str, float], lower_is_better: bool, total: int = 0
) -> Chart:
    """Entries down in their order. `cutoffs`: by name, maybe none. `total`: of how many these are one page."""
    shown = [each for each in entries if each.scores]
    names = [each.name for each in shown]
    is_page = total > len(entries)
    missing = [each.name for each in entries if not each.scores]
    return Chart(
        name="scores",
        title="Scores against the human cut-offs",
        note=(
            f"One mark for each seed; {'lower' if lower_is_better else 'higher'} is better, better to the right. "
            f"{MARKS}"
        ),
        table=Table(
            ("Entry", "Seed", "Score", "Earned"),
            tuple(
                TableRow(
                    (each.name, scored.seed, fixed(scored.score, 5), scored.mark.replace("_", " ")), each.url
                )
                for each in shown
                for scored in each.scores
            ),
            texts=2,
        ),
        figure=_draw(shown, names, cutoffs, lower_is_better) if shown else None,
        empty=f"No {'entry of this page' if is_page else 'published entry'} has a score on it.",
        gaps=(
            *((f"Drawn are the {len(entries)} entries of this page, of {total:,}.",) if is_page else ()),
            *((f"Without a valid score: {', '.join(missing[:MOST_NAMES])}.",) if missing and shown else ()),
        ),
    )


def _draw(
    shown: Sequence[EntryScores], names: Sequence[str], cutoffs: Mapping[str, float], lower_is_better: bool
) -> Json:
    values = [*cutoffs.values(), *(s.score for each in shown for s in each.scores)]
    room = (max(values) - min(values) or abs(values[0]) or 1.0) * 0.06
    ends = [min(values) - room, max(values) + room]
    across = {"range": ends[::-1] if lower_is_better else ends, "zeroline": False, "nticks": 6}
    traces = [_group(shown, medal) for medal in (*MEDAL_MARKS, "")]
    look = layout(
        HEAD_PX + ROW_PX * len(names),
        across,
        {**names_axis(names), "showgrid": True},
        shapes=[cutoff_line(name, value) for name, value in cutoffs.items()],
        annotations=[
            _label(at, *pair, is_right=(pair[1] > sum(ends) / 2) != lower_is_better)
            for at, pair in enumerate(_best_first(cutoffs, lower_is_better))
        ],
        margin={"l": 12, "r": 12, "t": 100, "b": 12},
        showlegend=False,
    )
    return figure([each for each in traces if each["x"]], look)


def _best_first(cutoffs: Mapping[str, float], lower_is_better: bool) -> list[tuple[str, float]]:
    return sorted(cutoffs.items(), key=lambda pair: pair[1], reverse=not lower_is_better)


def _group(shown: Sequence[EntryScores], medal: str) -> Json:
    """The marks of one medal, or of none."""
    found = [
        (down, each, scored)
        for down, each in enumerate(shown)
        for scored in each.scores
        if (scored.mark if scored.mark in MEDAL_MARKS else "") == medal
    ]
    edge = f"--{medal}-edge" if medal else ACCENT
    return marks(
        [scored.score for _, _, scored in found],
        [down for down, _, _ in found],
        [hover(each.name, f"{s.seed}: {s.score:.5f}", s.mark.replace("_", " ")) for _, each, s in found],
        marker={
            "color": f"--{medal}" if medal else ACCENT,
            "symbol": MEDAL_MARKS.get(medal, OTHER_MARK),
            "size": 11 if medal else 9,
            "line": {"color": edge, "width": 1.5},
        },
    )


def _label(row: int, name: str, value: float, is_right: bool) -> Json:
    """The words of a cut-off above the drawing, each on a line of its own: cut-offs may lie close together.

    `is_right`: it stands in the right half, so its words go to the left.
    """
    return {
        "x": value, "xref": "x", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4 + 18 * row,
        "text": f"{name} {fixed(value, 5)}", "showarrow": False, "xanchor": "right" if is_right else "left",
    }  # fmt: skip
