"""Teams: making one, inviting people, joining, leaving."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from submissions.forms import TeamForm
from submissions.membership import leave_team
from submissions.models import Team
from submissions.people import PeopleError, accept_invitation, create_team, find_invitation, invite
from submissions.views.shared import Visit


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new(request: Visit) -> HttpResponse:
    """The form; posted, a team with its organisation and the user as owner."""
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            team = create_team(request.user, form.cleaned_data["name"], form.cleaned_data["organisation"])
            return redirect("team", team.public_id)
        except PeopleError as error:
            form.add_error("organisation", str(error))
    return render(request, "submissions/team_new.html", {"form": form})


@never_cache
@require_safe
def detail(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """Members and organisation, for members."""
    return _team_page(request, _own_team(request, public_id))


@never_cache
@require_POST
def invite_page(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    """The team page with a new invitation link, which is shown this once."""
    team = _own_team(request, public_id)
    secret = invite(team, request.user, timezone.now())
    return _team_page(request, team, secret)


@never_cache
@require_POST
def leave(request: Visit, public_id: uuid.UUID) -> HttpResponse:
    team = _own_team(request, public_id)
    try:
        leave_team(team, request.user)
    except PeopleError as error:
        messages.error(request, str(error))
        return redirect("team", public_id)
    messages.success(request, f"You have left {team.name}.")
    return redirect("account")


@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: Visit, secret: str) -> HttpResponse:
    """Whose invitation it is; posted by somebody signed in, it is accepted."""
    if request.method == "POST" and request.user.is_authenticated:
        try:
            team = accept_invitation(secret, request.user, timezone.now())
            messages.success(request, f"You have joined {team.name}.")
            return redirect("team", team.public_id)
        except PeopleError as error:
            messages.error(request, str(error))
    found = find_invitation(secret, timezone.now())
    return render(request, "submissions/invitation.html", {"invitation": found}, status=200 if found else 404)


def _own_team(request: Visit, public_id: uuid.UUID) -> Team:
    return get_object_or_404(
        Team.objects.of(request.user).select_related("organisation"), public_id=public_id
    )


def _team_page(request: Visit, team: Team, secret: str = "") -> HttpResponse:
    members = team.members.select_related("user").order_by("joined_at", "pk")
    link = request.build_absolute_uri(reverse("invitation", args=[secret])) if secret else ""
    return render(request, "submissions/team.html", {"team": team, "members": members, "link": link})
