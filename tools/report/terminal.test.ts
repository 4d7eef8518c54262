import { describe, expect, test } from "vitest";
import { renderTerminal } from "./terminal.ts";
import { anExchange, aReport, blocking, contextWith, FAILED, WARNED } from "./testing/sample-report.ts";
import { painter } from "./text/paint.ts";

const context = contextWith();
const blocked = aReport({ outcomes: blocking });

test("the terminal shows the single failure, and in one line the checks that it blocks", () => {
  const text = renderTerminal(blocked, context, painter(false));
  expect(text.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([`FAILED  ${FAILED}`]);
  const count = blocked.checks.length;
  expect(text.split("\n").slice(0, 2)).toEqual([
    `1 failure; it blocks ${count - 1} checks. Begin with the first:`,
    expect.stringMatching(
      new RegExp(`^ *${count}  nothing is taken \\(${FAILED}, .*, ${count - 4} more\\)$`),
    ),
  ]);
});

test("the verdict's line names the target", () => {
  expect(renderTerminal(blocked, context, painter(false))).toMatch(
    new RegExp(`, on ${blocked.target.url.replaceAll(".", "\\.")}$`),
  );
});

test("failures without a common cause and with many requests come last", () => {
  const ids = aReport()
    .checks.filter(({ severity, clauses }) => severity === "MUST" && clauses.length === 1)
    .slice(0, 3)
    .map(({ id }) => id);
  const outcomes = Object.fromEntries(
    ids.map((id, place) => [
      id,
      {
        status: "failed",
        duration_ms: 1,
        requests: place === 0 ? 228 : 5,
        message: `wrong by ${id}`,
      } as const,
    ]),
  );
  const text = renderTerminal(aReport({ outcomes }), context, painter(false));
  const told = text.split("\n").filter((line) => line.startsWith("FAILED"));
  expect(told).toEqual([...ids.slice(1), ...ids.slice(0, 1)].map((id) => `FAILED  ${id}`));
});

describe("the check to begin with, repeated next to the verdict", () => {
  const ids = aReport()
    .checks.filter(({ severity, clauses }) => severity === "MUST" && clauses.length === 1)
    .map(({ id }) => id);
  const lastLines = (count: number) => {
    const wrong = ids
      .slice(0, count)
      .map(
        (id) => [id, { status: "failed", duration_ms: 1, requests: 1, message: `wrong by\n${id}` }] as const,
      );
    const report = aReport({ outcomes: Object.fromEntries(wrong) });
    return renderTerminal(report, context, painter(false)).split("\n").slice(-2);
  };

  test("is in the line before it if more than one screen precedes", () => {
    const [first] = ids;
    const [begin, verdict] = lastLines(76);
    expect(begin).toBe(`Begin with: ${first} — wrong by\\n${first}`);
    expect(verdict).toMatch(/^NONCONFORMANT {2}/);
  });

  test("names the failed case, cut, if the message doesn't", () => {
    const [first = ""] = ids;
    const beginOf = (...failed: readonly string[]) => {
      const outcomes = Object.fromEntries(
        ids.slice(0, 76).map((id) => [
          id,
          {
            status: "failed",
            duration_ms: 1,
            requests: 1,
            message: "wrong at limit=1",
            cases: { failed, held: ["ordinary"], not_reached: [] },
          } as const,
        ]),
      );
      const text = renderTerminal(aReport({ outcomes }), context, painter(false)).split("\n");
      expect(text).toContain(text.at(-2)?.replace("Begin with: ", "FAILED  ").replace(/ — .*/, ""));
      return text.at(-2);
    };
    expect(beginOf("created twice")).toBe(`Begin with: ${first} (created twice) — wrong at limit=1`);
    expect(beginOf("limit=1")).toBe(`Begin with: ${first} — wrong at limit=1`);
    expect(beginOf("x".repeat(100), "y")).toBe(
      `Begin with: ${first} (${"x".repeat(80)}…, 1 more) — wrong at limit=1`,
    );
  });

  test("names the operation, if the message doesn't", () => {
    const [first = ""] = ids;
    const beginOf = (message: string) => {
      const failed = { status: "failed", duration_ms: 1, requests: 1, message } as const;
      const outcomes = Object.fromEntries(
        ids.slice(0, 76).map((id) => [id, { ...failed, exchanges: [anExchange()], curl: "curl" }]),
      );
      return renderTerminal(aReport({ outcomes }), context, painter(false)).split("\n").at(-2);
    };
    expect(beginOf("one is missing")).toBe(`Begin with: ${first} — one is missing (POST /v1/deliveries)`);
    const named = "POST /v1/deliveries: one is missing";
    expect(beginOf(named)).toBe(`Begin with: ${first} — ${named}`);
  });

  test("isn't repeated if everything fits the screen, or nothing failed", () => {
    expect(lastLines(1)[0]).toBe("");
    expect(lastLines(0)[0]).toBe("");
  });
});

test("MUST failures are shown in full before SHOULD failures", () => {
  const should = aReport()
    .checks.filter(({ severity }) => severity === "SHOULD")
    .slice(0, 3);
  const failing = { status: "failed", duration_ms: 1, requests: 1, message: "wrong" } as const;
  const ids = [...should.map(({ id }) => id), FAILED];
  const report = aReport({ outcomes: Object.fromEntries(ids.map((id) => [id, failing])) });
  const text = renderTerminal(report, context, painter(false));
  expect(should).toHaveLength(3);
  expect(text.split("\n").filter((line) => /^(FAILED|WARNING)/.test(line))[0]).toBe(`FAILED  ${FAILED}`);
});

test("of many clauses only the failed ones are shown, so that the message is near the top", () => {
  const many = aReport().checks.find(({ clauses }) => clauses.length > 6);
  const [held = "", failed = ""] = many?.clauses ?? [];
  const outcomes = {
    [many?.id ?? ""]: {
      status: "failed",
      duration_ms: 1,
      requests: 1,
      message: "wrong",
      clause_findings: { failed: [failed], held: [held], not_reached: [] },
    },
  } as const;
  const text = renderTerminal(aReport({ outcomes }), context, painter(false));
  const lines = text.split("\n").map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith("clause "))).toEqual([
    expect.stringMatching(new RegExp(`^clause {4}${failed} `)),
  ]);
  expect(lines.filter((line) => line.startsWith("and "))).toEqual([expect.stringContaining(held)]);
});

