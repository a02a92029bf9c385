"""What allauth asks this site."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from submissions.address import address_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth says nothing of its types.
    def get_client_ip(self, request: HttpRequest) -> str:
        """The same address as everywhere else; one for all where a socket has none."""
        return address_of(request) or "0.0.0.0"  # noqa: S104  # An address that nobody has, not one to listen on.
