"""Addresses above those of single things that have no page of their own: each leads to where these are found."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe


@require_safe
def agents(request: HttpRequest) -> HttpResponse:
    """The board of everything, by agent."""
    return redirect(f"{reverse('board')}?track=all&sort=agent")


@require_safe
def organisations(request: HttpRequest) -> HttpResponse:
    """The board of everything, whose filter offers every organisation."""
    return redirect(f"{reverse('board')}?track=all")
