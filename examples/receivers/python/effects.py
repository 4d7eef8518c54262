"""The effects interface for the sample, for tests only. Starts the receiver, and reports the effects of events."""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import receiver
from store import store

processed = {}
failing = threading.Event()
apply = store.apply


def watched(webhook_id, data):
    if failing.is_set():
        failing.clear()
        raise RuntimeError("failing on purpose, because fail-next was requested")
    place = data["id"] if data else None
    before = store.deliveries.get(place)
    apply(webhook_id, data)
    if store.deliveries.get(place) is not before:
        processed[webhook_id] = processed.get(webhook_id, 0) + 1


store.apply = watched


class Effects(BaseHTTPRequestHandler):
    def do_POST(self):
        failing.set()
        self.send_response(204)
        self.end_headers()

    def do_GET(self):
        _, kind, key = self.path.split("/")
        stored = store.deliveries.get(key, {"version": None, "status": None})
        body = json.dumps({"processed": processed.get(key, 0)} if kind == "events" else stored).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("EFFECTS_PORT", 3001))), Effects)
print("effects", {"port": server.server_port}, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
receiver.main()
