"""Verifies sample events with Python's standard library only: `python3 verify.py samples/*.json`."""

import base64
import hmac
import json
import sys
import time

TOLERANCE_S = 300


def is_genuine(secret, headers, body, now=None):
    """Returns True for a genuine event of the last five minutes. `body` has the received bytes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    event_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit()) or abs((now or time.time()) - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
    return any(hmac.compare_digest(one.encode(), expected) for one in headers["webhook-signature"].split(" "))


if __name__ == "__main__":
    refused = []
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            sample = json.load(file)
        if not is_genuine(sample["secret"], sample["headers"], base64.b64decode(sample["body_base64"])):
            refused.append(name)
    print(f"{len(sys.argv) - 1 - len(refused)} genuine, {len(refused)} refused: {' '.join(refused)}")
    sys.exit(1 if refused else 0)
