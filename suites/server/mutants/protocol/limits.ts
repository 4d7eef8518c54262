import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError, type ErrorCode } from "../../../../reference-server/errors.ts";
import { wallClock } from "../../../core/clock.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterRateHeaders, alterRefusal, wrongStatus } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { replaceRateLimiter } from "../operators/limits.ts";
import { replaceOperation } from "../operators/operations.ts";

type Bucket = ReturnType<Dependencies["bucketOf"]>;
type LimitName = Bucket["limit"];

/** Requests per minute. The reference server identifies each limit by this value. */
const PER_MINUTE: Readonly<Record<LimitName, number>> = {
  integrator: 1200,
  anonymous: 300,
  token: 30,
  tracking: 60,
};

/** A server whose limit differs from its headers. */
const enforceLimit =
  (name: LimitName, requests: number): Mutate =>
  (deps) => ({
    ...deps,
    rateLimitStatus: (limit, count, now) => {
      const rateLimit = deps.rateLimitStatus(limit, count, now);
      return limit.requests === PER_MINUTE[name] ? { ...rateLimit, exceeded: count > requests } : rateLimit;
    },
  });

/** A server that groups requests differently when it counts them. */
const alterSubject =
  (subjectOf: (counted: Parameters<Dependencies["bucketOf"]>[0], bucket: Bucket) => string): Mutate =>
  (deps) => ({
    ...deps,
    bucketOf: (counted) => {
      const bucket = deps.bucketOf(counted);
      return bucket.limit === "integrator" ? { ...bucket, subject: subjectOf(counted, bucket) } : bucket;
    },
  });

/** A server that limits an integrator for this time after a request over its limit, even if a window ends. */
const lastingLimit =
  (lastsMs: number): Mutate =>
  (deps) => {
    const ends = new Map<string, number>();
    let subject = "";
    return {
      ...deps,
      bucketOf(counted) {
        const bucket = deps.bucketOf(counted);
        subject = bucket.subject;
        return bucket;
      },
      rateLimitStatus(limit, count, now) {
        const status = deps.rateLimitStatus(limit, count, now);
        if (limit.requests !== PER_MINUTE.integrator) return status;
        if (status.exceeded) ends.set(subject, now + lastsMs);
        return { ...status, exceeded: now < (ends.get(subject) ?? 0) };
      },
    };
  };

/** A server that remembers the key of a creation over the limit, and refuses later creations with it. */
const remembersLimitedCreations =
  (refusal: ErrorCode): Mutate =>
  (deps) => {
    const refusedKeys = new Set<string | undefined>();
    let isCreation = false;
    let isLimited = false;
    return replaceOperation("createDelivery", async (call, original) => {
      const key = call.headers["Idempotency-Key"];
      if (refusedKeys.has(key)) throw new DomainError(refusal);
      if (!isLimited) return original(call);
      isLimited = false;
      refusedKeys.add(key);
      throw new DomainError("HIZ_SINIRI");
    })({
      ...deps,
      bucketOf(counted) {
        isCreation = counted.operationId === "createDelivery";
        return deps.bucketOf(counted);
      },
      rateLimitStatus(limit, count, now) {
        const status = deps.rateLimitStatus(limit, count, now);
        if (!isCreation || !status.exceeded) return status;
        isLimited = true;
        return { ...status, exceeded: false };
      },
    });
  };

const isReading = (operationId: string | undefined) => /^(get|list)/.test(operationId ?? "");

const LIMIT_NAMES = elementsOf("limits");

/** The check of each limit. */
const CHECKS: Readonly<Record<(typeof LIMIT_NAMES)[number], string>> = {
  integrator: "limits.integrator",
  anonymous: "limits.ip-address",
  token: "limits.tokens",
  tracking: "tracking.limit",
};

const DAY_MS = 86_400_000;
/** Less time than 300 requests take. */
const FIRST_WINDOW_MS = 600;

