"""Checks signed receipts of the MLE-bench leaderboard offline. Needs Python 3.9+ and `pip install cryptography`.

    python verify_receipts.py receipts.json keys.json

receipts.json: what /api/v1/entries/<slug>/receipts answered; keys.json: what /api/v1/signing-keys answered, kept
from a day on which you trusted the site. Exits with 1 if any receipt does not hold.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def canonical(document: dict[str, Any]) -> bytes:
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def verdict(receipt: dict[str, Any], keys: dict[str, str]) -> str:
    document = receipt["document"]
    if document.get("key") not in keys:
        return "signed by an unknown key"
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(keys[document["key"]]))
        key.verify(base64.b64decode(receipt["signature"]), canonical(document))
    except (InvalidSignature, ValueError):
        return "NOT GENUINE"
    return "genuine"


def main(receipts_path: str, keys_path: str) -> int:
    with open(keys_path, encoding="utf-8") as file:
        keys = {key["key_id"]: key["public_key"] for key in json.load(file)}
    with open(receipts_path, encoding="utf-8") as file:
        receipts = json.load(file)
    verdicts = []
    for receipt in receipts:
        document, found = receipt["document"], verdict(receipt, keys)
        verdicts.append(found)
        where = f"entry {document.get('entry')}, seed {document.get('seed')}, {document.get('competition')}"
        print(f"{found}: {where}: {document.get('outcome')} {document.get('score')} {document.get('medal')}")
    print(f"{verdicts.count('genuine')} of {len(verdicts)} receipts are genuine")
    return 0 if verdicts and set(verdicts) == {"genuine"} else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
