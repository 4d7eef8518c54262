"""An in-memory store for the sample. In production, use a database, and make `take` one transaction that inserts the event's id
under a unique key and writes the delivery `where version < ...`. If it fails, the service sends the event again."""

import threading


class Store:
    def __init__(self):
        self.processed_ids = set()
        self.deliveries = {}
        self.lock = threading.Lock()

    def take(self, webhook_id, event):
        """Processes an event once. Only a later version replaces an earlier one, because events can arrive out of order."""
        with self.lock:
            if webhook_id not in self.processed_ids:
                self.apply(webhook_id, event["data"])
                self.processed_ids.add(webhook_id)

    def apply(self, webhook_id, data):
        stored = data and self.deliveries.get(data["id"])
        if data and (stored is None or data["version"] >= stored["version"]):
            self.deliveries[data["id"]] = {"version": data["version"], "status": data["status"]}


store = Store()