const UNCOUNTED = {
  updateDelivery: "changes-of-deliveries",
  cancelDelivery: "cancellations",
  registerStore: "registrations",
} as const;

/** A server that doesn't count the requests of an operation. */
const leaveUncounted =
  (operation: string): Mutate =>
  (deps) => ({
    ...deps,
    bucketOf: (counted) => {
      const bucket = deps.bucketOf(counted);
      return counted.operationId === operation ? { ...bucket, subject: deps.ids.uuid() } : bucket;
    },
  });

/** A server that counts token requests like other requests without a token. */
const withoutTokenLimit: Mutate = (deps) => ({
  ...deps,
  bucketOf: (counted) => {
    const bucket = deps.bucketOf(counted);
    return bucket.limit === "token" ? { ...bucket, limit: "anonymous" } : bucket;
  },
});

/** The operations of the burst at an integrator's limit that aren't GET. */
const WRITES_IN_A_BURST = ["createQuote", "registerStore", "updateDelivery", "cancelDelivery"];

export const limitMutants: Mutants = {
  "integrator-limit-of-1130": {
    fault: "fewer than 1,200 requests a minute are allowed",
    breaks: [{ clause: "LIMIT-1" }],
    mutate: enforceLimit("integrator", 1130),
  },
  "integrator-limit-of-4200": {
    fault: "more than 1,200 requests a minute are allowed",
    breaks: [{ clause: "LIMIT-2" }],
    mutate: enforceLimit("integrator", 4200),
  },
  "integrator-unlimited": {
    fault: "an integrator's requests are counted, but never limited",
    breaks: [{ clause: "LIMIT-2" }],
    mutate: enforceLimit("integrator", Number.POSITIVE_INFINITY),
  },
  "only-reads-are-limited": {
    fault: "only GET requests are counted and limited",
    breaks: breaking(WRITES_IN_A_BURST, "LIMIT-2"),
    mutate: (deps) => ({
      ...deps,
      bucketOf: (counted) => {
        const bucket = deps.bucketOf(counted);
        const isWriting = bucket.limit === "integrator" && !isReading(counted.operationId);
        return isWriting ? { ...bucket, subject: deps.ids.uuid() } : bucket;
      },
    }),
  },
  "reads-have-their-own-limit": {
    fault: "GET requests have a separate limit of 1,200 a minute",
    breaks: breaking(WRITES_IN_A_BURST, "LIMIT-2"),

    mutate: alterSubject(({ operationId }, { subject }) =>
      isReading(operationId) ? `${subject} reading` : subject,
    ),
  },
  "requests-about-webhooks-are-not-counted": {
    fault: "requests about webhooks don't count towards the 1,200",
    breaks: [{ clause: "LIMIT-2", case: "listWebhooks" }],

    mutate: (deps) => ({
      ...deps,
      bucketOf: (counted) => {
        const bucket = deps.bucketOf(counted);
        const isFree = bucket.limit === "integrator" && /webhook/i.test(counted.operationId ?? "");
        return isFree ? { ...bucket, subject: deps.ids.uuid() } : bucket;
      },
    }),
  },
  ...forEachElement(
    ["updateDelivery", "cancelDelivery", "registerStore"],
    (operation) => `${UNCOUNTED[operation]}-are-not-counted`,
    (operation) => ({
      fault: `requests of ${operation} don't count towards the 1,200`,
      breaks: breaking(operation, "LIMIT-2"),
      mutate: leaveUncounted(operation),
    }),
  ),
  "token-limit-counted-by-client": {
    fault: "token requests are limited to 30 a minute for each client_id instead of each IP address",
    breaks: [{ clause: "LIMIT-47" }],
    mutate: (deps) => {
      const counts = new Map<string, number>();
      return replaceOperation("obtainToken", (call, original) => {
        const key = `${call.body.client_id} ${Math.floor(wallClock() / 60_000)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        if ((counts.get(key) ?? 0) > PER_MINUTE.token) throw new DomainError("HIZ_SINIRI");
        return original(call);
      })(withoutTokenLimit(deps));
    },
  },
  "creations-of-deliveries-are-not-counted": {
    fault: "creations of deliveries don't count towards the 1,200",
    breaks: [{ clause: "LIMIT-2" }],
    mutate: leaveUncounted("createDelivery"),
  },
  "limit-counted-by-token": {
    fault: "each token has its own limit",
    breaks: [{ clause: "LIMIT-3" }],
    mutate: alterSubject(({ identity }, { subject }) =>
      "tokenHash" in identity ? identity.tokenHash : subject,
    ),
  },
  "limit-counted-by-ip": {
    fault: "all integrators at one IP address share a limit",
    breaks: [{ clause: "LIMIT-4" }],
    mutate: alterSubject(({ address }) => address),
  },
  "requests-with-a-token-count-by-ip-too": {
    fault: "requests with a token also count towards the 300 requests without a token of their IP address",
    breaks: [{ clause: "LIMIT-4" }],
    mutate: (deps) => ({
      ...deps,
      bucketOf: (counted) => {
        const bucket = deps.bucketOf(counted);
        const { address, realNow } = counted;
        if (bucket.limit === "integrator")
          void deps.limiter.count(`anonymous ${address} ${Math.floor(realNow / 60_000)}`);
        return bucket;
      },
    }),
  },
  ...forEachElement(
    LIMIT_NAMES,
    (name) => `${name}-limit-without-retry-after`,
    (name) => ({
      fault: `a 429 of the limit of ${PER_MINUTE[name]} has no retry-after`,
      breaks: breaking(name, "LIMIT-41"),
      caughtBy: [CHECKS[name]],
      mutate: alterRateHeaders(({ limit }) =>
        limit === PER_MINUTE[name] ? { "retry-after": undefined } : {},
      ),
    }),
  ),
  "retry-after-in-milliseconds": {
    fault: "retry-after is given in milliseconds",
    breaks: [{ clause: "LIMIT-45" }],
    mutate: compose(
      // A minute that is about to end would hide the fault.
      alterRateHeaders(({ exceeded }) => (exceeded ? { "retry-after": "30000" } : {})),
      // Makes a limited request occur, for the passive checks.
      enforceLimit("tracking", 0),
    ),
  },
  "retry-after-of-ten-minutes": {
    fault: "retry-after is ten minutes, although the limit is counted per minute",
    breaks: [{ clause: "LIMIT-43" }],
    mutate: compose(
      alterRateHeaders(({ exceeded }) => (exceeded ? { "retry-after": "600" } : {})),
      enforceLimit("tracking", 0),
    ),
  },
  "retry-after-is-always-a-second": {
    fault: "retry-after is always 1, although the limit lasts ten seconds",
    breaks: [{ clause: "LIMIT-5" }],
    mutate: compose(
      lastingLimit(10_000),
      alterRateHeaders(({ exceeded }) => (exceeded ? { "retry-after": "1" } : {})),
    ),
  },
  "limited-creation-consumes-its-key": {
    fault: "the idempotency key of a creation that got a 429 counts as used",
    breaks: [{ clause: "IDEM-14" }],
    mutate: remembersLimitedCreations("IDEMPOTENCY_CAKISMA"),
  },
  "limited-creation-is-replayed": {
    fault: "a creation that got a 429 gets it again for the same key after the limit has ended",
    breaks: [{ clause: "IDEM-14" }],
    mutate: remembersLimitedCreations("HIZ_SINIRI"),
  },
  "limit-with-another-code": {
    fault: "a 429 has the code TOO_MANY_REQUESTS",
    breaks: [{ clause: "LIMIT-2" }, { clause: "ERR-27" }],
    mutate: alterRefusal((failure, original) =>
      original(failure.code === "HIZ_SINIRI" ? { ...failure, code: "TOO_MANY_REQUESTS" } : failure),
    ),
  },
  "limit-answers-503": {
    fault: "requests over an integrator's limit return 503",
    breaks: [{ clause: "LIMIT-2" }, { clause: "ERR-27" }],
    ...wrongStatus("HIZ_SINIRI", 503),
  },
  "limit-lasts-all-day": {
    fault: "an integrator over its limit is blocked for years, although retry-after is at most a minute",
    breaks: [{ clause: "LIMIT-5" }],
    mutate: compose(
      (deps) => ({
        ...deps,
        rateLimitStatus: (limit, count, now) => ({
          ...deps.rateLimitStatus(limit, count, now),
          resetSeconds: deps.rateLimitStatus({ ...limit, windowMs: 60_000 }, count, now).resetSeconds,
        }),
      }),
      (deps) => ({
        ...deps,
        limits: {
          ...deps.limits,
          rate: {
            ...deps.limits.rate,
            // No test meets the end of a window, as it would at midnight with windows of a day.
            integrator: { ...deps.limits.rate.integrator, windowMs: 10_000 * DAY_MS },
          },
        },
      }),
    ),
  },
  "ip-limit-of-280": {
    fault: "fewer than 300 requests a minute are allowed",
    breaks: [{ clause: "LIMIT-7" }],
    mutate: enforceLimit("anonymous", 280),
  },
  "ip-limit-of-1050": {
    fault: "more than 300 requests a minute are allowed",
    breaks: [{ clause: "LIMIT-6" }],
    mutate: enforceLimit("anonymous", 1050),
  },
  "ip-limit-of-200-late-in-a-window": {
    fault: "fewer than 300 requests a minute are allowed, and the first window ends early",
    breaks: [{ clause: "LIMIT-7" }],
    mutate: (deps) => {
      const windows: { readonly end: number; count: number }[] = [];
      return replaceRateLimiter(deps, (limit, place, now) => {
        const before = windows[place] ?? { end: now + FIRST_WINDOW_MS, count: 0 };
        const window = now < before.end ? before : { end: before.end + limit.windowMs, count: 0 };
        windows[place] = window;
        window.count += 1;
        const rateLimit = deps.rateLimitStatus(limit, window.count, now);
        const exceeded = limit.requests === PER_MINUTE.anonymous ? window.count > 200 : rateLimit.exceeded;
        return { ...rateLimit, exceeded, resetSeconds: Math.ceil((window.end - now) / 1000) };
      });
    },
  },
  "requests-without-token-unlimited": {
    fault: "requests without a token are never limited",
    breaks: [{ clause: "LIMIT-6" }],
    mutate: enforceLimit("anonymous", Number.POSITIVE_INFINITY),
  },
  "token-limit-of-28": {
    fault: "fewer than 30 token requests a minute are allowed",
    breaks: [{ clause: "LIMIT-10" }],
    mutate: enforceLimit("token", 28),
  },
  "token-limit-of-105": {
    fault: "more than 30 token requests a minute are allowed",
    breaks: [{ clause: "LIMIT-9" }],
    mutate: enforceLimit("token", 105),
  },
  "tokens-unlimited": {
    fault: "token requests have no limit of 30",
    breaks: [{ clause: "LIMIT-9" }],
    mutate: withoutTokenLimit,
  },
  "remaining-counts-up": {
    fault: "x-ratelimit-remaining counts up",
    breaks: [{ clause: "LIMIT-40" }],

    mutate: alterRateHeaders(({ limit, remaining }) => ({
      "x-ratelimit-remaining": String(limit - remaining),
    })),
  },
  "remaining-never-falls": {
    fault: "x-ratelimit-remaining always equals the limit",
    breaks: [{ clause: "LIMIT-40" }],
    mutate: alterRateHeaders(({ limit }) => ({ "x-ratelimit-remaining": String(limit) })),
  },
};
