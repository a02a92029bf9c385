"""The signature of a webhook delivery, after the Standard Webhooks convention (version 1, HMAC-SHA256)."""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence

PREFIX = "whsec_"


def to_secret(key: bytes) -> str:
    """The key as a receiver keeps it."""
    return PREFIX + base64.b64encode(key).decode()


def sign(keys: Sequence[bytes], message_id: str, sent_at: int, body: bytes) -> Mapping[str, str]:
    """The three headers. With several keys, while one is being replaced, each signs."""
    text = f"{message_id}.{sent_at}.".encode() + body
    signed = [base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode() for key in keys]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_at),
        "webhook-signature": " ".join(f"v1,{each}" for each in signed),
    }
