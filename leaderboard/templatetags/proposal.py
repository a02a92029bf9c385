"""The track a submission's run card earns as it stands now, for pages of the team and of maintainers."""

from dataclasses import dataclass

from django import template

from leaderboard.integrity.claims import proposal_for
from leaderboard.integrity.proposal import Proposal
from leaderboard.models import Track
from submissions.models import Submission

register = template.Library()


@dataclass(frozen=True)
class ProposedTrack:
    """The track and, for each stricter one, why not. `masked`: competitions a decision would leave uncounted."""

    track: Track | None
    reasons: tuple[tuple[str, tuple[str, ...]], ...]
    masked: tuple[str, ...]


@register.simple_tag
def proposed_track(submission: Submission, known: Proposal | None = None) -> ProposedTrack:
    """{% proposed_track submission as proposed %}; `leaderboard/_proposed_track.html` draws it.

    `known`: where the page has asked for the proposal already.
    """
    proposal = known or proposal_for(submission)
    tracks = {track.slug: track for track in Track.objects.all()}
    sentences: dict[str, list[str]] = {}
    for reason in proposal.reasons:
        sentences.setdefault(reason.track, []).append(reason.sentence)
    reasons = ((tracks[slug].title, tuple(said)) for slug, said in sentences.items())
    return ProposedTrack(tracks.get(proposal.track), tuple(reasons), proposal.masked_competitions)
