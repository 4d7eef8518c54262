import { describe, expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import { ApiResponse } from "../session/http/api-response.ts";
import { RequestBudget } from "../session/limits/request-budget.ts";
import { exhaust, expectAllowance, expectRetryAfter, type Limit } from "./rate-limit.ts";

const PER_MINUTE = 30;

/** A budget that waits for a window without delay. */
class QuickBudget extends RequestBudget {
  #waitedFor = 0;
  waits = 0;

  override get used(): number {
    return super.used - this.#waitedFor;
  }

  override waitForWindow(): Promise<void> {
    this.waits += 1;
    this.#waitedFor = super.used;
    return Promise.resolve();
  }
}

interface Target {
  /** The number of requests that pass in a window. */
  readonly allows: number;
  /** The number of foreign requests in a window before ours. */
  readonly foreignRequests: number;
  /** True if the target counts refused requests as well. */
  readonly countsRefused?: boolean;
  /** The header x-ratelimit-reset, in seconds. */
  readonly reset?: number;
  /** The answer beyond the limit. */
  readonly refusal?: { readonly status: number; readonly json?: unknown };
  /** The proxy's response to a request with this number, instead of the target's. */
  readonly proxyPage?: (request: number) => ProxyResponse | undefined;
}

interface ProxyResponse {
  readonly status: number;
  /** True if the target has counted the request nonetheless. */
  readonly isCounted: boolean;
}

const answerOf = (status: number, headers: Record<string, string> = {}, json?: unknown) =>
  new ApiResponse<"obtainToken">(exchange, { status, headers, bytes: new Uint8Array(), text: "", json });

const exchange: Exchange = {
  operation: "obtainToken",
  method: "POST",
  url: "http://127.0.0.1/oauth/token",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 0,
  response: undefined,
  failure: undefined,
  violates: undefined,
  unknownRoute: false,
  isRetried: false,
  isConnectionLost: false,
};

/** The rate limit of a target that reports its count. */
function limitOf({
  allows,
  foreignRequests,
  reset,
  countsRefused = false,
  refusal = { status: 429 },
  proxyPage = () => undefined,
}: Target) {
  const budget = new QuickBudget("the limit", PER_MINUTE, () => {});
  let windows = 0;
  let count = foreignRequests;
  let requests = 0;
  const limit: Limit = {
    perMinute: PER_MINUTE,
    concurrency: 10,
    budget,
    send() {
      if (budget.waits > windows) [windows, count] = [budget.waits, foreignRequests];
      budget.spend().settle();
      requests += 1;
      const other = proxyPage(requests);
      if (other?.isCounted === false) return Promise.resolve(answerOf(other.status));
      const isRefused = count >= allows;
      if (!isRefused || countsRefused) count += 1;
      const headers = {
        "x-ratelimit-limit": String(PER_MINUTE),
        "x-ratelimit-remaining": String(Math.max(0, PER_MINUTE - count)),
        ...(reset !== undefined && { "x-ratelimit-reset": String(reset) }),
      };
      if (other) return Promise.resolve(answerOf(other.status));
      return Promise.resolve(
        isRefused ? answerOf(refusal.status, headers, refusal.json) : answerOf(200, headers),
      );
    },
  };
  const countOnceMore = () => {
    count += 1;
  };
  return { limit, budget, countOnceMore };
}

/** Asserts the allowance. Disturbances are added to the list. */
const expectAllowed = (limit: Limit, fresh: boolean, disturbances: string[] = []) =>
  expectAllowance({ disturbed: (kind) => void disturbances.push(kind) }, limit, fresh);

test.each([
  ["there is a wait if a reset that is rounded up may be over at once", 1, 1],
  ["there is no wait if the window lasts long enough", 40, 0],
])("%s", async (_, reset, waits) => {
  const { limit, budget } = limitOf({ allows: PER_MINUTE, foreignRequests: 0, reset });
  await expectAllowed(limit, true);
  expect(budget.waits).toBe(waits);
});

test("a target that allows its whole limit passes without a wait", async () => {
  const { limit, budget } = limitOf({ allows: PER_MINUTE, foreignRequests: 0 });
  await expectAllowed(limit, false);
  expect(budget.waits).toBe(0);
});

describe("after earlier requests of the suite", () => {
  /** @param pastWindow true if the target no longer counts them */
  async function sentBefore(requests: number, target: Target, pastWindow: boolean) {
    const { limit, budget } = limitOf(target);
    for (let sent = 0; sent < requests; sent += 1) {
      if (pastWindow) budget.spend().settle();
      else await limit.send();
    }
    return { limit, budget };
  }

  // The first request shows the count, and the second the duration of a response.
  test("there is no wait if the target's headers show a new window", async () => {
    const { limit, budget } = await sentBefore(PER_MINUTE, { allows: PER_MINUTE, foreignRequests: 0 }, true);
    expect((await expectAllowed(limit, false)).passed).toBe(PER_MINUTE - 2);
    expect(budget.waits).toBe(0);
  });

  test.for([25, 28, 29])(
    "there is no wait if %i requests passed in this window, and the rest passes",
    async (before) => {
      const { limit, budget } = await sentBefore(before, { allows: PER_MINUTE, foreignRequests: 0 }, false);
      await expectAllowed(limit, false);
      expect(budget.waits).toBe(0);
    },
  );

  test.for([
    { before: PER_MINUTE, pastWindow: true, allows: 20, rests: 1 },
    { before: PER_MINUTE, pastWindow: true, allows: 28, rests: 1 },
    { before: 27, pastWindow: false, allows: 28, rests: 1 },
    { before: 28, pastWindow: false, allows: 29, rests: 1 },
    // At its limit from the start, and then one request short.
    { before: 29, pastWindow: false, allows: 29, rests: 2 },
  ])("a limit that is too low is found after a wait: %o", async ({ before, pastWindow, allows, rests }) => {
    const { limit, budget } = await sentBefore(before, { allows, foreignRequests: 0 }, pastWindow);
    await expect(expectAllowed(limit, false)).rejects.toThrow(CheckFailure);
    expect(budget.waits).toBe(rests);
  });

  test("there is a wait if the limit is used up", async () => {
    const { limit, budget } = await sentBefore(PER_MINUTE, { allows: PER_MINUTE, foreignRequests: 0 }, false);
    expect((await expectAllowed(limit, false)).passed).toBeGreaterThan(0);
    expect(budget.waits).toBe(1);
  });
});

test("requests repeated by a balancer are distinguished from a limit that is too low", async () => {
  const { limit, countOnceMore } = limitOf({ allows: PER_MINUTE, foreignRequests: 0 });
  const { send: sendOnce } = limit;
  let sent = 0;
  const send = async () => {
    sent += 1;
    if (sent % 20 === 0) countOnceMore();
    return sendOnce();
  };
  const disturbances: string[] = [];
  await expect(expectAllowed({ ...limit, send }, false, disturbances)).rejects.toThrow("30 a minute");
  await expectAllowed({ ...limit, send, sendOnce }, false, disturbances);
  expect(disturbances).toEqual(["foreign-traffic"]);
});

test("a few foreign requests after a wait are a disturbance", async () => {
  const { limit, budget, countOnceMore } = limitOf({ allows: PER_MINUTE, foreignRequests: 0 });
  let repeatedIn = -1;
  const send = async () => {
    const response = await limit.send();
    if (budget.waits > repeatedIn) {
      repeatedIn = budget.waits;
      countOnceMore();
    }
    return response;
  };
  const disturbances: string[] = [];
  await expect(expectAllowed({ ...limit, send }, false, disturbances)).rejects.toThrow(
    "remaining ones of 30 a minute",
  );
  expect([disturbances, budget.waits]).toEqual([["foreign-traffic"], 1]);
});

describe.each([false, true])("if the target counts refused requests (%s),", (countsRefused) => {
  test("one foreign request is a disturbance", async () => {
    const { limit } = limitOf({ allows: PER_MINUTE, foreignRequests: 1, countsRefused });
    const disturbances: string[] = [];
    await expect(expectAllowed(limit, false, disturbances)).rejects.toThrow("30 a minute");
    expect(disturbances).toEqual(["foreign-traffic"]);
  });

  test.for([3, 10])("a check with %i foreign requests isn't testable", async (foreignRequests) => {
    const { limit } = limitOf({ allows: PER_MINUTE, foreignRequests, countsRefused });
    await expect(expectAllowed(limit, false)).rejects.toThrow(CheckSkipped);
  });

  test.for([20, 27, 29])("a limit of %i instead of 30 is found without foreign requests", async (allows) => {
    const { limit } = limitOf({ allows, foreignRequests: 0, countsRefused });
    const disturbances: string[] = [];
    await expect(expectAllowed(limit, false, disturbances)).rejects.toThrow("remaining ones of 30 a minute");
    expect(disturbances).toEqual([]);
  });
});

const UNAVAILABLE = [502, 503, 504];

describe.each([false, true])(
  "if a balancer responds, and the target has counted the request (%s),",
  (isCounted) => {
    const some = (every: number, status: number) => (request: number) =>
      request % every === every - 1 ? { status, isCounted } : undefined;

    test.for(UNAVAILABLE)("a few %i responses count neither as refused nor as passed", async (status) => {
      const { limit, budget } = limitOf({
        allows: PER_MINUTE,
        foreignRequests: 0,
        proxyPage: some(13, status),
      });
      const passed = await expectAllowed(limit, false);
      expect(budget.waits).toBe(0);
      expect((await exhaust(limit, passed)).status).toBe(429);
    });

    test("a limit that is too low is found in spite of them", async () => {
      const { limit } = limitOf({ allows: 20, foreignRequests: 0, proxyPage: some(13, 502) });
      await expect(expectAllowed(limit, false)).rejects.toThrow("remaining ones of 30 a minute");
    });

    test("a balancer's response to the first request causes no wait", async () => {
      const proxyPage = (request: number) => (request === 1 ? { status: 502, isCounted } : undefined);
      const { limit, budget } = limitOf({ allows: PER_MINUTE, foreignRequests: 0, proxyPage });
      await expectAllowed(limit, false);
      expect(budget.waits).toBe(0);
    });

    test.for([
      ["each", 1],
      ["every second", 2],
      ["every fourth", 4],
    ] as const)("the limit isn't testable if the balancer responds to %s request", async ([, every]) => {
      const { limit } = limitOf({ allows: 20, foreignRequests: 0, proxyPage: some(every, 502) });
      await expect(expectAllowed(limit, true)).rejects.toThrow(/requests got 502, 503 or 504/);
    });
  },
);

test("a 503 beyond the limit is returned as the limited response", async () => {
  const { limit } = limitOf({ allows: PER_MINUTE, foreignRequests: 0, refusal: { status: 503 } });
  const passed = await expectAllowed(limit, false);
  expect((await exhaust(limit, passed)).status).toBe(503);
});

test("a 503 with the code HIZ_SINIRI is a limited response, even if nothing passed before", async () => {
  const refusal = { status: 503, json: { error: { code: "HIZ_SINIRI" } } };
  const { limit } = limitOf({ allows: 0, foreignRequests: 0, refusal });
  expect((await exhaust(limit)).status).toBe(503);
});

test.each([true, false])("a 404 fails without a wait: fresh %s", async (fresh) => {
  const { limit, budget } = limitOf({ allows: 0, foreignRequests: 0, refusal: { status: 404 } });
  await expect(expectAllowed(limit, fresh)).rejects.toThrow("expected status 2xx, got 404");
  expect(budget.waits).toBe(0);
});

describe("retry-after", () => {
  const limited = (headers: Record<string, string>) => answerOf(429, headers);
  const now = Date.parse("2031-05-06T07:08:09Z");
  const at = (seconds: number) => new Date(now + seconds * 1000).toUTCString();

  test.each([
    ["seconds", { "retry-after": "17" }, 17],
    ["a date", { "retry-after": at(17) }, 17],
    ["a date of a clock that is an hour ahead", { "retry-after": at(3_617), date: at(3_600) }, 17],
    ["a date of a clock that is an hour behind", { "retry-after": at(-3_583), date: at(-3_600) }, 17],
    ["a date of a clock that is a minute behind", { "retry-after": at(4), date: at(-55) }, 59],
    [
      "a date of the integrator's clock, an hour ahead of the response's",
      { "retry-after": at(17), date: at(-3_600) },
      17,
    ],
    ["a date before the response", { "retry-after": at(-3) }, 0],
  ])("is read as %s", (_, headers, seconds) => {
    expect(expectRetryAfter(limited(headers), now)).toBe(seconds);
  });

  test.each([
    ["soon", { "retry-after": "soon" }, 'is neither a number of seconds nor a date: "soon"'],
    ["nothing", {}, "the 429 of the integrator limit has no retry-after"],
  ])("is invalid: %s", (_, headers, message) => {
    expect(() => expectRetryAfter(limited(headers), now)).toThrow(message);
  });
});
