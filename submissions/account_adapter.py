"""What allauth asks this site."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import DatabaseError
from django.http import HttpRequest

from submissions.address import address_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth says nothing of its types.
    def get_client_ip(self, request: HttpRequest) -> str:
        """The same address as everywhere else; one for all where a socket has none."""
        return address_of(request) or "0.0.0.0"  # noqa: S104  # An address that nobody has, not one to listen on.

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """As allauth does it; but tries that the database fails are not counted among those with a wrong password."""
        try:
            user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        except DatabaseError:
            self._rollback_login_failed_rl_usage()
            raise
        return user
