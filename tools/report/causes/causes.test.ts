import { describe, expect, test } from "vitest";
import { causesLine, causesOf, isFirstToFix, nearestFirst } from "./causes.ts";

type Ended = Parameters<typeof causesOf>[0][number];

const failed = (id: string, message: string, operation?: Ended["operation"]): Ended => ({
  id,
  status: "failed",
  message,
  ...(operation !== undefined && { operation }),
});
const blocked = (id: string, by: string): Ended => ({ id, status: "blocked", blocked_by: by });

describe("causes", () => {
  test("a failure explains itself and the checks that it blocks; the cause that explains most comes first", () => {
    const checks = [
      failed("health.ok", "GET /healthz: expected status 200, got 404", "getHealth"),
      blocked("health.version", "health.ok"),
      failed("stores.first", "POST /v1/stores: expected status 201, got 404", "registerStore"),
      blocked("creation.one", "stores.first"),
      blocked("creation.two", "stores.first"),
    ];
    const causes = causesOf(checks);
    expect(causes.map(({ check }) => check)).toEqual(["stores.first", "health.ok"]);
    expect(causes[0]?.checks).toEqual(["stores.first", "creation.one", "creation.two"]);
    expect(causesLine(causes, checks)).toBe("2 failures; they block 3 checks");
  });

  test("failures of the same clauses have one cause, even with different records and operations", () => {
    const id = "0b0e7f0e-5a54-4bd5-9d9a-3b1a0a5a2f10";
    const other = "ffffffff-5a54-4bd5-9d9a-3b1a0a5a2f10";
    const at = (clause: string) => ({ relation: "not to happen", clauses: [clause] }) as const;
    const checks = [
      { ...failed("a", `POST /v1/quotes answered 500 for ${id}`, "createQuote"), ...at("ERR-1") },
      { ...failed("b", `GET /v1/deliveries/{id} answered 500 for ${other}`, "getDelivery"), ...at("ERR-1") },
      { ...failed("c", "something else", "getDelivery"), ...at("ERR-2") },
      { id: "d", status: "passed" } as const,
    ];
    const causes = causesOf(checks);
    expect(causes).toEqual([
      {
        what: `POST /v1/quotes, GET /v1/deliveries/{id} answered 500 for ${id}`,
        check: "a",
        checks: ["a", "b"],
      },
    ]);
    expect(causesLine(causes, checks)).toBe("1 cause explains 2 of 3 failures");
  });

  test("failures of the same clauses with different amounts have one cause, failures of other clauses don't", () => {
    const credit = (id: string, amount: number, clause: string): Ended => ({
      ...failed(id, `expected credit consumed to be at most ${amount - 1}, got ${amount}`),
      subject: "credit consumed",
      relation: "to be at most",
      expected: String(amount - 1),
      actual: String(amount),
      clauses: [clause],
    });
    const checks = [credit("a", 43, "CREDIT-1"), credit("b", 27, "CREDIT-1"), credit("c", 5, "CREDIT-2")];
    expect(causesOf(checks).map((cause) => cause.checks)).toEqual([["a", "b"]]);
  });

  test("the cases that failed in all failures are named, with those that passed", () => {
    const filter = (id: string, failedCase: string): Ended => ({
      ...failed(id, `expected the deliveries with ${id} to include 'd-1', got []`),
      subject: `the deliveries with ${id}`,
      relation: "to include",
      expected: "d-1",
      actual: "[]",
      cases: { failed: [failedCase], held: ["in Z"], not_reached: [] },
    });
    const zone = "in another time zone";
    const message = "expected the deliveries with a to include 'd-1', got []";
    const whatOf = (...checks: readonly Ended[]) => causesOf(checks).map(({ what }) => what);
    expect(whatOf(filter("a", zone), filter("b", zone))).toEqual([
      `${message}; failed each time: ${zone}; passed: in Z`,
    ]);
    const [first, second] = [filter("a", zone), filter("b", "with microseconds")];
    const sameField = { field: "created_from" };
    expect(whatOf({ ...first, ...sameField }, { ...second, ...sameField })).toEqual([message]);
  });

  test("failures with different numbers have one cause, failures with different wording don't", () => {
    const customer = (id: string, value: string): Ended => ({
      ...failed(id, `expected phone of A to be '${value}', got null`),
      subject: "phone of A",
      field: "phone",
      relation: "to be",
      expected: value,
      actual: "null",
    });
    const phones = [
      { ...customer("a", "+905443276567"), requests: 90 },
      { ...customer("b", "+905424533240"), requests: 4 },
    ];
    const what = "expected phone of A to be '+905424533240', got null";
    expect(causesOf(phones)).toEqual([{ what, check: "b", checks: ["a", "b"] }]);
    expect(causesOf([customer("a", "QUEUED"), customer("b", "RECEIVED")])).toEqual([]);
  });

  const mismatch = (id: string, rest: Partial<Ended>): Ended => ({ ...failed(id, `failure ${id}`), ...rest });
  const causesAlike = (...failures: readonly Partial<Ended>[]) =>
    causesOf(failures.map((rest, place) => mismatch(`c${place}`, rest))).map(({ checks }) => checks.length);

  test("national phone numbers in any field and operation have one cause; a null phone has another", () => {
    const national = [
      {
        subject: "customer.phone sent in international format",
        field: "customer.phone",
        relation: "to be",
        expected: "+905301000000",
      },
      {
        subject: "customer.phone sent as 05334445566",
        field: "customer.phone",
        relation: "to be",
        expected: "the international form",
      },
      { subject: "phone of the store", field: "phone", relation: "to match", expected: "/^\\+90/" },
    ] as const;
    const shown = national.map((one) => ({ ...one, actual: "05301000000" }));
    expect(causesAlike(...shown)).toEqual([3]);
    expect(causesAlike(...shown.slice(0, 1), { ...shown[1], actual: "null" })).toEqual([]);
  });

  test("times without a zone in any field have one cause; late times in UTC have another", () => {
    const statement = {
      subject: "a time in the list",
      relation: "not to happen",
      actual: "2030-01-01T10:00:00.000",
    } as const;
    const field = { subject: "updated_at", relation: "to match", actual: "2030-01-01T10:00:00" } as const;
    const cut = { subject: "expires_at", relation: "to be", actual: "'2030-01-01T10:00'" } as const;
    expect(causesAlike(statement, field, cut)).toEqual([3]);
    expect(causesAlike(statement, { ...field, actual: "2030-01-01T10:00:00Z" })).toEqual([]);
  });

  test("fields without a value after a PATCH have one cause; those after another request have several", () => {
    const exchangeOf = (operation: string, method: string) => ({
      operation,
      started_at: "2026-11-30T12:00:00Z",
      duration_ms: 1,
      request: { method, url: "http://127.0.0.1/v1/deliveries", headers: {} },
    });
    const read = exchangeOf("getDelivery", "GET");
    const unset = (operation: string, method: string): readonly Partial<Ended>[] => {
      const exchanges = [exchangeOf(operation, method), read];
      return [
        {
          subject: "distance_m",
          field: "distance_m",
          relation: "to be",
          expected: "a number",
          actual: "null",
          exchanges,
        },
        { subject: "the fee", relation: "not to be", expected: "null", exchanges },
      ];
    };
    expect(causesAlike(...unset("updateDelivery", "PATCH"))).toEqual([2]);
    expect(causesAlike(...unset("createDelivery", "POST"))).toEqual([]);
  });

  test("wrong times of different attempts have one cause", () => {
    const attempt = (number: number, delay: string, after: string) =>
      ({
        subject: `attempt ${number}`,
        field: "attempt",
        relation: "to arrive",
        expected: delay,
        actual: after,
      }) as const;
    expect(
      causesAlike(
        attempt(3, "5 minutes after attempt 2", "6 minutes 15 s"),
        attempt(4, "30 minutes after attempt 3", "37 minutes 30 s"),
      ),
    ).toEqual([2]);
  });

  test("refusals of a token have one cause, even with different expected statuses; two other refusals have two", () => {
    const refused = (operation: NonNullable<Ended["operation"]>, expected: string, actual: string) =>
      ({ operation, subject: operation, relation: "to answer", expected, actual }) as const;
    const created = refused("createDelivery", "201", "401 OTURUM_GECERSIZ");
    const listed = refused("listDeliveries", "2xx", "401 OTURUM_GECERSIZ");
    const cancelled = refused("cancelDelivery", "200 or 204", "401 OTURUM_GECERSIZ");
    expect(causesAlike(created, listed, cancelled)).toEqual([3]);
    expect(causesAlike(created, { ...listed, actual: "403 YETKI_YOK" })).toEqual([]);
    expect(causesAlike(created, { ...listed, expected: "200", actual: "201" })).toEqual([]);
  });

  test("an ignored page limit has one cause, and the check to begin with is about the items, not about has_more", () => {
    const cases = { failed: ["limit=1"], held: ["limit=100"], not_reached: [] };
    const limit = { operation: "listDeliveries", cases, requests: 5 } as const;
    const flag = {
      ...limit,
      subject: "has_more",
      relation: "to be",
      expected: "true",
      actual: "false",
    } as const;
    const items = {
      ...limit,
      subject: "items on a page of limit 1",
      relation: "to be at most",
      expected: "1",
      actual: "13",
    } as const;
    const checks = [mismatch("flag", flag), mismatch("items", items)];
    expect(causesOf(checks)).toMatchObject([{ check: "items", checks: ["flag", "items"] }]);
  });

  test("the wrong flag comes first if the fault of all failures is this flag", () => {
    const fault = "has_more is false although more deliveries follow";
    const operation = "listDeliveries";
    const cases = { failed: ["created_to", "created_from"], held: [], not_reached: [] };
    const checks = [
      mismatch("a filter", { relation: "not to happen", fault, operation, cases }),
      mismatch("a flag", { field: "has_more", relation: "to be", actual: "false", fault, operation }),
    ];
    expect(causesOf(checks)).toMatchObject([{ check: "a flag", what: fault }]);
  });

  test("blocked checks aren't failures; the check to begin with blocks others, or explains half of the failures", () => {
    const half = [failed("a", "alike"), failed("b", "alike"), failed("c", "one"), failed("d", "other")];
    const [cause] = causesOf(half);
    expect(cause && isFirstToFix(cause, half)).toBe(true);
    expect(cause && isFirstToFix(cause, [...half, failed("e", "third")])).toBe(false);
    const blocking = [failed("a", "every order is refused"), blocked("b", "a"), blocked("c", "a")];
    const [held] = causesOf(blocking);
    expect(held && isFirstToFix(held, [...blocking, failed("d", "x"), failed("e", "y")])).toBe(true);
    expect(causesLine(causesOf(blocking), blocking)).toBe("1 failure; it blocks 2 checks");
    expect(causesLine(causesOf(half), half)).toBe("1 cause explains 2 of 4 failures");
  });

  test("a cause with only failures of supporting steps isn't the first to fix, and is read last", () => {
    const refused = { ...failed("a", "a test event is refused"), auxiliary: true as const };
    const checks = [refused, { ...refused, id: "b" }, { ...refused, id: "c" }, failed("d", "x")];
    const [cause] = causesOf(checks);
    expect(cause?.checks).toEqual(["a", "b", "c"]);
    expect(cause && isFirstToFix(cause, checks)).toBe(false);
    expect(cause && isFirstToFix(cause, checks.slice(0, 3))).toBe(true);
    expect(nearestFirst(checks)[0]?.id).toBe("d");
  });

  test("the counted causes are the listed ones, including single failures that block others", () => {
    const checks = [
      failed("a", "alike"),
      failed("b", "alike"),
      failed("c", "every order is refused"),
      blocked("d", "c"),
      failed("e", "another fault"),
    ];
    const causes = causesOf(checks);
    expect(causes.map(({ checks: explained }) => explained)).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(causesLine(causes, checks)).toBe("2 causes explain 3 of 4 failures; 1 of them blocks 1 check");
  });

  test("a failure with exactly the message of a blocking check has its cause; a similar one at another operation doesn't", () => {
    const message = "POST /v1/deliveries: expected status 201, got 500";
    const checks = [
      failed("a", message, "createDelivery"),
      blocked("b", "a"),
      failed("c", message, "createDelivery"),
      failed("d", "POST /v1/quotes: expected status 201, got 500", "createQuote"),
    ];
    expect(causesOf(checks)).toEqual([{ what: message, check: "a", checks: ["a", "b", "c"] }]);
    expect(causesLine(causesOf(checks), checks)).toBe(
      "1 cause explains 2 of 3 failures; 1 of them blocks 1 check",
    );
  });

  test("failures that name the same fault have one cause, even with different messages", () => {
    const fault = "a retry has the webhook-timestamp of an earlier attempt of its event";
    const checks = [
      { ...failed("a", "attempt 2 has no time of its own"), fault },
      { ...failed("b", "a retry's webhook-timestamp is that of attempt 1"), fault },
    ];
    expect(causesOf(checks)).toEqual([{ what: fault, check: "a", checks: ["a", "b"] }]);
  });

  test("for a named fault, the check to begin with is the passive one of all responses", () => {
    const fault = "responses don't match the document: version is missing";
    const checks = [
      { ...failed("a", "the check can't go on"), fault, requests: 4 },
      { ...failed("b", "version is missing (40 of 40 exchanges)"), fault, requests: 0 },
    ];
    expect(causesOf(checks)).toEqual([{ what: fault, check: "b", checks: ["a", "b"] }]);
  });

  test("there are no causes if no two failures share one", () => {
    const checks = [failed("a", "one"), failed("b", "two")];
    expect(causesOf(checks)).toEqual([]);
    expect(causesLine([], checks)).toBe("2 failures");
    expect(causesLine([], [])).toBeUndefined();
  });

  test("MUST failures are explained, and warnings are counted separately", () => {
    const warned = (id: string, message = `no ${id}`): Ended => ({
      ...failed(id, message),
      severity: "SHOULD",
    });
    const warnings = [warned("b", "alike"), warned("c", "alike")];
    expect(causesOf([failed("a", "one"), ...warnings])).toEqual([]);
    expect(causesLine([], [failed("a", "one"), ...warnings])).toBe("1 failure; also 2 warnings");
    const mixed = [failed("a", "alike"), ...warnings, failed("d", "one")];
    expect(causesOf(mixed).map(({ checks }) => checks)).toEqual([["a", "b", "c"]]);
    expect(causesLine(causesOf(mixed), mixed)).toBe("1 cause explains 1 of 2 failures and all 2 warnings");
    const all = [failed("a", "alike"), failed("d", "alike"), ...["e", "f", "g"].map((id) => warned(id))];
    expect(causesOf(all).map((cause) => isFirstToFix(cause, all))).toEqual([true]);
    expect(causesLine(causesOf(warnings), warnings)).toBe("1 cause explains all 2 warnings");
    expect(causesLine([], [warned("b"), warned("c")])).toBe("2 warnings");
  });

  test("the purposely invalid part of a request is in the cause if it is the same in all failures", () => {
    const message = "POST /v1/stores: expected status 400, got 201";
    const purpose = (violates: string) => `${message} (request was invalid on purpose: ${violates})`;
    const answered = (id: string, violates: string): Ended => ({
      ...failed(id, purpose(violates), "registerStore"),
      subject: "POST /v1/stores",
      relation: "to answer",
      expected: "400",
      actual: "201",
      violates,
    });
    const used = [answered("a", "a used code"), answered("b", "a used code")];
    const whatOf = (checks: readonly Ended[]) => causesOf(checks).map(({ what }) => what);
    expect(whatOf(used)).toEqual([purpose("a used code")]);
    expect(whatOf([...used, answered("c", "no code")])).toEqual([message]);
  });
});

