import { readClauseList } from "../../../suites/core/contract/clause-list.ts";
import type { ReportedExchange } from "../../../suites/core/exchange.ts";
import { blockedBy, type Outcome, type TimelineTrack } from "../../../suites/core/grading/outcome.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { serverSuite } from "../../../suites/server/suite.ts";
import { suiteAsOf } from "../../versions/as-of.ts";
import type { Version } from "../../versions/versions.ts";
import { buildReport } from "../build-report.ts";
import type { Report, ReportContext } from "../model.ts";

const suite = serverSuite();
const REPEAT_COMMAND = "npm run conform -- --url https://dispatch.example --seed 7";

export const FAILED = "idempotency.same-key-same-body";
export const ANOTHER_FAILED = "creation.unknown-store";
export const SCHEDULE = "retries.schedule";
/** A check of SHOULD clauses only. */
export const WARNED = suite.checks.find(({ severity }) => severity === "SHOULD")?.id ?? "";

export const contextWith = (repeatCommand = REPEAT_COMMAND): ReportContext => ({
  clauses: suite.clauses,
  parts: readClauseList().parts,
  repeatCommand,
  repeatRun: `${repeatCommand} --claims api`,
});

export const passed: Outcome = { status: "passed", duration_ms: 12, requests: 3 };

export const unverified: Outcome = {
  status: "not_verified",
  duration_ms: 0,
  requests: 0,
  message: "there is no webhook receiver",
};

/** One failure, and all other checks blocked by it. */
export const blocking: Readonly<Record<string, Outcome>> = {
  ...Object.fromEntries(suite.checks.map(({ id }) => [id, blockedBy(FAILED)])),
  [FAILED]: { status: "failed", duration_ms: 3, requests: 1, message: "nothing is taken" },
};

export interface ReportOverrides {
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  readonly url?: string;
  readonly version?: string;
  readonly faults?: readonly string[];
  readonly complete?: boolean;
  readonly earlyEnd?: readonly string[];
  readonly strict?: boolean;
  readonly partial?: boolean;
  readonly exitCode?: number;
  readonly repeated?: Report["repeated_requests"];
  readonly outages?: Report["outages"];
  readonly without?: readonly string[];
  readonly asOf?: Version;
}

/** A declaration without counter-evidence. */
export const declaredRightly: ReportOverrides = {
  without: ["closed-credentials"],
  outcomes: {
    "authentication.closed-credential": unverified,
    "authentication.closed-credential-code": unverified,
  },
};

export const declaredWrongly: ReportOverrides = {
  ...declaredRightly,
  without: ["closed-credentials", "other-credentials"],
};

const claims = suite.levels;

/** A report on a server, built like a run's report. */
export function aReport(overrides: ReportOverrides = {}): Report {
  const {
    outcomes = {},
    url,
    version,
    faults = [],
    complete = true,
    strict = false,
    partial = false,
    exitCode,
  } = overrides;
  const judged = suiteAsOf(suite, overrides.asOf);
  const without = suite.declarations.filter(({ name }) => overrides.without?.includes(name));
  const report = buildReport(
    { suite: judged, claims, without, selected: judged.checks, settings: { seed: 7, strict, partial } },
    {
      url: url ?? "https://dispatch.example",
      version: version ?? "2026-01-15",
      jobs: 8,
      redact: new Redactor(),
    },
    {
      startedAt: Date.parse("2026-11-21T10:00:00.000Z"),
      durationMs: 5_700,
      requests: 6_555,
      suiteErrors: faults,
      outcomes: new Map(suite.checks.map(({ id }) => [id, outcomes[id] ?? passed])),
      filtered: !complete,
      earlyEnd: overrides.earlyEnd ?? [],
      cutShort: false,
      repeated: overrides.repeated,
      outages: overrides.outages,
    },
    overrides.asOf && [overrides.asOf],
  );
  return exitCode === undefined ? report : { ...report, exit_code: exitCode };
}

/** A retry schedule whose third attempt came late. */
const lateThird: TimelineTrack = {
  name: "an event that always fails",
  attempts: [
    { at: "2026-11-21T10:00:00.000Z", after_s: 0 },
    { at: "2026-11-21T10:00:05.000Z", after_s: 5 },
    { at: "2026-11-21T10:20:05.000Z", after_s: 1205 },
  ],
  expected: [
    { earliest_s: 0, due_s: 0, latest_s: 0 },
    { earliest_s: 3, due_s: 5, latest_s: 27 },
    { earliest_s: 244, due_s: 305, latest_s: 386 },
    { earliest_s: 2_600, due_s: 3_005, latest_s: 3_400 },
  ],
};

