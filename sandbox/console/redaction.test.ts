import { expect, test } from "vitest";
import { credentialsIn, redactHeaders, redactText } from "./redaction.ts";

test.each([
  ["a token request", '{"client_id":"ci_1","client_secret":"my-own secret"}'],
  ["one with spaces and escapes", '{ "client_secret" : "my-own \\"secret" }'],
  ["a name that is written with escapes", '{"client\\u005fsecret":"my-own secret"}'],
  ["a truncated one", '{"client_secret":"my-own secr'],
  ["one that isn't JSON", '{client_id: x, "client_secret": \'my-own'],
  ["a form", "grant_type=client_credentials&client_secret=my-own+secret&x=1"],
  ["a form whose name is encoded", "client%5Fsecret=my-own"],
  ["a query", "/v1/deliveries?access_token=my-own&limit=2"],
  ["an answer with a token", '{"access_token":"my-own","token_type":"Bearer","expires_in":1800}'],
  ["what lies deeper", '{"tokens":{"mine":["my-own"]}}'],
  ["a code that links a restaurant", '{"external_store_id":"s1","pairing_code":"my-own"}'],
])("redacts the secret in %s", (_, text) => {
  const shown = redactText(text);
  expect(shown).not.toContain("my-own");
  expect(shown).toContain("[redacted]");
});

test.each([
  "cs_aJ_Ljn10lh6F6WRNBHZin95S5AzU9TZv1nuERSxrLlY",
  "whsec_c2VjcmV0LW9mLXRoZS10ZXN0",
  "Bearer abc.def",
])("recognizes a secret by its form anywhere: %s", (secret) =>
  expect(redactText(`{"notes":"here it is: ${secret}"}`)).toBe('{"notes":"here it is: [redacted]"}'),
);

test("changes nothing else", () => {
  const body =
    '{ "external_ref": "17",\n  "quantity": 1.50, "quantity": 1.50, "token_type": "Bearer", "n": "a=b&c" }';
  expect(redactText(body)).toBe(body);
});

test("reduces credentials in headers to their scheme, and redacts them elsewhere", () => {
  const authorization = "Bearer a-token-of-mine";
  const known = credentialsIn(authorization);
  expect(
    redactHeaders({ authorization, cookie: "a=b", "x-echo": "a-token-of-mine", accept: "*/*" }, known),
  ).toEqual({
    authorization: "Bearer [redacted]",
    cookie: "[redacted]",
    "x-echo": "[redacted]",
    accept: "*/*",
  });
  expect(redactHeaders({ authorization: "a-token-of-mine" })).toEqual({ authorization: "[redacted]" });
});

test.each([
  ["quotes", '"'.repeat(32_000)],
  ["escaped quotes", '\\"'.repeat(16_000)],
  ["one word", "x".repeat(32_000)],
  ["what lies deep", "[".repeat(32_000)],
])("is fast for %s", (_, text) => expect(redactText(text)).toBe(text));
