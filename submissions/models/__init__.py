"""What arrives: who hands in, what they hand in, and what became of it."""

from submissions.models.people import Invitation, Organisation, Team, TeamMember, User
from submissions.models.submission import Event, RunCardRevision, Submission
from submissions.models.upload import Bundle, EvidenceFile, Run, Upload, UploadPart

__all__ = [
    "Bundle",
    "Event",
    "EvidenceFile",
    "Invitation",
    "Organisation",
    "Run",
    "RunCardRevision",
    "Submission",
    "Team",
    "TeamMember",
    "Upload",
    "UploadPart",
    "User",
]