test("failures to read first: a shared fault, failures in many cases, few clauses, an invalid request, all clauses and cases, few steps; last: a request that is too long to paste, a missing webhook, many requests", () => {
  const passed = { held: [], not_reached: [] };
  const cases = { failed: ["customer"], held: ["payment"], not_reached: [] };
  const widespread = { failed: ["customer", "items"], held: [], not_reached: ["payment"] };
  const steps = { failed: ["assigned", "picked_up"], held: ["offered"], not_reached: ["delivered"] };
  const one_of_two = { failed: ["NEW-1"], held: ["NEW-2"], not_reached: [] };
  const failures = {
    many: { requests: 90 },
    missing: { requests: 1, relation: "to arrive" },
    random: { requests: 2, counterexample: "{}" },
    partly: { requests: 1, clause_findings: one_of_two },
    several: { requests: 1, clause_findings: { ...passed, failed: ["NEW-1", "NEW-2"] } },
    several_clauses: { requests: 2, clauses: ["NEW-1", "NEW-2"] },
    later: { requests: 3, steps: ["POST /v1/deliveries → 201", "GET /v1/deliveries/1 → 200"] },
    steps: { requests: 7, cases: steps },
    sooner: { requests: 4 },
    large: { requests: 3, curl: "curl ".padEnd(5000, "-") },
    case: { requests: 45, cases },
    cases: { requests: 48, cases: widespread },
    faulty: { requests: 50, fault: "times have offsets" },
    faulty_too: { requests: 51, fault: "times have offsets" },
    only_here: { requests: 5, fault: "pages are incomplete" },
    invalid: { requests: 9, violates: "a used code", clause_findings: one_of_two },
    timed: { requests: 1, level: "time" },
    timed_cases: { requests: 51, level: "time", cases: widespread },
  } as const;
  const checks = Object.entries(failures).map(([id, one]) => ({ id, status: "failed" as const, ...one }));
  expect(nearestFirst(checks).map(({ id }) => id)).toEqual([
    "faulty",
    "faulty_too",
    "cases",
    "timed_cases",
    "invalid",
    "sooner",
    "only_here",
    "later",
    "random",
    "partly",
    "steps",
    "case",
    "several",
    "several_clauses",
    "large",
    "timed",
    "missing",
    "many",
  ]);
});

