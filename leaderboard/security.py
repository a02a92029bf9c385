"""Settings of accounts and headers: how often somebody may try, and what browsers are told. Pure."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from leaderboard.environment import Environment

# Browsers offer these to pages; no page here asks for one.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "geolocation",
        "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi", "payment",
        "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
        "xr-spatial-tracking",
    )
)  # fmt: skip


def account_limits(env: Environment) -> dict[str, str]:
    """How often, in allauth's words: a count, a time, and what is counted (address, account, or what was typed)."""
    return {
        "login": env.text("THROTTLE_LOGIN", "30/m/ip"),
        "login_failed": env.text("THROTTLE_FAILED", "10/m/ip,5/300s/key"),
        "signup": env.text("THROTTLE_SIGNUP", "10/h/ip"),
        "reset_password": env.text("THROTTLE_RESET", "10/h/ip,3/h/key"),
        "reset_password_from_key": "20/m/ip",
        "change_password": "5/m/user",
        "manage_email": "10/h/user",
        "reauthenticate": "10/m/user",
        "confirm_email": "1/180s/key",
    }


def account_settings(env: Environment) -> Mapping[str, Any]:
    """Everything beside what `settings.py` says of accounts, to be put among the settings."""
    return {
        "ACCOUNT_ADAPTER": "submissions.account_adapter.AccountAdapter",
        "ACCOUNT_RATE_LIMITS": account_limits(env),
        # Whoever finds a session that was left open changes no address without the password.
        "ACCOUNT_REAUTHENTICATION_REQUIRED": True,
        "ACCOUNT_REAUTHENTICATION_TIMEOUT": 600,
        "ACCOUNT_PREVENT_ENUMERATION": True,
        "ACCOUNT_EMAIL_NOTIFICATIONS": True,
        "ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE": False,  # Django ends all others; this one goes on.
        "ALLAUTH_TRUSTED_PROXY_COUNT": env.number("PROXIES", 0),
        "AUDIT_RETENTION": timedelta(days=env.number("AUDIT_RETENTION_DAYS", 400, least=1)),
    }
