"""What the sample keeps, in memory. In yours it is a database, and `take` one transaction: the event's id under a unique
key, and the delivery written `where version < ...`. Both or none: an event whose processing failed comes again."""

import threading


class Store:
    def __init__(self):
        self.taken = set()
        self.deliveries = {}
        self.lock = threading.Lock()

    def take(self, webhook_id, event):
        """Takes an event once, and only lets a later version replace an earlier one: events overtake each other."""
        with self.lock:
            if webhook_id not in self.taken:
                self.apply(webhook_id, event["data"])
                self.taken.add(webhook_id)

    def apply(self, webhook_id, data):
        held = data and self.deliveries.get(data["id"])
        if data and (held is None or data["version"] >= held["version"]):
            self.deliveries[data["id"]] = {"version": data["version"], "status": data["status"]}


store = Store()
