"""Every list of the site: the name of its route, where it is, and who may read it.

Those that are no lists are named too, so that a new route is one or the other.
"""

from __future__ import annotations

from enum import Enum


class Reader(Enum):
    ANYBODY = "anybody"
    OWNER = "owner"
    MAINTAINER = "maintainer"


ANYBODY, OWNER, MAINTAINER = Reader
LISTS: dict[str, tuple[str, Reader]] = {
    "board": ("/", ANYBODY),
    "board-track": ("/boards/mle-bench-v1/no-private-lb/all/", ANYBODY),
    "entry": ("/entries/entry-0/", ANYBODY),
    "flags": ("/flags/", ANYBODY),
    "flags-own": ("/flags/yours/", OWNER),
    "agent": ("/agents/agent-0/", ANYBODY),
    "organisation": ("/organisations/organisation-0/", ANYBODY),
    "compare": ("/compare/", ANYBODY),
    "competitions": ("/competitions/", ANYBODY),
    "competition": ("/competitions/{competition}/", ANYBODY),
    "charts": ("/charts/", ANYBODY),
    "charts-of": ("/charts/mle-bench-v1/", ANYBODY),
    "insights": ("/insights/", ANYBODY),
    "restatements": ("/restatements/", ANYBODY),
    "snapshots": ("/snapshots/", ANYBODY),
    "decisions": ("/decisions/", ANYBODY),
    "checkpoints": ("/decisions/checkpoints.json", ANYBODY),
    "feed-entries": ("/feeds/entries.atom", ANYBODY),
    "feed-decisions": ("/feeds/decisions.atom", ANYBODY),
    "docket": ("/docket/", MAINTAINER),
    "docket-case": ("/docket/{review}/", MAINTAINER),
    "audit": ("/docket/audit/", MAINTAINER),
    "closing": ("/docket/closing/", MAINTAINER),
    "entry-pins": ("/entries/entry-0/pins/", MAINTAINER),
    "competition-pins": ("/competitions/{competition}/pins/", MAINTAINER),
    "webhooks": ("/account/webhooks/", OWNER),
    "notice-settings": ("/account/notices/", OWNER),
    "status": ("/status/", ANYBODY),
    "submissions": ("/submissions/", OWNER),
    "submission": ("/submissions/{submission}/", OWNER),
    "submission-new": ("/submit/", OWNER),
    "account": ("/account/", OWNER),
    "team": ("/teams/{team}/", OWNER),
    "api:submissions": ("/api/v1/submissions", OWNER),
    "api:rankings": ("/api/v1/rankings/no-private-lb", ANYBODY),
    "api:entries": ("/api/v1/entries/", ANYBODY),
    "api:entry": ("/api/v1/entries/entry-0", ANYBODY),
    "api:gradings": ("/api/v1/gradings/", ANYBODY),
    "api:agents": ("/api/v1/agents/", ANYBODY),
    "api:agent": ("/api/v1/agents/agent-0", ANYBODY),
    "api:organisations": ("/api/v1/organisations/", ANYBODY),
    "api:organisation": ("/api/v1/organisations/organisation-0", ANYBODY),
    "api:decisions": ("/api/v1/decisions/", ANYBODY),
    "api:flags": ("/api/v1/flags/", ANYBODY),
    "api:case": ("/api/v1/docket/{review}", MAINTAINER),
    "api:intake": ("/api/v1/intake", ANYBODY),
    "api:questions": ("/api/v1/questions/", OWNER),
    "api:restatements": ("/api/v1/restatements/", ANYBODY),
    "api:pin-moves": ("/api/v1/pin-moves/", ANYBODY),
    "api:snapshots": ("/api/v1/snapshots/", ANYBODY),
    "api:competitions": ("/api/v1/competitions/", ANYBODY),
    "api:competition": ("/api/v1/competitions/{competition}", ANYBODY),
    "api:tracks": ("/api/v1/tracks/", ANYBODY),
    "api:benchmarks": ("/api/v1/benchmarks/", ANYBODY),
    "api:signing-keys": ("/api/v1/signing-keys", ANYBODY),
}
# One thing each, a form, or a text: what they show does not grow with what is stored.
NO_LISTS = frozenset(
    # A text, since a list would take a line for each.
    (  # noqa: SIM905
        """
        agents organisations
        entry-number entry-brief entry-badge entry-move entry-withdraw entry-mask entry-unmask entry-flag
        entry-report entry-annotate flag flag-evidence flag-reply flag-answer decision decision-evidence
        decision-appeal appeal-answer snapshot docket-publish case-ask case-annotate claim-verify claim-lift
        finding-answer code-match question submission-source organisation-verify webhook webhook-action
        notice-unsubscribe submission-evidence docs track-rules statistics doc doc-example about healthz
        readyz metrics run-card-schema styleguide submission-upload submission-run-card submission-confirm
        submission-withdraw decision-correct validity-check-new validity-check sessions own-data own-data-export
        token-create token-revoke team-new team-invite team-leave invitation api:submission api:upload api:upload-part
        api:upload-parts api:upload-complete api:run-card api:confirm api:withdraw api:validate
        api:validity-check api:receipts api:grading-report api:decision api:flag api:question-answer
        api:source api:snapshot api:competition-shape
        """
    ).split()
)
