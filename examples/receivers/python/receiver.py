"""A webhook receiver with Python's standard library only. It reads PORT and WEBHOOK_SECRET from the environment."""

import base64
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from store import store

TOLERANCE_S = 300
SECRET = os.environ.get("WEBHOOK_SECRET", "")
KEY = base64.b64decode(SECRET.removeprefix("whsec_") + "==")
if not SECRET.startswith("whsec_") or not KEY:  # never fall back to an empty key
    raise SystemExit("set WEBHOOK_SECRET to the secret of the subscription (whsec_...)")


def refusal(headers, body):
    """Returns the status of the error response, or None for a genuine event. `body` has the raw bytes."""
    event_id, timestamp, signatures = (headers.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not timestamp or not signatures:
        return 400
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return 400
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, signed, "sha256"))
    # Compares bytes, because compare_digest refuses non-ASCII text.
    return None if any(hmac.compare_digest(one.encode(), expected) for one in signatures.split(" ")) else 401


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status = refusal(self.headers, body)
        if status is None:
            try:
                store.take(self.headers["webhook-id"], json.loads(body))
                status = 204
            except Exception as error:  # The service sends the event again.
                self.log_error("not processed: %r", error)
                status = 500
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()


def main():
    # The default, 5, refuses connections when many events arrive at the same time.
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Handler)
    print("listening", {"port": server.server_port}, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
