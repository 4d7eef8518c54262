import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { Redactor } from "../../core/text/redact.ts";
import { visible } from "../../core/text/visible-text.ts";
import { reproScript } from "./script.ts";
import type { TraceStep } from "./trace.ts";

const BASE = "http://127.0.0.1:1";
const START = Date.parse("2030-05-01T12:00:00.000Z");

const exchangeOf = (changes: Partial<Exchange>): Exchange => ({
  operation: "createDelivery",
  method: "POST",
  url: `${BASE}/v1/deliveries`,
  requestHeaders: {},
  requestBody: undefined,
  startedAt: START,
  durationMs: 10,
  response: undefined,
  failure: undefined,
  violates: undefined,
  ...changes,
});

const answered = (status: number, json: unknown) => {
  const text = JSON.stringify(json);
  return { status, headers: {}, bytes: new TextEncoder().encode(text), text, json };
};

function scriptOf(exchanges: readonly Exchange[], message = "it went wrong", redact = new Redactor()) {
  const trace: readonly TraceStep[] = exchanges.map((exchange) => ({ exchange, at: exchange.startedAt }));
  const finding = { id: "group.check", title: "what has to hold", message, blamed: exchanges.at(-1) };
  const script = reproScript(finding, trace, {
    baseUrl: BASE,
    controlUrl: undefined,
    receiver: undefined,
    redact,
    integrators: [],
    point: { lat: 41, lng: 29 },
  });
  return script ?? "";
}

/** Runs a script where `curl` and `jq` only note what they are called with. */
function calledBy(script: string): { readonly calls: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "repro-"));
  const log = join(folder, "calls");
  for (const tool of ["curl", "jq"]) {
    const file = join(folder, tool);
    writeFileSync(file, `#!/bin/sh\nprintf '%s|' ${tool} "$@" >>'${log}'; echo >>'${log}'\n`);
    chmodSync(file, 0o755);
  }
  const file = join(folder, "repro.sh");
  writeFileSync(file, script);
  const env = { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: folder };
  execFileSync("bash", ["--norc", file], { cwd: folder, env, stdio: "pipe" });
  return { calls: execFileSync("cat", [log], { encoding: "utf8" }), folder };
}

const TRIES = [
  "$(touch ran)-and-more",
  "`touch ran`-and-more",
  "'; touch ran; echo 'and-more",
  '"; touch ran; echo "and-more',
  "$(touch$IFS./ran)and-more",
  "'$(touch$IFS./ran)'and-more",
  "'\"$(touch$IFS./ran)\"'and-more",
  "a\ntouch ran\nand-more",
  "\\'; touch ran; echo \\'",
];

test.for(TRIES)("nothing of a target's is run, wherever it stands: %j", (text) => {
  const first = exchangeOf({ response: answered(201, { [text]: text, id: text, url: `/${text}` }) });
  const second = exchangeOf({
    method: "GET",
    url: `${BASE}/v1/deliveries/${text}`,
    requestHeaders: { "idempotency-key": text },
    requestBody: JSON.stringify({ notes: text }),
    startedAt: START + 20,
    violates: text,
    failure: text,
  });
  const { folder } = calledBy(scriptOf([first, second], text));
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("requests that were under way together go out together, and what comes later waits for them", () => {
  const at = (startedAt: number, path: string) =>
    exchangeOf({
      method: "GET",
      url: `${BASE}${path}`,
      startedAt,
      durationMs: 50,
      response: answered(200, {}),
    });
  const lines = scriptOf([at(START, "/a"), at(START + 10, "/b"), at(START + 60, "/c")]).split("\n");
  const sent = lines.filter((line) => /^call \d|^wait$/.test(line));
  expect(sent).toEqual(["call 1 GET '/a' &", "call 2 GET '/b' &", "wait", "call 3 GET '/c'"]);
});

test("a wait of the run is one of the script, and a question that was asked again and again is asked once", () => {
  const at = (startedAt: number, path: string) =>
    exchangeOf({ method: "GET", url: `${BASE}${path}`, startedAt, response: answered(200, {}) });
  const asked = [0, 30, 60, 2_000].map((after) => at(START + 100 + after, "/b"));
  const lines = scriptOf([at(START, "/a"), ...asked]).split("\n");
  const sent = lines.filter((line) => /^(call \d|sleep)/.test(line));
  expect(sent).toEqual(["call 1 GET '/a'", "sleep 2", "call 2 GET '/b'"]);
});

test("times are as far from now as they were, written as they were", () => {
  const body = JSON.stringify({
    ready_at: "2030-05-01T15:30:00+03:00",
    scheduled_for: "2030-05-02T12:00:00Z",
    without: "2030-05-01T12:00:05",
    fixed: "1999-01-01T00:00:00Z",
  });
  const script = scriptOf([exchangeOf({ requestBody: body })]);
  expect(script).toContain(`"ready_at":"'"$(at 1800 10800 '+03:00')"'"`);
  expect(script).toContain(`"scheduled_for":"'"$(at 86400 0 'Z')"'"`);
  expect(script).toContain(`"without":"'"$(at 5 0 '')"'"`);
  expect(script).toContain("1999-01-01T00:00:00Z");
});

test("characters that nobody sees are sent as they are, and written by their bytes", () => {
  const odd = "a\u001b[2Jb\u202ec\u0085'd\\e\ufeff1";
  const script = scriptOf([exchangeOf({ method: "POST", requestBody: odd })]);
  expect(visible(script)).toBe(script);
  const [, word = ""] = /^printf %s (.*) \| call 1 /m.exec(script) ?? [];
  expect(execFileSync("bash", ["--norc", "-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(odd);
});

test("a secret that nothing stands for is left out", () => {
  const redact = new Redactor();
  redact.add("secret-of-somebody-else");
  const body = JSON.stringify({ notes: "secret-of-somebody-else" });
  const script = scriptOf([exchangeOf({ requestBody: body })], "it went wrong", redact);
  expect(script).not.toContain("secret-of-somebody-else");
});
