"""Everything under /api/v1/. Boards and entries are added here beside the submissions."""

from django.urls import include, path

from leaderboard.api import competitions, entries, rankings, reports, tracks

app_name = "api"
urlpatterns = [
    path("", include("submissions.api.urls")),
    path("rankings/<slug:track>", rankings.Ranking.as_view(), name="rankings"),
    path("entries/", entries.EntryList.as_view(), name="entries"),
    path("entries/<slug:slug>/grading-report", reports.GradingReport.as_view(), name="grading-report"),
    path("entries/<slug:slug>", entries.EntryDetail.as_view(), name="entry"),
    path("competitions/", competitions.CompetitionList.as_view(), name="competitions"),
    path("competitions/<slug:competition_id>", competitions.CompetitionDetail.as_view(), name="competition"),
    path("tracks/", tracks.TrackList.as_view(), name="tracks"),
    path("benchmarks/", tracks.BenchmarkList.as_view(), name="benchmarks"),
]
