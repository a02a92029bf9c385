"""The public pages and those of maintainers."""

from django.urls import path

from leaderboard.views import board, competition, decisions, docket, entry, pages, review

urlpatterns = [
    path("", board.board, name="board"),
    path("boards/<slug:benchmark>/<slug:track>/<slug:split>/", board.board, name="board-track"),
    path("entries/<int:number>/", entry.by_number, name="entry-number"),
    path("entries/<slug:slug>/", entry.entry, name="entry"),
    path("entries/<slug:slug>/move/", review.move, name="entry-move"),
    path("entries/<slug:slug>/withdraw/", review.withdraw, name="entry-withdraw"),
    path("entries/<slug:slug>/flag/", review.flag, name="entry-flag"),
    path("flags/<int:number>/", review.answer, name="flag-answer"),
    path("competitions/", competition.competitions, name="competitions"),
    path("competitions/<slug:competition_id>/", competition.competition, name="competition"),
    path("decisions/<int:number>/", decisions.decision, name="decision"),
    path("docket/", docket.docket, name="docket"),
    path("docket/<uuid:submission>/", docket.case, name="docket-case"),
    path("docket/<uuid:submission>/publish/", docket.publish_page, name="docket-publish"),
    path("organisations/<slug:slug>/verify/", docket.verify, name="organisation-verify"),
    path("docs/", pages.docs, name="docs"),
    path("docs/tracks/", pages.doc, name="track-rules"),
    path("docs/<slug:slug>/", pages.doc, name="doc"),
    path("docs/<str:name>", pages.example, name="doc-example"),
    path("status/", pages.status, name="status"),
    path("healthz", pages.healthz, name="healthz"),
    path("readyz", pages.readyz, name="readyz"),
    path("schemas/run-card/1.json", pages.run_card_schema, name="run-card-schema"),
    path("styleguide/", pages.styleguide, name="styleguide"),
]
