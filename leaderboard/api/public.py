"""What the public routes have in common."""

from knox.auth import TokenAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.views import APIView


class PublicView(APIView):
    """Readable by everybody and the same for everybody.

    A token only raises the throttle. Sessions are not looked at, so that no answer varies by cookie.
    """

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]
