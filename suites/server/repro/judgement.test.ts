import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { JudgedFinding } from "./finding.ts";
import { JUDGEMENT } from "./judgement.ts";

interface Step {
  readonly method: string;
  readonly path: string;
  /** Seconds since 1970. */
  readonly began?: number;
  /** Steps of one spell were under way while others were. */
  readonly spell?: number;
  /** Steps of one group were sent at once. */
  readonly group?: number;
  readonly json: object;
  readonly status?: number;
  /** Whether it breaks a rule on purpose. */
  readonly wrong?: boolean;
}

const ONE = "0b0e7f0e-5a54-4bd5-9d9a-3b1a0a5a2f10";
const OTHER = "ffffffff-5a54-4bd5-9d9a-3b1a0a5a2f10";
const BEGAN = Date.UTC(2030, 4, 1) / 1000;
const at = (milliseconds: number) => new Date(Date.UTC(2030, 4, 1) + milliseconds).toISOString();

const patched = (id: string, updated_at: string, after = 0): Step => ({
  method: "PATCH",
  began: BEGAN + after,
  path: `/v1/deliveries/${id}`,
  json: { id, updated_at },
});
const opened = (id: string, notes: string, spell: number): Step => ({
  method: "POST",
  path: "/v1/deliveries",
  spell,
  json: { id, notes },
});
const listed = (...items: readonly object[]): Step => ({
  method: "GET",
  path: "/v1/deliveries",
  json: { items },
});

const FINDING: JudgedFinding = {
  blamed: "",
  told: "which records there are",
  expected: "",
  actual: "",
  statuses: [],
  undue: [],
  lacking: [],
  is_found: false,
  crowded: [],
  members: { id: true, notes: true, updated_at: true, items: true, status: true, version: true },
};

/** What a script says where its calls are answered so, and where the run's were; the last is the one to blame. */
function judgementOn(
  run: readonly Step[],
  now: readonly Step[],
  changes: Partial<JudgedFinding> = {},
): string {
  const calls = run.map((step, index) => ({
    ...{ n: `${index + 1}`, began: BEGAN, status: 200, headers: {}, group: index, spell: -index },
    ...step,
  }));
  const answers = now.flatMap(({ json, status = 200 }, index) => [
    ["--arg", `status_${index + 1}`, `${status} 100 ${BEGAN}\n`],
    ["--arg", `headers_${index + 1}`, "HTTP/1.1 200 OK"],
    ["--arg", `body_${index + 1}`, JSON.stringify(json)],
  ]);
  const finding = { ...FINDING, blamed: `${run.length}`, ...changes };
  const words = [
    "--argjson",
    "finding",
    JSON.stringify([finding]),
    "--argjson",
    "run",
    JSON.stringify(calls),
  ];
  return execFileSync("jq", ["-nr", ...words, ...answers.flat(), JUDGEMENT], { encoding: "utf8" }).trim();
}

test("two records that were changed in one instant by chance are changed in two the next time", () => {
  const run = [patched(ONE, at(5)), patched(OTHER, at(5))];
  const now = [patched(ONE, at(5)), patched(OTHER, at(40))];
  expect(judgementOn(run, now)).toMatch(/^REPEATED: /);
  expect(judgementOn(now, run)).toMatch(/^REPEATED: /);
});

test("one record that keeps its time in the run, and gets another one now, can't be told", () => {
  const kept = [patched(ONE, at(5)), patched(ONE, at(5), 1)];
  const changed = [patched(ONE, at(5)), patched(ONE, at(1005), 1)];
  for (const [run, now] of [
    [kept, changed],
    [changed, kept],
  ] as const) {
    expect(judgementOn(run, now)).toBe(
      `CAN'T BE TOLD HERE: call 2 (PATCH /v1/deliveries/…) has the same time as before in .updated_at, in the run another one, or the other way round`,
    );
  }
});

test("one record that was changed twice in one millisecond by chance is changed in two the next time", () => {
  const run = [patched(ONE, at(5)), patched(ONE, at(5), 0.004)];
  const now = [patched(ONE, at(5)), patched(ONE, at(40), 0.035)];
  expect(judgementOn(run, now)).toMatch(/^REPEATED: /);
});

