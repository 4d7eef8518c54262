"""A small service for trying control.py: tokens, and restaurants linked by pairing codes. Don't use it as a model of a dispatch
service.

    CONTROL_TOKEN=a-long-random-text python3 examples/control/service.py
"""

import json
import os
import secrets
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from control import Control, error

DEFAULT_LIFE_S = 24 * 3600


class Service:
    def __init__(self):
        self.integrators, self.tokens, self.codes, self.companies = {}, {}, {}, {}
        self.restaurants = {}

    # Actions of the company's back office, which the control interface calls.

    def new_integrator(self, kind):
        client_id = f"conform-{uuid.uuid4()}"
        self.integrators[client_id] = {"secret": secrets.token_urlsafe(32), "kind": kind, "closed": False}
        return client_id, self.integrators[client_id]["secret"]

    def new_token(self, client_id):
        """Returns the body of a token response, or None if the credential is closed."""
        if self.integrators[client_id]["closed"]:
            return None
        token = secrets.token_urlsafe(32)
        self.tokens[token] = client_id
        return {"access_token": token, "token_type": "Bearer", "expires_in": 1800}

    def close_integrator(self, client_id):
        self.integrators[client_id]["closed"] = True

    def company(self, name):
        return self.companies.setdefault(name, {"id": str(uuid.uuid4()), "name": name})

    def new_code(self, company, restaurant, expires_in):
        code = secrets.token_hex(4).upper()
        ends = time.time() + (DEFAULT_LIFE_S if expires_in is None else expires_in)
        self.codes[code] = {"company": company, "restaurant": restaurant or code, "ends": ends}
        return code

    # Requests of integrators.

    def token(self, body):
        known = self.integrators.get(body.get("client_id"))
        if not known or known["closed"] or known["secret"] != body.get("client_secret"):
            return 401, error("invalid_client", "İstemci bilgileri hatalı.")
        return 200, self.new_token(body["client_id"])

    def link(self, client_id, body):
        if not isinstance(body.get("external_store_id"), str):
            return 400, error("DOGRULAMA", "Gönderilen veri geçersiz.")
        code = self.codes.get(body.get("pairing_code"))
        if not code or code["ends"] <= time.time():
            return 400, error("ESLEME_KODU_GECERSIZ", "Eşleme kodu geçersiz.")
        if self.restaurants.setdefault(code["restaurant"], client_id) != client_id:
            return 409, error("BASKA_POS", "Mağaza başka bir entegratöre bağlı.")
        del self.codes[body["pairing_code"]]
        store = {"id": str(uuid.uuid4()), "external_store_id": body["external_store_id"], "status": "ACTIVE"}
        return 201, store | {"courier_company": code["company"]}

    def answer(self, method, path, authorization, body):
        if (method, path) == ("POST", "/oauth/token"):
            return self.token(body or {})
        client_id = self.tokens.get((authorization or "").removeprefix("Bearer "))
        if client_id is None or self.integrators[client_id]["closed"]:
            return 401, error("GECERSIZ", "Oturum geçersiz.")
        if self.integrators[client_id]["kind"] != "integrator":
            return 403, error("YETKI_YOK", "Bu işlem için yetkiniz yok.")
        if (method, path) == ("POST", "/v1/stores"):
            return self.link(client_id, body or {})
        return 404, error("BULUNAMADI", "Kayıt bulunamadı.")


service = Service()
control = Control(service, os.environ.get("CONTROL_TOKEN"))
one_at_a_time = Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.split("?")[0]
        below_control = path == "/control" or path.startswith("/control/")
        try:
            body = json.loads(raw) if raw else None
            if body is not None and not isinstance(body, dict):
                raise ValueError("not an object")
        except ValueError:
            return self.send(400, error("DOGRULAMA", "Gönderilen veri geçersiz."))
        with one_at_a_time:
            part, inner = (control, path.removeprefix("/control") or "/") if below_control else (service, path)
            status, answer = part.answer(self.command, inner, self.headers.get("authorization"), body)
        self.send(status, answer)

    do_POST = do_PATCH = do_GET

    def send(self, status, answer):
        raw = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        if raw:
            self.send_header("content-type", "application/json")
        if status != 204:
            self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        """Logs nothing, because a request line may contain a secret."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Handler)
    print("listening", {"port": server.server_port}, flush=True)
    server.serve_forever()