test("of a long response, the member that the failure is about is shown instead of the beginning", () => {
  const exchange = {
    operation: "listWebhooks",
    started_at: "2030-01-01T00:00:00.000Z",
    duration_ms: 1,
    request: { method: "GET", url: "http://127.0.0.1:8080/v1/webhooks", headers: {} },
    response: { status: 200, headers: {}, body: `[{"id":"entry-1"}${" ".repeat(5_000)}]` },
    blamed: { path: "[3].secret", around: '"status": "ACTIVE"\n"secret": "[redacted]"' },
  };
  const outcomes = {
    [FAILED]: {
      status: "failed",
      duration_ms: 1,
      requests: 1,
      message: "wrong",
      curl: "curl",
      exchanges: [exchange],
    },
  } as const;
  const lines = renderTerminal(aReport({ outcomes }), context, painter(false))
    .split("\n")
    .map((line) => line.trim());
  const at = lines.indexOf("< [3].secret in the response:");
  expect(lines.slice(at + 1, at + 3)).toEqual(['"status": "ACTIVE"', '"secret": "[redacted]"']);
  expect(lines.join()).not.toContain("entry-1");
});

test("long parameters and texts, such as cursors, are shortened in the exchange, but not in the curl line", () => {
  const cursor = "c".repeat(300);
  const url = `http://127.0.0.1:8080/v1/deliveries?since=${cursor}&limit=2`;
  const exchange = {
    operation: "listDeliveries",
    started_at: "2030-01-01T00:00:00.000Z",
    duration_ms: 1,
    request: { method: "GET", url, headers: {} },
    response: { status: 200, headers: {}, body: `{"next_cursor":"\\/${cursor}","items":[]}` },
  };
  const failure = { status: "failed", duration_ms: 1, requests: 1, message: "an empty page" } as const;
  const outcomes = { [FAILED]: { ...failure, curl: `curl '${url}'`, exchanges: [exchange] } };
  const told = renderTerminal(aReport({ outcomes }), context, painter(false));
  expect(told).toMatch(
    /GET http:.*\?since=c{12}…c{8}&limit=2 → 200\n *< \{"next_cursor":"\\\/c+…","items":\[\]\}/,
  );
  expect(told).toContain(`curl '${url}'`);
});

test("of a long value, the first lines are shown with the number of the others", () => {
  const actual = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
  const failure = { status: "failed", duration_ms: 1, requests: 1, message: "too few", actual } as const;
  const told = renderTerminal(aReport({ outcomes: { [FAILED]: failure } }), context, painter(false));
  expect(told).toContain("line 10\n");
  expect(told).not.toContain("line 11");
  expect(told).toContain("… 89 more lines");
});

test("an exchange that doesn't show the failure isn't shown as if it did", () => {
  const exchange = {
    operation: "listWebhooks",
    started_at: "2030-01-01T00:00:00.000Z",
    duration_ms: 1,
    request: { method: "GET", url: "http://127.0.0.1:8080/v1/webhooks", headers: {} },
  };
  const failure = { status: "failed", duration_ms: 1, requests: 1, message: "no event" } as const;
  const outcomes = { [FAILED]: { ...failure, exchanges: [exchange] } };
  expect(renderTerminal(aReport({ outcomes }), context, painter(false))).not.toContain(exchange.request.url);
});

test("with --strict a failed SHOULD is shown like other failures", () => {
  const outcomes = {
    [WARNED]: { status: "failed", duration_ms: 1, requests: 1, message: "it is late" },
  } as const;
  const told = (strict: boolean) => renderTerminal(aReport({ outcomes, strict }), context, painter(false));
  expect(told(true)).toMatch(new RegExp(`^1 failure\\n[^]*FAILED {2}${WARNED}\\n`));
  expect(told(true)).not.toMatch(/warning/i);
  expect(told(false)).toMatch(new RegExp(`^1 warning\\n[^]*WARNING {2}${WARNED}\\n`));
});

test("a curl line that is too long to paste is replaced by its length", () => {
  const [id = ""] = aReport().checks.map((check) => check.id);
  const curl = `curl ${"x".repeat(30_000)}`;
  const outcomes = {
    [id]: { status: "failed", duration_ms: 1, requests: 1, message: "wrong", curl } as const,
  };
  const text = renderTerminal(aReport({ outcomes }), context, painter(false));
  expect(text).toContain(`a curl line of ${curl.length} characters`);
  expect(text).not.toContain(curl);
});