test("records that were made side by side may stand in any order of a list, those made one after the other may not", () => {
  const [one, other] = [
    { id: ONE, notes: "one" },
    { id: OTHER, notes: "other" },
  ];
  const runOf = (spells: readonly [number, number], ...items: readonly object[]) => [
    opened(ONE, "one", spells[0]),
    opened(OTHER, "other", spells[1]),
    listed(...items),
  ];
  expect(judgementOn(runOf([1, 1], one, other), runOf([1, 1], other, one))).toMatch(/^REPEATED: /);
  expect(judgementOn(runOf([1, 1], one), runOf([1, 1], other))).toMatch(/^REPEATED: /);
  expect(judgementOn(runOf([1, 2], one, other), runOf([1, 2], other, one))).toMatch(
    /^NOT REPEATED: call 3 \(GET \/v1\/deliveries\) has another one in \.items\[0\]\.id/,
  );
  expect(judgementOn(runOf([1, 1], one, other), runOf([1, 1], one))).toMatch(
    /^NOT REPEATED: call 3 .* has 1 entries in \.items, in the run 2/,
  );
});

const read = (json: object, status = 200): Step => ({
  method: "GET",
  path: "/v1/deliveries/1",
  json,
  status,
});

test("a difference before the call to blame may be why the fault isn't seen", () => {
  const run = [read({ status: "QUEUED" }), read({ notes: "x" })];
  const now = [read({ status: "DONE" }), read({ notes: "y" })];
  expect(judgementOn(run, now, { told: "notes" })).toBe(
    `CAN'T BE TOLD HERE: already call 1 (GET /v1/deliveries/1) has "DONE" in .status, in the run "QUEUED"`,
  );
  expect(judgementOn(run, [read({ status: "QUEUED" }), read({ notes: "y" })], { told: "notes" })).toMatch(
    /^NOT REPEATED: call 2 .* has "y" in \.notes, in the run "x"$/,
  );
});

