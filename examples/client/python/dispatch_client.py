"""A client of the Courier Dispatch Integration Service with Python's standard library. It opens a connection for each
request, waits with full jitter, and reads one delivery per page.

    npm run client -- -- python3 examples/client/python/dispatch_client.py
"""

import http.client
import json
import os
import random
import time
import uuid
from datetime import datetime, timedelta, timezone
from urllib.parse import urlencode, urlsplit

MAX_ATTEMPTS = 10
ISTANBUL = timezone(timedelta(hours=3))


class Client:
    def __init__(self, base_url, client_id, client_secret, time_scale=1.0):
        self.address = urlsplit(base_url)
        self.credentials = {"client_id": client_id, "client_secret": client_secret}
        self.time_scale = time_scale
        self.token = None

    def call(self, method, path, body=None, key=None):
        """Sends a request until a final response. Returns the status and the parsed body."""
        renewed = False
        failures = 0
        while True:
            if self.token is None:
                self.token = self.fetch_token()
            headers = {"Authorization": f"Bearer {self.token}"}
            if key:
                headers["Idempotency-Key"] = key
            status, answer, wait = self.send(method, path, body, headers)
            if status == 401 and not renewed:
                renewed, self.token = True, None
                continue
            failures += 1
            if not is_transient(status) or failures == MAX_ATTEMPTS:
                return status, answer
            self.pause(failures, wait)

    def fetch_token(self):
        for failures in range(1, MAX_ATTEMPTS + 1):
            status, answer, wait = self.send(
                "POST", "/oauth/token", {"grant_type": "client_credentials", **self.credentials}, {}
            )
            if status == 200:
                return answer["access_token"]
            if not is_transient(status):
                break
            self.pause(failures, wait)
        raise SystemExit("the token request failed")

    def send(self, method, path, body, headers):
        """One attempt. Returns the status (None if the connection broke), the parsed body, and the seconds of retry-after."""
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        content = None
        if body is not None:
            content = json.dumps(body)
            headers = {**headers, "Content-Type": "application/json"}
        try:
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            text = response.read()
            wait = response.getheader("retry-after") or "0"
            return response.status, parsed(text), int(wait) if wait.isdigit() else 0
        except (OSError, http.client.HTTPException):
            return None, None, 0
        finally:
            connection.close()

    def pause(self, failures, asked):
        backoff = random.uniform(0, min(2 ** (failures - 1), 60))
        time.sleep(max(backoff, asked) * self.time_scale)

    def catch_up(self):
        """Yields every delivery, page by page. Starts again if the service refuses the cursor."""
        cursor = None
        while True:
            query = {"limit": 1, **({"since": cursor} if cursor else {})}
            status, page = self.call("GET", f"/v1/deliveries?{urlencode(query)}")
            if code_of(page) == "IMLEC_GECERSIZ":
                cursor = None
                continue
            if status != 200:
                raise SystemExit(f"the list request got {status}")
            yield from page["items"]
            cursor = page.get("next_cursor")
            if not page["has_more"]:
                return


def is_transient(status):
    return status is None or status == 429 or status >= 500


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def code_of(answer):
    return answer.get("error", {}).get("code") if isinstance(answer, dict) else None


def an_order(number):
    dropoff = {"text": f"Moda Caddesi {number}, Kadıköy"}
    if number % 4:
        dropoff.update(lat=41.0092, lng=28.9794)
    return {
        "external_ref": f"python-{number}",
        "store": {"external_store_id": "python-1"},
        "customer": {"name": f"Müşteri {number}", "phone": "+905321234567"},
        "dropoff": dropoff,
        "payment": {"type": "NAKIT", "amount_due": 80},
        "ready_at": (datetime.now(ISTANBUL) + timedelta(minutes=20)).isoformat(timespec="seconds"),
    }


def main():
    client = Client(
        os.environ["BASE_URL"],
        os.environ["CLIENT_ID"],
        os.environ["CLIENT_SECRET"],
        float(os.environ.get("TIME_SCALE", "1")),
    )
    store = {
        "external_store_id": "python-1",
        "pairing_code": os.environ["PAIRING_CODE"],
        "name": "Moda Mutfak",
        "address": {"text": "Moda Caddesi 10, Kadıköy", "lat": 41.0082, "lng": 28.9784},
    }
    client.call("POST", "/v1/stores", store)
    for number in range(1, 21):
        status, answer = client.call("POST", "/v1/deliveries", an_order(number), key=uuid.uuid4().hex)
        if status not in (200, 201):
            print(f"order {number}: {status} {code_of(answer)}")
    print(f"{sum(1 for _ in client.catch_up())} changes read")


if __name__ == "__main__":
    main()
