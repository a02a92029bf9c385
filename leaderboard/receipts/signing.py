"""Signing receipts and checkpoints: Ed25519 over canonical JSON. Pure. Scripts in `docs/` check it elsewhere.

Source: RFC 8032 for Ed25519. Canonical here means: UTF-8, keys sorted, no blanks, no NaN.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY_ID_LENGTH = 16


def canonical(document: Mapping[str, Any]) -> bytes:
    """The very bytes that are signed. Raises ValueError for a number that is not finite."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def key_id(public: Ed25519PublicKey) -> str:
    """The first hex digits of the SHA-256 of the raw public key."""
    return hashlib.sha256(raw_key(public)).hexdigest()[:KEY_ID_LENGTH]


def raw_key(public: Ed25519PublicKey) -> bytes:
    """The 32 bytes of the key."""
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def sign(document: Mapping[str, Any], key: Ed25519PrivateKey) -> str:
    """The signature in base64."""
    return base64.b64encode(key.sign(canonical(document))).decode()


def is_genuine(document: Mapping[str, Any], signature: str, public_key: str) -> bool:
    """Whether the key (base64) signed this document. What is no key or no signature has not."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key))
        key.verify(base64.b64decode(signature), canonical(document))
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True
