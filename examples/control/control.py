"""Five operations of the control interface, with Python's standard library only.

openapi/control.yaml defines the interface. In your own service, replace `service`: each operation calls the same code as the
service's own back office.
"""

import hmac
import re

class Invalid(Exception):
    """The request body is invalid. The argument names the field."""


class Control:
    """Handles requests below the control interface's URL. Without a token there is no control interface."""

    def __init__(self, service, token):
        self.service = service
        self.token = token
        self.operations = {
            "describeControl": ("GET", r"/", self.describe),
            "createIntegrator": ("POST", r"/integrators", self.create_integrator),
            "issueToken": ("POST", r"/integrators/([^/]+)/token", self.issue_token),
            "closeIntegrator": ("POST", r"/integrators/([^/]+)/close", self.close_integrator),
            "issuePairingCode": ("POST", r"/pairing-codes", self.issue_pairing_code),
        }

    def answer(self, method, path, authorization, body):
        """Returns the status and the body of a response. `body` is the request's parsed JSON, or None."""
        if not self.token:
            return 404, error("BULUNAMADI", "Kayıt bulunamadı.")
        # Compares in constant time, so that the duration doesn't reveal part of the token.
        if not hmac.compare_digest((authorization or "").encode(), f"Bearer {self.token}".encode()):
            return 401, error("KIMLIK_YOK", "Kimlik bilgisi gerekli.")
        for wanted, pattern, operation in self.operations.values():
            found = re.fullmatch(pattern, path)
            if method == wanted and found:
                try:
                    return operation(body or {}, *found.groups())
                except Invalid as reason:
                    return 400, error("DOGRULAMA", f"Gönderilen veri geçersiz: {reason}")
                except KeyError:
                    break
        return 404, error("BULUNAMADI", "Kayıt bulunamadı.")

    def describe(self, _body):
        """Lists the implemented operations. Checks that need others are reported as not verified, never as failed."""
        return 200, {
            "service": "example-dispatch",
            "version": "1.0.0",
            "operations": list(self.operations),
            "clock": "real",
        }

    def create_integrator(self, body):
        kind = text(body, "kind", "integrator")
        if kind not in ("integrator", "other"):
            raise Invalid("kind")
        client_id, client_secret = self.service.new_integrator(kind)
        return 201, {"client_id": client_id, "client_secret": client_secret}

    def issue_token(self, _body, client_id):
        token = self.service.new_token(client_id)
        if token is None:
            return 409, error("KIMLIK_KAPALI", "Bu kimlik kapatılmış.")
        return 201, token

    def close_integrator(self, _body, client_id):
        self.service.close_integrator(client_id)
        return 204, None

    def issue_pairing_code(self, body):
        expires_in = body.get("expires_in")
        if expires_in is not None and (not isinstance(expires_in, int) or isinstance(expires_in, bool)):
            raise Invalid("expires_in")
        company = self.service.company(text(body, "courier_company", "Example Couriers"))
        code = self.service.new_code(company, text(body, "restaurant", None), expires_in)
        return 201, {"pairing_code": code, "courier_company": company}


def text(body, key, default):
    value = body.get(key, default)
    if value is not default and not isinstance(value, str):
        raise Invalid(key)
    return value


def error(code, message):
    return {"error": {"code": code, "message": message}}
