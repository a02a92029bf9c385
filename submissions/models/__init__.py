"""What arrives: who hands in, what they hand in, and what became of it."""

from submissions.models.announced_part import AnnouncedPart
from submissions.models.closure import Closure
from submissions.models.people import Invitation, Organisation, Team, TeamMember, User
from submissions.models.quota import QuotaPeriod, QuotaUse
from submissions.models.submission import Event, RunCardRevision, Submission
from submissions.models.token import TokenGrant, TokenScope
from submissions.models.upload import Bundle, EvidenceFile, Run, Upload, UploadPart
from submissions.models.validity import ValidityCheck, ValidityHost

__all__ = [
    "AnnouncedPart",
    "Bundle",
    "Closure",
    "Event",
    "EvidenceFile",
    "Invitation",
    "Organisation",
    "QuotaPeriod",
    "QuotaUse",
    "Run",
    "RunCardRevision",
    "Submission",
    "Team",
    "TeamMember",
    "TokenGrant",
    "TokenScope",
    "Upload",
    "UploadPart",
    "User",
    "ValidityCheck",
    "ValidityHost",
]
