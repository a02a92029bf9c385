"""What other packages put into the admin and has no place there."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin import AdminSite
from django.contrib.auth.models import Group
from knox.models import AuthToken

# Secrets of second factors, digests of tokens and keys of sessions are nobody's to look at; groups mean nothing here.
WITHHELD = (Authenticator, UserSession, AuthToken, Group)


def withhold(site: AdminSite) -> None:
    """Takes them out again. To be called once every app has registered its own."""
    for model in WITHHELD:
        if site.is_registered(model):
            site.unregister(model)
