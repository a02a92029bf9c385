"""Holds the public record of decisions against signed checkpoints, offline.

Needs Python 3.9+ and `pip install cryptography`.

    python verify_checkpoints.py checkpoints.json decisions.csv

checkpoints.json: what /decisions/checkpoints.json answered, kept from a day on which you trusted the site;
decisions.csv: what /api/v1/decisions/?format=csv answers now. Exits with 1 if anything does not hold, or nothing could
be compared.
"""

from __future__ import annotations

import base64
import csv
import json
import sys
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def is_genuine(checkpoint: dict[str, Any], keys: dict[str, str]) -> bool:
    document = checkpoint["document"]
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(keys[document["key"]]))
        key.verify(base64.b64decode(checkpoint["signature"]), text.encode())
    except (InvalidSignature, ValueError, KeyError):
        return False
    return True


def faults(content: dict[str, Any], decisions: dict[int, dict[str, str]]) -> list[str]:
    keys = {key["key_id"]: key["public_key"] for key in content["keys"]}
    found = []
    for checkpoint in content["checkpoints"]:
        said = checkpoint["document"]
        if not is_genuine(checkpoint, keys):
            found.append(f"the checkpoint after {said['count']} decisions is NOT GENUINE")
        elif said["number"] in decisions and decisions[said["number"]]["hash"] != said["hash"]:
            found.append(f"decision {said['number']} is not the one signed on {said['signed_at']}")
    for number, decision in decisions.items():
        before = decisions.get(number - 1)
        if before and decision["previous_hash"] != before["hash"]:
            found.append(f"decision {number} does not follow decision {number - 1}")
    return found


def main(checkpoints_path: str, decisions_path: str) -> int:
    with open(checkpoints_path, encoding="utf-8") as file:
        content = json.load(file)
    with open(decisions_path, encoding="utf-8", newline="") as file:
        decisions = {int(row["number"]): row for row in csv.DictReader(file)}
    found = faults(content, decisions)
    print("\n".join(found or ["everything that can be compared agrees"]))
    signed = [checkpoint["document"] for checkpoint in content["checkpoints"]]
    compared = sum(said["number"] in decisions for said in signed)
    print(
        f"{len(signed)} checkpoints, {compared} of them on a public decision; {len(decisions)} public decisions"
    )
    if signed:
        newest = max(signed, key=lambda said: said["count"])
        known = sum(number <= newest["number"] for number in decisions)
        print(f"of the {newest['count']} decisions signed by {newest['signed_at']}, {known} are public here")
    return 1 if found or not compared else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
