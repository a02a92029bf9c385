"""What the pages of this app have in common."""

import uuid
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django_htmx.middleware import HtmxDetails
from rest_framework.throttling import ScopedRateThrottle

from submissions.api.limits import ByAddress
from submissions.models import Submission, User
from submissions.reading import with_people


class FormThrottle(ByAddress, ScopedRateThrottle):
    """One of the API's limits, by its scope, for the form that does the same: both count together."""

    def __init__(self, scope: str) -> None:
        self.throttle_scope = scope
        super().__init__()

    def allow(self, request: Any) -> bool:
        view: Any = self  # It looks for the scope on the view.
        return bool(self.allow_request(request, view))


class Visit(HttpRequest):
    """A request as these pages see it. Whoever is not signed in has been turned away before `user` is used as one."""

    user: User
    htmx: HtmxDetails


def visible(request: Visit, public_id: uuid.UUID) -> Submission:
    """For reading; 404 for whoever may not see it."""
    return get_object_or_404(with_people(Submission.objects.visible_to(request.user)), public_id=public_id)


def own(request: Visit, public_id: uuid.UUID) -> Submission:
    """For writing; 404 for everybody but the team."""
    return get_object_or_404(with_people(Submission.objects.of_member(request.user)), public_id=public_id)
