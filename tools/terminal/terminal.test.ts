import { stripVTControlCharacters } from "node:util";
import { expect, test, vi } from "vitest";
import { terminalOutput } from "./output.ts";
import { Progress } from "./progress.ts";

function stdoutOf(isTTY: boolean) {
  const written: string[] = [];
  const stream = Object.assign(Object.create(process.stdout), {
    isTTY,
    write: (text: string) => written.push(text) > 0,
  });
  return { stream, written: () => written.join("") };
}

const idsOf = (count: number, group = "group") =>
  Array.from({ length: count }, (_, place) => `${group}.check-${place}`);
const asMusts = (ids: readonly string[]) => ids.map((id) => ({ id, severity: "MUST" as const }));

const plain = { quiet: false, color: true, json: false, environment: {} };

test.each([
  ["on a terminal", true, {}, true],
  ["in a file", false, {}, false],
  ["in a file with FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
  ["on a terminal with NO_COLOR", true, { NO_COLOR: "1" }, false],
])("colours %s: %s", (_, isTTY, environment, colours) => {
  expect(terminalOutput(stdoutOf(isTTY).stream, { ...plain, environment }).colours).toBe(colours);
});

test("--no-color is plain on a terminal too", () => {
  expect(terminalOutput(stdoutOf(true).stream, { ...plain, color: false }).colours).toBe(false);
});

test("with --quiet only results are printed, and with --json only data", () => {
  const outputWith = (options: { quiet?: boolean; json?: boolean }) => {
    const { stream, written } = stdoutOf(true);
    const output = terminalOutput(stream, { ...plain, ...options });
    output.line("on the way");
    output.status("so far");
    output.result("the end");
    output.data({ verdict: "CONFORMANT" });
    return written();
  };
  expect(outputWith({ quiet: true })).toBe("the end\n");
  expect(JSON.parse(outputWith({ json: true }))).toEqual({ verdict: "CONFORMANT" });
});

test("on a terminal one line shows a bar, counts, failures and the remaining time", () => {
  const { stream, written } = stdoutOf(true);
  const ids = idsOf(20);
  const progress = new Progress(terminalOutput(stream, plain), asMusts(ids), () => 100);
  for (const id of ids.slice(0, 15))
    progress.ended(id, { status: id === "group.check-7" ? "failed" : "passed" });
  const last = stripVTControlCharacters(written()).split("\r").at(-1);
  expect(last).toMatch(/^█{15}░{5} 15\/20 checks, 1 failed so far, \d+\.\d s, about \d+ s left {2}group$/);
});

test("a failure is shown in one line when it is found, up to twenty failures", () => {
  for (const isTTY of [false, true]) {
    const { stream, written } = stdoutOf(isTTY);
    const progress = new Progress(terminalOutput(stream, plain), asMusts(idsOf(30)), () => 100);
    for (const id of idsOf(30))
      progress.ended(id, { status: "failed", message: `expected\n${"x".repeat(300)}` });
    const found = stripVTControlCharacters(written()).match(/ {2}failed once {2}.*/g) ?? [];
    expect(found).toHaveLength(20);
    expect(found[0]).toMatch(/^ {2}failed once {2}group\.check-0: expected\\nx+…$/);
    expect(written()).toContain("further failures are counted, and listed at the end\n");
  }
});

test("a warning is shown and counted as one, and failures that aren't confirmed are named", () => {
  const { stream, written } = stdoutOf(false);
  const [first = "", second = "", third = ""] = idsOf(3);
  const checks = [...asMusts([first, second]), { id: third, severity: "SHOULD" as const }];
  const progress = new Progress(terminalOutput(stream, plain), checks, () => 100);
  for (const id of [first, second, third]) progress.ended(id, { status: "failed", message: "expected 1" });
  progress.ended(second, { status: "passed" });
  progress.ended(third, { status: "blocked" });
  expect(written().replace(/, \d+\.\d s/g, "")).toBe(
    [
      "  failed once  group.check-0: expected 1",
      "1/3 checks, 1 failed so far",
      "  failed once  group.check-1: expected 1",
      "2/3 checks, 2 failed so far",
      "  warning  group.check-2: expected 1",
      "3/3 checks, 2 failed so far, 1 warning",
      "  passed when repeated  group.check-1",
      "  not confirmed  group.check-2",
      "",
    ].join("\n"),
  );
});

test("the remaining time is estimated only after a quarter, because one wait would distort an earlier estimate", () => {
  const { stream, written } = stdoutOf(true);
  const ids = idsOf(20);
  const progress = new Progress(terminalOutput(stream, plain), asMusts(ids), () => 100);
  for (const id of ids.slice(0, 4)) progress.ended(id, { status: "passed" });
  expect(written()).toContain("4/20 checks");
  expect(written()).not.toContain("about");
  progress.ended(ids[4] ?? "", { status: "passed" });
  expect(written()).toMatch(/5\/20 checks, \d+\.\d s, about \d+ s left/);
});

test("no line is wider than the terminal", () => {
  const { stream, written } = stdoutOf(true);
  const ids = idsOf(100, "a-group-with-a-long-name");
  const progress = new Progress(terminalOutput(stream, plain), asMusts(ids), () => 40);
  for (const id of ids) progress.ended(id, { status: "passed" });
  const widths = stripVTControlCharacters(written())
    .split("\r")
    .map((line) => line.length);
  expect(Math.max(...widths)).toBe(39);
});

test("without a terminal, a line is printed at each quarter", () => {
  const { stream, written } = stdoutOf(false);
  const progress = new Progress(terminalOutput(stream, plain), asMusts(idsOf(8)), () => 100);
  for (const id of idsOf(8)) progress.ended(id, { status: "passed" });
  expect(written().match(/^\d\/8 checks/gm)).toEqual([
    "2/8 checks",
    "4/8 checks",
    "6/8 checks",
    "8/8 checks",
  ]);
});

test("without a terminal, a slow run prints its progress every 30 seconds, until it ends", () => {
  vi.useFakeTimers();
  try {
    const { stream, written } = stdoutOf(false);
    const progress = new Progress(terminalOutput(stream, plain), asMusts(idsOf(8)), () => 100);
    progress.startTimer();
    vi.advanceTimersByTime(31_000);
    progress.ended("group.check-0", { status: "failed" });
    vi.advanceTimersByTime(30_000);
    progress.end();
    vi.advanceTimersByTime(300_000);
    expect(written()).toBe(
      "0/8 checks, 30.0 s\n  failed once  group.check-0\n1/8 checks, 1 failed so far, 60.0 s\n",
    );
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["a line", false, "6/8 checks, 30.0 s, waiting for group.check-5 (again, 15 s), group.check-7 (30 s)\n"],
  ["the bar", true, "waiting for group.check-5 (again, 15 s), group.check-7 (30 s)"],
])("checks that run for long are named with their times in %s", (_, isTTY, expected) => {
  vi.useFakeTimers();
  try {
    const { stream, written } = stdoutOf(isTTY);
    const progress = new Progress(terminalOutput(stream, plain), asMusts(idsOf(8)), () => 140);
    progress.startTimer();
    for (const id of idsOf(6)) progress.ended(id, { status: "passed" });
    progress.running(["group.check-7"]);
    vi.advanceTimersByTime(15_000);
    progress.running(["group.check-7", "group.check-5"]);
    vi.advanceTimersByTime(10_000);
    progress.running(["group.check-7", "group.check-5", "group.check-6"]);
    progress.notice("the target stopped responding, and was back");
    vi.advanceTimersByTime(5_000);
    expect(stripVTControlCharacters(written().split("was back").at(-1) ?? "")).toContain(expected);
    progress.end();
  } finally {
    vi.useRealTimers();
  }
});
