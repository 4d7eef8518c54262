import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { Redactor } from "../../core/text/redact.ts";
import { visible } from "../../core/text/visible-text.ts";
import { newStoreId } from "../session/own-stores.ts";
import type { ReproFinding } from "./finding.ts";
import { type ReproScriptOptions, reproScript } from "./script.ts";
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

const MESSAGE = "the version, notes, courier or eta_dropoff_at went wrong";

function scriptOf(
  exchanges: readonly Exchange[],
  message = MESSAGE,
  redact = new Redactor(),
  changes: Partial<ReproFinding> = {},
  integrators: ReproScriptOptions["integrators"] = [],
) {
  const trace: readonly TraceStep[] = exchanges.map((exchange) => ({ exchange, at: exchange.startedAt }));
  const blamed = exchanges.at(-1);
  const finding = { id: "group.check", title: "what has to hold", message, blamed, ...changes };
  const script = reproScript(finding, trace, {
    baseUrl: BASE,
    controlUrl: undefined,
    receiver: undefined,
    redact,
    integrators,
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
  spawnSync("bash", ["--norc", file], { cwd: folder, env, stdio: "pipe" });
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

/** How a script ends where every call is answered the same. */
function judgedOn(script: string, status: number, answer: string) {
  const folder = mkdtempSync(join(tmpdir(), "repro-"));
  writeFileSync(join(folder, "answer"), answer);
  const curl = join(folder, "curl");
  // Where to is said by -o, as curl has it.
  writeFileSync(
    curl,
    `#!/bin/bash\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && cp '${folder}/answer' "$2"; shift; done\nprintf '${status} 1'\n`,
  );
  chmodSync(curl, 0o755);
  const env = { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: folder };
  const end = spawnSync("bash", ["--norc", "-c", script], { cwd: folder, env, encoding: "utf8" });
  return {
    ...end,
    last: end.stdout.trimEnd().split("\n").at(-1) ?? "",
    hasRun: existsSync(join(folder, "ran")),
  };
}

const asked = (json: unknown, message?: string) =>
  scriptOf([exchangeOf({ method: "GET", response: answered(200, json) })], message);

test.for(TRIES)("nothing of what is judged is run, then or now: %j", (text) => {
  const then = asked({ [text]: text, id: text, list: [text] }, text);
  const now = JSON.stringify({ [`${text}2`]: text, id: `${text}2`, list: [text, text] });
  const { hasRun, last, stderr } = judgedOn(then, 200, now);
  expect(stderr).toBe("");
  expect(hasRun).toBe(false);
  expect(last).toMatch(/^NOT REPEATED: call 1 \(GET \/v1\/deliveries\) has /);
});

test("what would act on a terminal isn't shown by the judgement, and secrets aren't either", () => {
  const odd = "a\u001b[2Jb\u202ec\u0085d";
  const now = JSON.stringify({
    name: odd,
    [odd]: odd,
    secret: "whsec_of-now",
    more: { client_secret: "of-now" },
  });
  for (const json of [{ name: "plain" }, { name: odd, [odd]: 1 }, { name: odd, [odd]: odd }]) {
    const { stdout, stderr, last } = judgedOn(
      asked(json, `the name, the secret or ${odd} went wrong`),
      200,
      now,
    );
    expect(stderr).toBe("");
    expect(last).toMatch(/^NOT REPEATED: /);
    expect(visible(stdout)).toBe(stdout);
    expect(stdout).not.toContain("of-now");
  }
});

const ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const OTHER = "7d444840-9dc0-4fd1-b245-5ffdce74fad2";

/** An answer of the run, one of now, and what is said of the two. */
const JUDGED: readonly (readonly [string, unknown, number, unknown, RegExp, number])[] = [
  ["the same", { version: 1 }, 200, { version: 1 }, /^REPEATED: /, 1],
  ["the same with another id in each place", [ID, ID], 200, [OTHER, OTHER], /^REPEATED: /, 1],
  [
    "ids that were the same",
    [ID, ID],
    200,
    [ID, OTHER],
    /^NOT REPEATED: call 1 .* has another one in \[1\]/,
    0,
  ],
  ["another status", {}, 409, {}, /^NOT REPEATED: call 1 .* was answered 409, in the run 200$/, 0],
  ["no answer", {}, 0, {}, /^CAN'T BE TOLD HERE: call 1 .* was not answered, in the run 200, /, 3],
  ["another word", { notes: "x" }, 200, { notes: "y" }, /has "y" in \.notes, in the run "x"$/, 0],
  [
    "what is lacking",
    { courier: { version: 1 } },
    200,
    { courier: {} },
    /has no \.courier\.version, in the run 1$/,
    0,
  ],
  ["what is new", {}, 200, { notes: null }, /has null in \.notes, in the run it had none$/, 0],
  [
    "another number of entries",
    { items: [] },
    200,
    { items: [1] },
    /has 1 entries in \.items, in the run 0$/,
    0,
  ],
  ["another kind", { version: 1 }, 200, { version: "1" }, /has "1" in \.version, in the run 1$/, 0],
  ["words for people", { error: { message: "a" } }, 200, { error: { message: "b" } }, /^REPEATED: /, 1],
];

test.for(JUDGED)("it tells of %s", ([, then, status, now, says, code]) => {
  const end = judgedOn(asked(then), status, JSON.stringify(now));
  expect(end.stderr).toBe("");
  expect(end.last).toMatch(says);
  expect(end.status).toBe(code);
});

test("times may lie as far from now as they did; what lies a little elsewhere can't be told", () => {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  const script = asked({ eta_dropoff_at: at(START + 600_000) });
  const now = (seconds: number) => JSON.stringify({ eta_dropoff_at: at(Date.now() + seconds * 1000) });
  expect(judgedOn(script, 200, now(600)).last).toMatch(/^REPEATED: /);
  expect(judgedOn(script, 200, now(660)).last).toMatch(
    /^CAN'T BE TOLD HERE: .* in \.eta_dropoff_at that lies \d+ s /,
  );
  expect(judgedOn(script, 200, now(4200)).last).toMatch(
    /^NOT REPEATED: .* in \.eta_dropoff_at that lies \d+ s /,
  );
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
  const sent = lines.filter((line) => /^(call|beside) \d|^together$/.test(line));
  expect(sent).toEqual(["beside 1 GET '/a'", "beside 2 GET '/b'", "together", "call 3 GET '/c'"]);
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

test("a time that lies nearer to an earlier call stays as far from that, however long the script takes", () => {
  const at = (startedAt: number, path: string) =>
    exchangeOf({ method: "GET", url: `${BASE}${path}`, startedAt, response: answered(200, {}) });
  const script = scriptOf([
    at(START, "/a"),
    at(START + 20_000, "/b"),
    at(
      START + 60_000,
      "/c?from=2030-05-01T12:00:18Z&to=2030-05-01T12:00:50Z&created_from=2030-05-01T11:59:00Z",
    ),
  ]);
  const [from, to, created] = [`$(at -2 0 'Z' 2)`, `$(at -10 0 'Z')`, `$(at -60 0 'Z' 1)`];
  expect(script).toContain(`call 3 GET '/c?from='"${from}"'&to='"${to}"'&created_from='"${created}"`);
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

test("times are as far from the integrator's own, which the run may have moved ahead", () => {
  const ahead = 4 * 3_600_000;
  const integrator = {
    credentials: { client_id: "pos_1", client_secret: "secret-of-pos-1" },
    hasIssued: () => true,
    clock: { offsetAt: (at: number) => (at < START ? 0 : ahead) },
    created: { linked: new Map() },
  };
  const requestHeaders = { authorization: "Bearer token-of-pos-1" };
  const body = JSON.stringify({ ready_at: "2030-05-01T16:30:00Z" });
  const script = scriptOf([exchangeOf({ requestHeaders, requestBody: body })], MESSAGE, undefined, {}, [
    integrator,
  ]);
  expect(script).toContain(`"ready_at":"'"$(at 1800 0 'Z')"'"`);
});

const creation = (ref: string, startedAt: number, status: number) =>
  exchangeOf({
    requestBody: JSON.stringify({ external_ref: ref }),
    startedAt,
    durationMs: 50,
    response: answered(status, { status: "QUEUED" }),
  });

test("what was sent at once with the request to blame is sent with it, again and again", () => {
  const [first, second] = [creation("one", START, 201), creation("one", START + 5, 201)];
  const race = { blamed: first, expected: "at most 1", actual: "2" };
  const script = scriptOf([first, second, creation("one", START + 200, 409)], MESSAGE, undefined, race);
  expect(script.split("\n").filter((line) => /\b(beside|call) \d|^together$|^race$/.test(line))).toEqual([
    expect.stringContaining("beside 1 POST"),
    expect.stringContaining("beside 2 POST"),
    "together",
    "race",
  ]);
});

test("requests at once that each have to do with something else, and of which one shows the fault, are no race", () => {
  const script = scriptOf(
    [creation("one", START, 201), creation("other", START + 5, 201)],
    MESSAGE,
    undefined,
    {
      actual: "QUEUED",
    },
  );
  expect(script).not.toMatch(/^race$/m);
});

const STORE = newStoreId();
const OTHER_STORE = newStoreId();
const ofStore = (id: string, changes: Partial<Exchange>) =>
  exchangeOf({
    operation: "registerStore",
    url: `${BASE}/v1/stores`,
    requestHeaders: { authorization: "Bearer token-of-pos-1" },
    requestBody: JSON.stringify({ external_store_id: id }),
    ...changes,
  });
const readingOf = (id: string, status: number) =>
  ofStore(id, {
    operation: "getStore",
    method: "GET",
    url: `${BASE}/v1/stores/${id}`,
    requestBody: undefined,
    response: answered(status, {}),
  });
const linking = (status: number) =>
  ofStore(STORE, {
    requestBody: JSON.stringify({ external_store_id: STORE, pairing_code: "A-CODE" }),
    response: answered(status, { external_store_id: STORE }),
  });
const linkedFirst = (exchange: Exchange, ...stores: readonly string[]) =>
  scriptOf([exchange], MESSAGE, undefined, {}, [
    {
      credentials: { client_id: "pos_1", client_secret: "secret-of-pos-1" },
      hasIssued: () => true,
      clock: { offsetAt: () => 0 },
      created: { linked: new Map(stores.map((id) => [id, { name: "Çınaraltı Pide" }])) },
    },
  ])
    .split("\n")
    .filter((line) => /^store \d/.test(line));

test("a store that nobody has linked isn't linked by the script, however its registration is refused", () => {
  for (const status of [400, 401, 409, 415, 500]) {
    const refused = ofStore(STORE, { response: answered(status, { code: "ESLEME_KODU_GEREKLI" }) });
    expect(linkedFirst(refused)).toEqual([]);
  }
  expect(linkedFirst(readingOf(STORE, 404))).toEqual([]);
});

test("a first registration is one whatever success it is answered with, a repeat is none", () => {
  for (const status of [200, 201]) expect(linkedFirst(linking(status), STORE)).toEqual([]);
  const repeat = ofStore(STORE, { response: answered(400, { error: { code: "ESLEME_KODU_GEREKLI" } }) });
  expect(linkedFirst(repeat, STORE)).toEqual([expect.stringContaining('"name":"Çınaraltı Pide"')]);
});

test("who was shown a store for one that nobody has linked had another one, and has it in the script", () => {
  expect(linkedFirst(readingOf(STORE, 200), OTHER_STORE)).toHaveLength(1);
  expect(linkedFirst(readingOf(STORE, 404), OTHER_STORE)).toEqual([]);
});

test("what is to blame and can't be sent again has no script", () => {
  expect(scriptOf([exchangeOf({})], MESSAGE, undefined, { blamed: exchangeOf({}) })).toBe("");
});
