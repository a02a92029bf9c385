"""The benchmark's grading report: read where a team hands one in, compared, and written. Pure."""

from leaderboard.grading_reports.claimed import ClaimedLine, read_claims
from leaderboard.grading_reports.compare import Comparison, Difference, OurRun, compare
from leaderboard.grading_reports.write import ReportLine, write_report

__all__ = [
    "ClaimedLine",
    "Comparison",
    "Difference",
    "OurRun",
    "ReportLine",
    "compare",
    "read_claims",
    "write_report",
]