export const anExchange = (part: Partial<ReportedExchange> = {}): ReportedExchange => ({
  operation: "createDelivery",
  started_at: "2026-11-21T10:00:01.000Z",
  duration_ms: 12,
  request: {
    method: "POST",
    url: "https://dispatch.example/v1/deliveries?dry=1",
    headers: { "content-type": "application/json", authorization: "Bearer [redacted]" },
    body: '{"external_ref":"c-1"}',
  },
  response: {
    status: 500,
    headers: { "content-type": "application/json" },
    body: '{"error":{"code":"SUNUCU_HATASI","message":"Hata"}}',
  },
  ...part,
});

export const failures: Readonly<Record<string, Outcome>> = {
  [FAILED]: {
    status: "failed",
    duration_ms: 40,
    requests: 2,
    message: "expected 201 to be 200",
    expected: "{ status: 200, id: 'a', version: 1 }",
    actual: "{ status: 201, id: 'b', version: 1 }",
    curl: "curl -i -X POST 'https://dispatch.example/v1/deliveries'",
    exchanges: [anExchange(), anExchange({ violates: "the same key with another body" })],
  },
  [SCHEDULE]: {
    status: "failed",
    duration_ms: 40,
    requests: 2,
    message: "seconds from attempt 2 to 3, which are 300: expected 1200 to be at most 381",
    timeline: [lateThird],
  },
  [WARNED]: { status: "failed", duration_ms: 1, requests: 1, message: "a SHOULD that doesn't hold" },
};

const span = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/**
 * Control characters for terminals, editors and logs: C0, C1, bidirectional marks, line separators, and
 * zero-width characters.
 */
export const CONTROL_CHARACTERS = [
  span(0x00, 0x08),
  span(0x0b, 0x1f),
  span(0x7f, 0x9f),
  "\u061c\u200b\u200e\u200f",
  span(0x2028, 0x202e),
  span(0x2060, 0x2064),
  span(0x2066, 0x2069),
  "\ufeff",
].join("");

/** Text that breaks out of unescaped HTML, XML, Markdown, JSON, shells, logs and terminals. */
export const HOSTILE = [
  `</script></style></pre><img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>`,
  `"' onmouseover='x' ]]>--><!-- &amp; &lt; \`\`\`\n\n# title\n::error::marked\n| cell |`,
  `[link](javascript:alert(1)) \u0000\u0008\u001b[31m\ufffe\ud800 \u202e $(id) %0A`,
  `##[stop-commands]x\r\u0085::add-mask::a\n \u00a0::error::b`,
  // Clears the screen, prints a verdict, and writes to the clipboard.
  `\u001b[2J\u001b[HCONFORMANT  (exit 0)\u001b]52;c;cm0gLXJm\u0007`,
  CONTROL_CHARACTERS,
].join(" ");

/** The same report with hostile text in every field that a target or a user can fill. */
export function hostileReport(): Report {
  const text = HOSTILE;
  const exchange = anExchange({
    violates: text,
    request: { method: "POST", url: `https://x.example/${text}`, headers: { [text]: text }, body: text },
    response: { status: 500, headers: { [text]: text, location: text }, body: text },
  });
  const failed: Outcome = {
    status: "failed",
    duration_ms: 1,
    requests: 1,
    message: text,
    expected: text,
    actual: `${text} and more`,
    counterexample: text,
    curl: text,
    account: [text],
    exchanges: [exchange, { ...exchange, failure: text }],
  };
  const { response: _, ...unanswered } = exchange;
  const report = aReport({
    outcomes: {
      [FAILED]: failed,
      [ANOTHER_FAILED]: { ...failed, exchanges: [{ ...unanswered, failure: text }] },
      [SCHEDULE]: { ...failed, timeline: [{ ...lateThird, name: text }] },
      [WARNED]: failed,
      "creation.new": { status: "not_verified", duration_ms: 0, requests: 0, message: text },
      "creation.pin": {
        ...failed,
        status: "inconsistent",
        confirmation: text,
        passing_run: { steps: [text] },
      },
      "passive.times-in-utc": { status: "errored", duration_ms: 0, requests: 0, message: text },
    },
    url: `https://x.example/${text}`,
    version: text,
    faults: [text],
  });
  const entry = {
    clause: suite.checks.find(({ id }) => id === FAILED)?.clauses[0] ?? "",
    reason: text,
    until: "2026-01-01",
  };
  const left = { kind: "store", count: 1, ids: [text], why: text } as const;
  return {
    ...report,
    left_behind: [left],
    baseline: { file: text, known: [entry], stale: [entry], overdue: [entry] },
  };
}
