import { expect, test } from "vitest";
import { Redactor } from "./redact.ts";

const SECRET = `s"e\\c/r et+42`;
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwb3MifQ.c2lnbmF0dXJl";

const redactor = () => {
  const redact = new Redactor();
  redact.add(SECRET, TOKEN);
  return redact;
};

test.each([
  ["as it is", SECRET],
  ["in an address", `https://x.example/?q=${encodeURIComponent(SECRET)}`],
  ["in JSON", JSON.stringify({ debug: SECRET })],
  ["in JSON in JSON", JSON.stringify({ log: JSON.stringify({ debug: SECRET }) })],
])("a secret %s is redacted", (_, text) => {
  const shown = redactor().text(text);
  expect(shown).toContain("[redacted]");
  expect(shown).not.toMatch(/s.{0,3}"e|c\/r|et\+42|c%2Fr/);
});

test("the beginning of a secret that was cut is redacted", () => {
  expect(redactor().text(`expected '${TOKEN.slice(0, 39)}…' to be undefined`)).toBe(
    "expected '[redacted]…' to be undefined",
  );
});

test("a text that was cut elsewhere stays", () => {
  expect(redactor().text("expected 'eyJ…' and 'Mercimek çor…'")).toBe("expected 'eyJ…' and 'Mercimek çor…'");
});

test("what stands under a key that is secret is redacted without being known", () => {
  expect(redactor().body('{"secret":"whsec_\\"abc","id":"1"}')).toBe('{"secret":"[redacted]","id":"1"}');
});

test("a secret of an answer is redacted wherever it is repeated", () => {
  const redact = new Redactor();
  redact.learn({ items: [{ id: "1", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }] });
  expect(redact.text("debug=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe("debug=[redacted]");
});