test("the fault is gone where the call to blame is answered as was due, and not otherwise", () => {
  const run = [read({}, 201)];
  const due = { told: "answered 201 where 409 was due", expected: "409", actual: "201", statuses: [409] };
  expect(judgementOn(run, [read({}, 409)], due)).toMatch(/^NOT REPEATED: call 1 .* was answered 409/);
  for (const status of [0, 400, 429, 500]) {
    expect(judgementOn(run, [read({}, status)], due)).toMatch(/^CAN'T BE TOLD HERE: call 1 /);
  }
});

test("a value that was due is the one that the failure names", () => {
  const run = [read({ version: 2, notes: "x" })];
  const due = {
    told: "version: 2 where more than 2 was due",
    expected: "more than 2",
    actual: "2",
    is_found: true,
  };
  expect(judgementOn(run, [read({ version: 3, notes: "x" })], due)).toMatch(/^NOT REPEATED: /);
  expect(judgementOn(run, [read({ version: 2, notes: "x" })], due)).toMatch(/^REPEATED: /);
  expect(judgementOn(run, [read({ version: 1, notes: "x" })], due)).toMatch(/^CAN'T BE TOLD HERE: /);
  expect(judgementOn(run, [read({ version: 2, notes: "y" })], due)).toMatch(/^CAN'T BE TOLD HERE: /);
  expect(judgementOn(run, [read({}, 404)], due)).toMatch(/^CAN'T BE TOLD HERE: /);
});

test("a member that the document doesn't give isn't compared, unless the failure is about it", () => {
  const run = [listed(), read({ status: "QUEUED", adet: 1 })];
  const now = [{ ...listed(), json: { items: [], adet: 3 } }, read({ status: "QUEUED", adet: 2, sayfa: {} })];
  expect(judgementOn(run, now)).toMatch(/^REPEATED: /);
  expect(judgementOn(run, now, { told: "adet is there" })).toMatch(/^CAN'T BE TOLD HERE: already call 1 /);
});

test("of what others had made nothing is told", () => {
  const record = (id: string) => ({ id, notes: "x" });
  const page = { ...listed(), json: { items: [record(OTHER)], has_more: true } };
  const own = { ...listed(), json: { items: [record(ONE)], has_more: false } };
  const members = { ...FINDING.members, has_more: true } as const;
  expect(judgementOn([opened(ONE, "x", 1), page], [opened(ONE, "x", 1), own], { members })).toMatch(
    /^CAN'T BE TOLD HERE: call 2 .* is a page with what others had made too/,
  );
  const all = listed(record(ONE), record(OTHER));
  expect(judgementOn([opened(ONE, "x", 1), all], [opened(ONE, "x", 1), listed(record(ONE))])).toMatch(
    /^CAN'T BE TOLD HERE: call 2 .* gives what others had made too/,
  );
});

test("of requests that were sent at once as many may be taken as were due", () => {
  const taken = (...statuses: readonly number[]) =>
    statuses.map((status): Step => ({ ...read({}, status), method: "POST", group: 1 }));
  const most = { most: 1, expected: "at most 1", actual: "4" };
  expect(judgementOn(taken(201, 201, 201, 201), taken(201, 400, 201, 400), most)).toMatch(/^REPEATED: 2 /);
  expect(judgementOn(taken(201, 201, 201, 201), taken(400, 400, 201, 400), most)).toMatch(
    /^NOT REPEATED: 1 /,
  );
});

test("a courier company may have another name now, and has the same one wherever it stands", () => {
  const store = (name: string): Step => ({ ...read({ courier_company: { name } }), path: "/v1/stores/1" });
  const told = {
    told: "the courier_company's name",
    members: { courier_company: true, name: true },
  } as const;
  const run = [store("Örnek Kurye"), store("Örnek Kurye")];
  expect(judgementOn(run, [store("Başka Kurye"), store("Başka Kurye")], told)).toMatch(/^REPEATED: /);
  expect(judgementOn(run, [store("Örnek Kurye"), store("Başka Kurye")], told)).toMatch(/^NOT REPEATED: /);
});

test("a list that is whole shows by one's own records what wasn't due, whatever others have made", () => {
  const [own, others] = [
    { id: ONE, status: "QUEUED" },
    { id: OTHER, status: "QUEUED" },
  ];
  const list = (...items: readonly object[]): Step => ({
    ...listed(),
    json: { items, has_more: false, next_cursor: "of-the-end" },
  });
  const made = { ...opened(ONE, "x", 1), json: { id: ONE } };
  const members = { ...FINDING.members, has_more: true, next_cursor: true } as const;
  const run = [made, list(own, others)];
  for (const undue of ["QUEUED", ONE]) {
    expect(judgementOn(run, [made, list(own)], { members, undue: [undue] })).toMatch(/^REPEATED: /);
    expect(judgementOn(run, [made, list()], { members, undue: [undue] })).toMatch(/^NOT REPEATED: /);
  }
  expect(judgementOn(run, [made, list(own)], { members, undue: [OTHER] })).toMatch(/^CAN'T BE TOLD HERE: /);
  expect(judgementOn([made, list(others)], [made, list()], { members, lacking: [ONE] })).toMatch(
    /^REPEATED: /,
  );
});

test("of a record that a list of others' gave nothing is told", () => {
  const made = opened(ONE, "x", 1);
  const run = [made, listed({ id: OTHER, notes: "y" }), read({}, 404)];
  expect(judgementOn(run, [made, listed(), read({}, 404)])).toMatch(/^CAN'T BE TOLD HERE: call 2 /);
});

test("a text that wasn't due is looked for in members that the document doesn't give, too", () => {
  const run = [read({ status: "ASSIGNED", dahili: "tel 864209753" })];
  const undue = { undue: ["864209753"] };
  expect(judgementOn(run, run, undue)).toMatch(/^REPEATED: /);
  expect(judgementOn(run, [read({ status: "ASSIGNED" })], undue)).toMatch(/^NOT REPEATED: /);
});

test("a text that wasn't due and is gone hides nothing where it is gone before the call that showed it too", () => {
  const reading = (notes: string | undefined, status = "QUEUED") => read({ notes, status });
  const run = [reading("Ayşe"), reading("Ayşe")];
  const due = { told: "notes show a name: Ayşe", undue: ["Ayşe"] };
  expect(judgementOn(run, [reading(undefined), reading(undefined)], due)).toMatch(/^NOT REPEATED: call 2 /);
  expect(judgementOn(run, [reading(undefined), reading("Ayşe")], due)).toMatch(/^REPEATED: /);
  expect(judgementOn(run, [reading(undefined, "IPTAL"), reading(undefined)], due)).toMatch(
    /^CAN'T BE TOLD HERE: already call 1 .* in \.status/,
  );
});

test("a list that is right is no proof where the run's integrator had more deliveries than the script opens", () => {
  const run = [opened(ONE, "mine", 0), listed()];
  const now = [opened(OTHER, "mine", 0), listed({ id: OTHER, notes: "mine" })];
  expect(judgementOn(run, now)).toMatch(/^NOT REPEATED: /);
  expect(judgementOn(run, now, { crowded: ["deliveries"] })).toMatch(
    /^CAN'T BE TOLD HERE: .* more deliveries than these/,
  );
  const change = [opened(ONE, "wrong", 0)];
  expect(
    judgementOn(change, [opened(OTHER, "right", 0)], { told: "notes", crowded: ["deliveries"] }),
  ).toMatch(/^NOT /);
});

test("addresses of other checks may be why one was refused", () => {
  const address = { method: "POST", path: "/v1/webhooks" } as const;
  const run: Step[] = [{ ...address, status: 409, json: {} }];
  const now: Step[] = [{ ...address, status: 201, json: {} }];
  const due = { told: "answered 409 where 201 was due", expected: "201", actual: "409", statuses: [201] };
  expect(judgementOn(run, now, { ...due, crowded: ["deliveries"] })).toMatch(/^NOT REPEATED: /);
  expect(judgementOn(run, now, { ...due, crowded: ["webhooks"] })).toMatch(
    /^CAN'T BE TOLD HERE: .* more webhooks than these/,
  );
});

test("versions that begin elsewhere and rise by more hide nothing; one that no longer rises does", () => {
  const seen = (...versions: readonly number[]) => [
    ...versions.map((version) => read({ id: ONE, version })),
    read({ notes: "x" }),
  ];
  const gone = (...versions: readonly number[]) => [
    ...versions.map((version) => read({ id: ONE, version })),
    read({ notes: "y" }),
  ];
  const run = seen(1, 2, 2);
  expect(judgementOn(run, gone(7, 19, 19), { told: "notes" })).toMatch(/^NOT REPEATED: call 4 /);
  expect(judgementOn(run, gone(7, 7, 7), { told: "notes" })).toMatch(
    /^CAN'T BE TOLD HERE: already call 2 .* has 7 in \.version after 7, in the run 2 after 1$/,
  );
  expect(judgementOn(run, gone(7, 19, 19), { told: "notes, and the version" })).toMatch(
    /^CAN'T BE TOLD HERE: already call 1 /,
  );
});

test("a target's guess of when a courier comes hides nothing, unless the failure is about it", () => {
  const guess = (minutes: string, notes: string) =>
    read({ eta_dropoff_at: `2026-05-04T12:${minutes}:00Z`, notes });
  const other = (told: string) => {
    const members = { notes: true, eta_dropoff_at: true } as const;
    return judgementOn([guess("10", "x")], [guess("40", "y")], { told, members });
  };
  expect(other("notes")).toMatch(/^NOT REPEATED: call 1 .* in \.notes/);
  expect(other("eta_dropoff_at")).toMatch(/^NOT REPEATED: call 1 .* in \.eta_dropoff_at/);
});

test("a pin of another look hides nothing, unless the failure is about it", () => {
  const run = [read({ delivery_pin: "K579-58", notes: "x" })];
  const now = [read({ delivery_pin: "M12-9", notes: "y" })];
  const members = { notes: true, delivery_pin: true } as const;
  expect(judgementOn(run, now, { told: "notes", members })).toMatch(/^NOT REPEATED: call 1 .* in \.notes/);
  expect(judgementOn(run, now, { told: "delivery_pin, and notes", members })).toMatch(
    /^NOT REPEATED: call 1 .* in \.delivery_pin/,
  );
});

test("a call that breaks the same rule, and is refused now too, hides nothing; one that is right does", () => {
  const asked = (status: number, wrong: boolean): Step => ({ ...read({}, status), ...(wrong && { wrong }) });
  const due = { told: "answered 200 where 404 was due", expected: "404", actual: "200", statuses: [404] };
  const mended = [asked(404, true), asked(404, true)];
  expect(judgementOn([asked(200, true), asked(200, true)], mended, due)).toMatch(/^NOT REPEATED: /);
  expect(
    judgementOn([asked(200, true), asked(200, true)], [asked(404, true), asked(200, true)], due),
  ).toMatch(/^REPEATED: /);
  expect(judgementOn([asked(200, false), asked(200, true)], mended, due)).toMatch(
    /^CAN'T BE TOLD HERE: already call 1 /,
  );
});

test("a member that is left out has no value: where null was due the fault is gone", () => {
  const due = {
    told: "notes after null: 'x' where null was due",
    expected: "null",
    actual: "x",
    is_found: true,
  };
  expect(judgementOn([read({ notes: "x" })], [read({})], due)).toMatch(
    /^NOT REPEATED: call 1 .* has no \.notes/,
  );
  expect(judgementOn([read({ notes: "x" })], [read({})], { ...due, expected: "5" })).toMatch(
    /^CAN'T BE TOLD HERE: /,
  );
});
