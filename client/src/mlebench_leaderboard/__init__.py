"""The client of an MLE-bench leaderboard: `Client` talks to a site, `pack` and `check_archive` need none."""

from .answers import Counts, Ranking, Run, RunCard, Status, Submission, SubmissionDetail
from .check import BundleReport, check_archive, check_files
from .client import AlreadySubmitted, Client
from .errors import ClientError, Exit, Fault, NotSignedIn, Refused, Unreachable
from .found import Found, Wanted
from .http import Patience
from .pack import Packed, look_into, pack
from .parts import FileChanged
from .validity import Validity
from .version import VERSION

__version__ = VERSION

__all__ = [
    "AlreadySubmitted",
    "BundleReport",
    "Client",
    "ClientError",
    "Counts",
    "Exit",
    "Fault",
    "FileChanged",
    "Found",
    "NotSignedIn",
    "Packed",
    "Patience",
    "Ranking",
    "Refused",
    "Run",
    "RunCard",
    "Status",
    "Submission",
    "SubmissionDetail",
    "Unreachable",
    "Validity",
    "Wanted",
    "check_archive",
    "check_files",
    "look_into",
    "pack",
]
