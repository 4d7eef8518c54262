import { expect, test } from "vitest";
import {
  anExchange,
  aReport,
  CONTROL_CHARACTERS,
  FAILED,
  HOSTILE,
  hostileReport,
} from "../testing/sample-report.ts";
import { renderHttpFile } from "./http-file.ts";

const checkOf = ({ checks }: ReturnType<typeof aReport>, id: string) => {
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`no check ${id}`);
  return found;
};

const outcome = { status: "failed", duration_ms: 1, requests: 2, message: "it was created twice" } as const;

test("the requests are in order, each with its headers and body, and the token is a variable at the top", () => {
  const request = {
    method: "POST",
    url: "https://x.example/v1/deliveries",
    headers: { authorization: "Bearer [redacted]", "idempotency-key": "k-1" },
    body: '{"external_ref":"A-1"}',
  };
  const response = { status: 201, headers: {}, body: "{}" };
  const exchanges = [anExchange({ request, response }), anExchange({ request, response })];
  const report = aReport({ outcomes: { [FAILED]: { ...outcome, actual: "201", exchanges } } });
  const text = renderHttpFile(checkOf(report, FAILED)) ?? "";
  const [head = "", first = "", second = ""] = text.split(/^(?=### )/m);
  expect(head).toMatch(/^# \S+: /);
  expect(head).toContain("# it was created twice\n");
  expect(head).toContain("# actual: 201\n");
  expect(head).toContain("\n@token = ");
  expect(first.split("\n")).toEqual([
    expect.stringMatching(/^### 1\. \w+, response 201$/),
    "POST https://x.example/v1/deliveries",
    "authorization: Bearer {{token}}",
    "idempotency-key: k-1",
    "",
    '{"external_ref":"A-1"}',
    "",
    "",
  ]);
  expect(second).toMatch(/^### 2\. .*; the failure is about this request$/m);
});

test("a check without requests has no file", () => {
  expect(renderHttpFile(checkOf(aReport({ outcomes: { [FAILED]: outcome } }), FAILED))).toBeUndefined();
});

test("a target's text adds no request and no terminal sequence", () => {
  const text = renderHttpFile(checkOf(hostileReport(), FAILED)) ?? "";
  expect([...CONTROL_CHARACTERS].filter((one) => text.includes(one))).toEqual([]);
  expect(text.match(/^###/gm)).toHaveLength(2);
  expect(HOSTILE).toContain("\n");
});
