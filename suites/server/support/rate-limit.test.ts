import { describe, expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure, NotTestable } from "../../core/grading/failures/failure.ts";
import { ApiResponse } from "../session/http/api-response.ts";
import { RequestBudget } from "../session/limits/request-budget.ts";
import { exhaust, expectAllowance, expectRetryAfter, type Limit } from "./rate-limit.ts";

const PER_MINUTE = 30;

/** A budget whose minute is over at once. */
class QuickBudget extends RequestBudget {
  #rested = 0;
  rests = 0;

  override get used(): number {
    return super.used - this.#rested;
  }

  override waitForWindow(): Promise<void> {
    this.rests += 1;
    this.#rested = super.used;
    return Promise.resolve();
  }
}

interface Target {
  /** How many pass in a window. */
  readonly allows: number;
  /** The number of foreign requests in a window before ours. */
  readonly foreignRequests: number;
  /** True if the target counts refused requests as well. */
  readonly countsRefused?: boolean;
  /** The answer beyond the limit. */
  readonly refusal?: { readonly status: number; readonly json?: unknown };
  /** The answer that is sent instead of the target's, by the number of the request. */
  readonly proxyPage?: (request: number) => InItsPlace | undefined;
}

interface InItsPlace {
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
      if (budget.rests > windows) [windows, count] = [budget.rests, foreignRequests];
      budget.spend().settle();
      requests += 1;
      const other = proxyPage(requests);
      if (other?.isCounted === false) return Promise.resolve(answerOf(other.status));
      const isRefused = count >= allows;
      if (!isRefused || countsRefused) count += 1;
      const headers = {
        "x-ratelimit-limit": String(PER_MINUTE),
        "x-ratelimit-remaining": String(Math.max(0, PER_MINUTE - count)),
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
const allowed = (limit: Limit, fresh: boolean, disturbances: string[] = []) =>
  expectAllowance({ disturbed: (kind) => void disturbances.push(kind) }, limit, fresh);

test("a whole allowance passes, and nobody has to rest for it", async () => {
  const { limit, budget } = limitOf({ allows: PER_MINUTE, foreignRequests: 0 });
  await allowed(limit, false);
  expect(budget.rests).toBe(0);
});

describe("where the suite has sent a minute's requests before", () => {
  /** @param pastWindow true if the target counts them no longer */
  async function sentBefore(requests: number, target: Target, pastWindow: boolean) {
    const { limit, budget } = limitOf(target);
    for (let sent = 0; sent < requests; sent += 1) {
      if (pastWindow) budget.spend().settle();
      else await limit.send();
    }
    return { limit, budget };
  }

  // The first request shows the count, and the second the duration of a response.
  test("a target whose window has begun anew by its headers isn't waited for", async () => {
    const { limit, budget } = await sentBefore(PER_MINUTE, { allows: PER_MINUTE, foreignRequests: 0 }, true);
    expect((await allowed(limit, false)).passed).toBe(PER_MINUTE - 2);
    expect(budget.rests).toBe(0);
  });

  test.for([25, 28, 29])(
    "nor one that has passed %i of them in this window, and passes the rest",
    async (before) => {
      const { limit, budget } = await sentBefore(before, { allows: PER_MINUTE, foreignRequests: 0 }, false);
      await allowed(limit, false);
      expect(budget.rests).toBe(0);
    },
  );

  test.for([
    { before: PER_MINUTE, pastWindow: true, allows: 20, rests: 1 },
    { before: PER_MINUTE, pastWindow: true, allows: 28, rests: 1 },
    { before: 27, pastWindow: false, allows: 28, rests: 1 },
    { before: 28, pastWindow: false, allows: 29, rests: 1 },
    // At its limit from the start, and then one request short.
    { before: 29, pastWindow: false, allows: 29, rests: 2 },
  ])(
    "an allowance that is cut short is found after a minute: %o",
    async ({ before, pastWindow, allows, rests }) => {
      const { limit, budget } = await sentBefore(before, { allows, foreignRequests: 0 }, pastWindow);
      await expect(allowed(limit, false)).rejects.toThrow(CheckFailure);
      expect(budget.rests).toBe(rests);
    },
  );

  test("a target at its limit is waited for", async () => {
    const { limit, budget } = await sentBefore(PER_MINUTE, { allows: PER_MINUTE, foreignRequests: 0 }, false);
    expect((await allowed(limit, false)).passed).toBeGreaterThan(0);
    expect(budget.rests).toBe(1);
  });
});

test("a balancer's repetitions are distinguished from a limit that other requests use up", async () => {
  const { limit, countOnceMore } = limitOf({ allows: PER_MINUTE, foreignRequests: 0 });
  const { send: sendOnce } = limit;
  let sent = 0;
  const send = async () => {
    sent += 1;
    if (sent % 20 === 0) countOnceMore();
    return sendOnce();
  };
  const disturbances: string[] = [];
  await expect(allowed({ ...limit, send }, false, disturbances)).rejects.toThrow("30 a minute");
  await allowed({ ...limit, send, sendOnce }, false, disturbances);
  expect(disturbances).toEqual(["foreign-traffic"]);
});

test("a few requests of others after a rest disturb the check: its next run decides", async () => {
  const { limit, budget, countOnceMore } = limitOf({ allows: PER_MINUTE, foreignRequests: 0 });
  let repeatedIn = -1;
  const send = async () => {
    const response = await limit.send();
    if (budget.rests > repeatedIn) {
      repeatedIn = budget.rests;
      countOnceMore();
    }
    return response;
  };
  const disturbances: string[] = [];
  await expect(allowed({ ...limit, send }, false, disturbances)).rejects.toThrow(
    "remaining ones of 30 a minute",
  );
  expect([disturbances, budget.rests]).toEqual([["foreign-traffic"], 1]);
});

describe.each([false, true])("whether the target counts what it refuses: %s", (countsRefused) => {
  test("one request of somebody else's disturbs", async () => {
    const { limit } = limitOf({ allows: PER_MINUTE, foreignRequests: 1, countsRefused });
    const disturbances: string[] = [];
    await expect(allowed(limit, false, disturbances)).rejects.toThrow("30 a minute");
    expect(disturbances).toEqual(["foreign-traffic"]);
  });

  test.for([3, 10])("%i requests of somebody else's aren't the target's fault", async (foreignRequests) => {
    const { limit } = limitOf({ allows: PER_MINUTE, foreignRequests, countsRefused });
    await expect(allowed(limit, false)).rejects.toThrow(NotTestable);
  });

  test.for([20, 27, 29])(
    "an allowance that is cut to %i is found, though nobody else asks",
    async (allows) => {
      const { limit } = limitOf({ allows, foreignRequests: 0, countsRefused });
      const disturbances: string[] = [];
      await expect(allowed(limit, false, disturbances)).rejects.toThrow("remaining ones of 30 a minute");
      expect(disturbances).toEqual([]);
    },
  );
});

const UNAVAILABLE = [502, 503, 504];

describe.each([false, true])(
  "a balancer answers, and the target has counted the request: %s",
  (isCounted) => {
    const some = (every: number, status: number) => (request: number) =>
      request % every === every - 1 ? { status, isCounted } : undefined;

    test.for(UNAVAILABLE)("a %i here and there is neither refused nor passed", async (status) => {
      const { limit, budget } = limitOf({
        allows: PER_MINUTE,
        foreignRequests: 0,
        proxyPage: some(13, status),
      });
      const passed = await allowed(limit, false);
      expect(budget.rests).toBe(0);
      expect((await exhaust(limit, passed)).status).toBe(429);
    });

    test("what is cut short is found beside it", async () => {
      const { limit } = limitOf({ allows: 20, foreignRequests: 0, proxyPage: some(13, 502) });
      await expect(allowed(limit, false)).rejects.toThrow("remaining ones of 30 a minute");
    });

    test("an answer in the target's place to the first request costs no minute", async () => {
      const proxyPage = (request: number) => (request === 1 ? { status: 502, isCounted } : undefined);
      const { limit, budget } = limitOf({ allows: PER_MINUTE, foreignRequests: 0, proxyPage });
      await allowed(limit, false);
      expect(budget.rests).toBe(0);
    });

    test.for([
      ["each", 1],
      ["every second", 2],
      ["every fourth", 4],
    ] as const)("where it is %s, nothing is shown of the limit", async ([, every]) => {
      const { limit } = limitOf({ allows: 20, foreignRequests: 0, proxyPage: some(every, 502) });
      await expect(allowed(limit, true)).rejects.toThrow(/requests got 502, 503 or 504/);
    });
  },
);

test("a target that answers 503 beyond its limit is taken at its word", async () => {
  const { limit } = limitOf({ allows: PER_MINUTE, foreignRequests: 0, refusal: { status: 503 } });
  const passed = await allowed(limit, false);
  expect((await exhaust(limit, passed)).status).toBe(503);
});

test("a 503 with the limit's own code is the limit's, though nothing passed before", async () => {
  const refusal = { status: 503, json: { error: { code: "HIZ_SINIRI" } } };
  const { limit } = limitOf({ allows: 0, foreignRequests: 0, refusal });
  expect((await exhaust(limit)).status).toBe(503);
});

test.each([true, false])("what isn't built is no limit, and isn't waited for: fresh %s", async (fresh) => {
  const { limit, budget } = limitOf({ allows: 0, foreignRequests: 0, refusal: { status: 404 } });
  await expect(allowed(limit, fresh)).rejects.toThrow("expected status 2xx, got 404");
  expect(budget.rests).toBe(0);
});

describe("retry-after", () => {
  const limited = (headers: Record<string, string>) => answerOf(429, headers);
  const now = Date.parse("2031-05-06T07:08:09Z");
  const at = (seconds: number) => new Date(now + seconds * 1000).toUTCString();

  test.each([
    ["seconds", { "retry-after": "17" }, 17],
    ["a date", { "retry-after": at(17) }, 17],
    ["a date by a clock that is an hour ahead", { "retry-after": at(3_617), date: at(3_600) }, 17],
    ["a date by a clock that is an hour behind", { "retry-after": at(-3_583), date: at(-3_600) }, 17],
    ["a date by a clock that is a minute behind", { "retry-after": at(4), date: at(-55) }, 59],
    [
      "a date by the integrator's clock, an hour ahead of the answer's",
      { "retry-after": at(17), date: at(-3_600) },
      17,
    ],
    ["a date that was over when the answer came", { "retry-after": at(-3) }, 0],
  ])("names a wait in %s", (_, headers, seconds) => {
    expect(expectRetryAfter(limited(headers), now)).toBe(seconds);
  });

  test.each([
    ["soon", { "retry-after": "soon" }, 'is neither a number of seconds nor a date: "soon"'],
    ["nothing", {}, "the 429 of the integrator limit has no retry-after"],
  ])("names none: %s", (_, headers, message) => {
    expect(() => expectRetryAfter(limited(headers), now)).toThrow(message);
  });
});
