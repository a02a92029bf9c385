"""Everything under /api/v1/. Boards and entries are added here beside the submissions."""

from django.urls import include, path

from leaderboard.api import (
    agents,
    competitions,
    decisions,
    entries,
    gradings,
    rankings,
    receipts,
    reports,
    restatements,
    shapes,
    snapshots,
    tracks,
)

app_name = "api"
urlpatterns = [
    path("", include("submissions.api.urls")),
    path("rankings/<slug:track>", rankings.Ranking.as_view(), name="rankings"),
    path("entries/", entries.EntryList.as_view(), name="entries"),
    path("entries/<slug:slug>/receipts", receipts.Receipts.as_view(), name="receipts"),
    path("signing-keys", receipts.SigningKeys.as_view(), name="signing-keys"),
    path("entries/<slug:slug>/grading-report", reports.GradingReport.as_view(), name="grading-report"),
    path("entries/<slug:slug>", entries.EntryDetail.as_view(), name="entry"),
    path("gradings/", gradings.GradingList.as_view(), name="gradings"),
    path("agents/", agents.AgentList.as_view(), name="agents"),
    path("agents/<slug:slug>", agents.AgentDetail.as_view(), name="agent"),
    path("organisations/", agents.OrganisationList.as_view(), name="organisations"),
    path("organisations/<slug:slug>", agents.OrganisationDetail.as_view(), name="organisation"),
    path("decisions/", decisions.DecisionList.as_view(), name="decisions"),
    path("decisions/<int:number>", decisions.DecisionDetail.as_view(), name="decision"),
    path("restatements/", restatements.RestatementList.as_view(), name="restatements"),
    path("pin-moves/", restatements.PinMoveList.as_view(), name="pin-moves"),
    path("snapshots/", snapshots.SnapshotList.as_view(), name="snapshots"),
    path("snapshots/<int:number>", snapshots.SnapshotDetail.as_view(), name="snapshot"),
    path("competitions/", competitions.CompetitionList.as_view(), name="competitions"),
    path("competitions/<slug:competition_id>", competitions.CompetitionDetail.as_view(), name="competition"),
    path(
        "competitions/<slug:competition_id>/shape",
        shapes.CompetitionShape.as_view(),
        name="competition-shape",
    ),
    path("tracks/", tracks.TrackList.as_view(), name="tracks"),
    path("benchmarks/", tracks.BenchmarkList.as_view(), name="benchmarks"),
]