test("a distance is read after a wrong coordinate that was sent, and before a wrong value at another operation", () => {
  const at = (id: string, rest: Partial<Ended>): Ended => ({
    ...failed(id, id),
    operation: "getDelivery",
    ...rest,
  });
  const distance = at("distance", {
    relation: "to be at least",
    cases: { failed: ["new", "changed"], held: [], not_reached: [] },
  });
  const dropoff = at("dropoff", { relation: "to be", field: "dropoff.lat" });
  const firstOf = (...checks: readonly Ended[]) => nearestFirst(checks)[0]?.id;
  expect(firstOf(distance, dropoff)).toBe("dropoff");
  expect(firstOf(distance, { ...dropoff, operation: "createDelivery" })).toBe("distance");
  expect(firstOf(distance, { ...dropoff, field: "fee" })).toBe("distance");
});

test("a fault is read first in the check that tests it, not in checks that need the faulty step", () => {
  const finding = { status: "failed" as const, fault: "the list finds nothing", requests: 2 };
  const needing = ["a", "b"].map((id) => ({ ...finding, id, auxiliary: true as const }));
  const others = ["c", "d", "e"].map((id) => ({ status: "failed" as const, id, subject: id }));
  const checks = [...needing, { ...finding, id: "filter", requests: 9 }, ...others];
  const causes = causesOf(checks);
  expect(causes).toMatchObject([{ check: "filter", checks: ["a", "b", "filter"] }]);
  expect(causes.map((cause) => isFirstToFix(cause, checks))).toEqual([true]);
});
