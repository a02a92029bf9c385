"""A line of a board as plain JSON: all that pages, CSV and API show of it. Makes no query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grading.splits import Split
from leaderboard.aggregation import mean_and_sem
from leaderboard.integrity.candour import Candour, candour_said
from leaderboard.masks import Masked, masks_on
from leaderboard.models import Decision, Entry, EntryResult, Flag, Placement
from leaderboard.public_evidence import show_evidence

Row = dict[str, Any]
UNDISCLOSED = "undisclosed"


@dataclass(frozen=True)
class Candidate:
    """An entry, its placement and all that is shown of it. `scores`: competition to seed to score or None.

    `masks`: its competitions that are shown, but not counted.
    """

    entry: Entry
    placement: Placement
    results: Mapping[str, EntryResult]
    flags: Sequence[Flag] = ()
    scores: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    masks: Sequence[Masked] = ()


def touches(entry: Entry, split: Split) -> bool:
    """Whether the entry attempted any part of the split; a Lite entry is listed, unranked, among all 75."""
    return bool(set(Split(entry.scope).members) & set(split.members))


def build_row(candidate: Candidate, split: Split, splits: Sequence[Split], only: str | None) -> Row:
    """The row on the board of a split. `splits`: the benchmark's; `only`: its competition, if just one."""
    return {
        **_who(candidate.entry),
        **_where(candidate),
        **_with_what(candidate.entry),
        "any_medal": {each.value: _any_medal(candidate.results.get(each.value)) for each in splits},
        "split": split.value,
        **_split_figures(candidate.results.get(split.value)),
        "masked": masks_on(
            candidate.masks, split, Split(candidate.entry.scope), candidate.results.get(split.value)
        ),
        "nothing_counted": _nothing_counted(candidate, splits),
        "score": _score(only, candidate.scores.get(only, {})) if only else None,
        "cost_per_medal": _cost_per_medal(candidate, split),
    }


def _who(entry: Entry) -> Row:
    return {
        "entry": entry.pk,
        "slug": entry.slug,
        "agent": entry.agent.name,
        "agent_slug": entry.agent.slug,
        "version": entry.version or None,
        "organisation": entry.agent.organisation.name,
        "organisation_slug": entry.agent.organisation.slug,
        "llms": entry.llms,
        "llms_text": ", ".join(entry.llms) or ("none" if entry.no_llm else UNDISCLOSED),
        "no_llm": entry.no_llm,
        "run_on": entry.run_on.isoformat(),
        "url": entry.url or None,
        "source_available": entry.source_available,
        "reports_available": entry.reports_available,
        "notes": entry.notes or None,
    }


def _where(candidate: Candidate) -> Row:
    entry, track = candidate.entry, candidate.placement.track
    return {
        "track": track.slug,
        "track_title": track.title,
        "scope": entry.scope,
        "source": entry.source,
        "source_text": entry.get_source_display(),
        "answers_public": entry.benchmark.answers_public,
        "warning": _grounds(candidate.placement) if track.is_warned else None,
        "flags": [_flag(flag) for flag in candidate.flags],
    }


def _grounds(placement: Placement) -> Row:
    decision = placement.decision
    return {
        "reason": decision.reason,
        **show_evidence(decision),
        "decision": decision.pk,
        **_candour(decision),
    }


def _flag(flag: Flag) -> Row:
    return {
        "reason": flag.reason,
        **show_evidence(flag),
        "decision": flag.decision_id,
        "candour": Candour.SELF_REPORTED.value if flag.is_self_reported else "",
    }


def _candour(decision: Decision) -> Row:
    return {"candour": candour_said(decision.is_self_reported, decision.details).value}


def _with_what(entry: Entry) -> Row:
    """Hardware, time and cost; None is undisclosed."""
    return {
        "hours": entry.hours,
        "vcpus": entry.vcpus,
        "ram_gb": entry.ram_gb,
        "gpus": entry.gpus,
        "gpu_model": entry.gpu_model or None,
        "cost_usd": entry.cost_usd,
    }


def _any_medal(result: EntryResult | None) -> Row | None:
    """None where the split was not attempted."""
    if result is None:
        return None
    return {"mean": result.any_medal_mean, "sem": result.any_medal_sem, "n": result.seeds}


def _split_figures(result: EntryResult | None) -> Row:
    """The board's own split in full; the same keys, empty, where it was not attempted."""
    return {
        "gold": _medals(result, "gold"),
        "silver": _medals(result, "silver"),
        "bronze": _medals(result, "bronze"),
        "above_median": result.above_median_mean if result else None,
        "valid": result.valid_mean if result else None,
        "submitted": result.submitted_mean if result else None,
        "seeds": result.seeds if result else None,
        "padded": _padded(result) if result else None,
    }


def _nothing_counted(candidate: Candidate, splits: Sequence[Split]) -> list[str]:
    """The splits that have no figure since every competition is masked, and not since nobody attempted them."""
    scope, masked = Split(candidate.entry.scope), {mask.split for mask in candidate.masks}
    return [
        split.value
        for split in splits
        if split.value not in candidate.results and scope.covers(split) and masked & set(split.members)
    ]


def _medals(result: EntryResult | None, medal: str) -> Row | None:
    """Mean percent over seeds, and the number of medals in all of them; None where it was not published."""
    mean = getattr(result, f"{medal}_mean", None)
    if result is None or mean is None or result.total_runs is None:
        return None
    return {"mean": mean, "count": round(mean * result.total_runs / 100)}


def _cost_per_medal(candidate: Candidate, split: Split) -> float | None:
    """US dollars for all runs by their medals. None without cost or medal, and for a part of what the cost paid."""
    cost, result = candidate.entry.cost_usd, candidate.results.get(split.value)
    if cost is None or split.value != candidate.entry.scope:
        return None
    won = [medals["count"] for kind in ("gold", "silver", "bronze") if (medals := _medals(result, kind))]
    return cost / sum(won) if sum(won) else None


def _padded(result: EntryResult) -> str | None:
    """In words how much was padded; None where every run is there."""
    if not result.is_padded:
        return None
    if result.padded_runs is None:
        return "padded"
    return f"padded {result.padded_runs} of {result.total_runs}"


def _score(competition: str, per_seed: Mapping[str, float | None]) -> Row | None:
    """The score itself, where the split is a single competition. No mean unless every seed has a score."""
    if not per_seed:
        return None
    scores = [score for score in per_seed.values() if score is not None]
    figure = mean_and_sem(scores) if len(scores) == len(per_seed) else None
    return {
        "competition": competition,
        "per_seed": dict(sorted(per_seed.items())),
        "mean": figure.mean if figure else None,
        "sem": figure.sem if figure else None,
    }
