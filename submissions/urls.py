"""The pages of people who submit: their account, teams and submissions."""

from django.urls import path

from submissions.views import account, confirm, run_card, sessions, submission, teams, upload, validity

urlpatterns = [
    path("submit/", upload.new, name="submission-new"),
    path("submissions/", submission.own_list, name="submissions"),
    path("submissions/<uuid:public_id>/", submission.detail, name="submission"),
    path("submissions/<uuid:public_id>/upload/", upload.resume, name="submission-upload"),
    path("submissions/<uuid:public_id>/run-card/", run_card.edit, name="submission-run-card"),
    path("submissions/<uuid:public_id>/confirm/", confirm.confirm_page, name="submission-confirm"),
    path("submissions/<uuid:public_id>/withdraw/", submission.withdraw_page, name="submission-withdraw"),
    path("competitions/<slug:competition_id>/validate/", validity.new, name="validity-check-new"),
    path("validity-checks/<uuid:public_id>/", validity.detail, name="validity-check"),
    path("account/", account.show, name="account"),
    path("account/sessions/", sessions.sessions, name="sessions"),
    path("account/tokens/", account.create_token_page, name="token-create"),
    path("account/tokens/revoke/", account.revoke_token_page, name="token-revoke"),
    path("teams/new/", teams.new, name="team-new"),
    path("teams/<uuid:public_id>/", teams.detail, name="team"),
    path("teams/<uuid:public_id>/invite/", teams.invite_page, name="team-invite"),
    path("teams/<uuid:public_id>/leave/", teams.leave, name="team-leave"),
    path("invitations/<str:secret>/", teams.invitation, name="invitation"),
]
