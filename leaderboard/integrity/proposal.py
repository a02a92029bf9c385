"""Which track do the claims of an entry earn? The system proposes; only a maintainer's decision publishes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from leaderboard.integrity.checks.base import CLEAN, NO_PRIVATE_LB, ClaimResult
from leaderboard.integrity.checks.registry import answers_accepted_by, codes_needed_by


@dataclass(frozen=True)
class TrackRule:
    """A track as data: the checks whose claims must stand, and the answers it takes where not any will do.

    `order` runs from the strictest; boards of a track also show the entries of those it `includes`.
    """

    slug: str
    title: str
    summary: str
    order: int
    required_checks: tuple[str, ...] = ()
    accepts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    includes: tuple[str, ...] = ()
    ranked: bool = True
    warned: bool = False


@dataclass(frozen=True)
class Reason:
    """Why an entry is not on a stricter track: the check, the track that needs it, what to show."""

    check: str
    track: str
    sentence: str


@dataclass(frozen=True)
class Proposal:
    """The strictest track the claims earn, why no stricter one, and competitions a decision should mask."""

    track: str
    reasons: tuple[Reason, ...]
    masked_competitions: tuple[str, ...] = ()


TRACKS: Final[tuple[TrackRule, ...]] = (
    TrackRule(
        slug=CLEAN,
        title="Clean",
        summary="Graded here, disclosed, uncontradicted: trained models, no held-out feedback, three seeds.",
        order=1,
        required_checks=codes_needed_by(CLEAN),
        accepts=answers_accepted_by(CLEAN),
    ),
    TrackRule(
        slug=NO_PRIVATE_LB,
        title="No Private LB",
        summary="The team attests that no signal from the private leaderboard reached the agent.",
        order=2,
        required_checks=codes_needed_by(NO_PRIVATE_LB),
        accepts=answers_accepted_by(NO_PRIVATE_LB),
        includes=(CLEAN,),
    ),
    TrackRule(
        slug="additional",
        title="Additional",
        summary="Shown under a warning and unranked: held-out feedback was used, or it was not disclosed.",
        order=3,
        ranked=False,
        warned=True,
    ),
)


def propose_track(claims: Sequence[ClaimResult], tracks: Sequence[TrackRule] = TRACKS) -> Proposal:
    """The strictest track all of whose required claims stand with an accepted answer, else the last one.

    Reasons are those of the stricter tracks, strictest first. Raises ValueError without any track.
    """
    if not tracks:
        raise ValueError("there is no track to propose")
    by_code = {claim.code: claim for claim in claims}
    ladder = sorted(tracks, key=lambda track: track.order)
    reasons: list[Reason] = []
    for track in ladder:
        unmet = _unmet(track, by_code)
        if not unmet or track is ladder[-1]:
            return Proposal(track.slug, tuple(reasons), _masked(claims))
        reasons += unmet
    raise AssertionError("the last track always returns")


def _unmet(track: TrackRule, claims: Mapping[str, ClaimResult]) -> list[Reason]:
    found = [(code, _objection(track, claims.get(code), code)) for code in track.required_checks]
    return [Reason(code, track.slug, sentence) for code, sentence in found if sentence]


def _objection(track: TrackRule, claim: ClaimResult | None, code: str) -> str:
    """Why the claim does not do for the track; empty if it does."""
    if claim is None:
        return f"The check {code} has not been run."
    if not claim.state.stands:
        return claim.sentence
    accepted = track.accepts.get(code)
    if accepted is None or claim.answer in accepted:
        return ""
    return f"{claim.sentence} {track.title} takes: {', '.join(accepted)}."


def _masked(claims: Sequence[ClaimResult]) -> tuple[str, ...]:
    lists = [claim.evidence.get("masked_competitions", ()) for claim in claims]
    return tuple(sorted({competition for listed in lists for competition in listed}))
