"""The submission API's addresses, included under /api/v1/ in the namespace `api`."""

from django.urls import path

from submissions.api import validity, views

urlpatterns = [
    path("submissions", views.SubmissionList.as_view(), name="submissions"),
    path("submissions/<uuid:public_id>", views.SubmissionDetail.as_view(), name="submission"),
    path("submissions/<uuid:public_id>/upload", views.UploadDetail.as_view(), name="upload"),
    path("submissions/<uuid:public_id>/parts", views.PartAddresses.as_view(), name="upload-parts"),
    path("submissions/<uuid:public_id>/parts/<int:number>", views.PartUpload.as_view(), name="upload-part"),
    path("submissions/<uuid:public_id>/complete", views.UploadComplete.as_view(), name="upload-complete"),
    path("submissions/<uuid:public_id>/run-card", views.RunCard.as_view(), name="run-card"),
    path("submissions/<uuid:public_id>/confirm", views.Confirm.as_view(), name="confirm"),
    path("submissions/<uuid:public_id>/withdraw", views.Withdraw.as_view(), name="withdraw"),
    path("competitions/<slug:competition_id>/validate", validity.Validate.as_view(), name="validate"),
    path("validity-checks/<uuid:public_id>", validity.ValidityCheckDetail.as_view(), name="validity-check"),
]
