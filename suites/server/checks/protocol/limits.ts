import { clause } from "../../../../openapi/generated/clauses.ts";
import { monotonicNow } from "../../../core/clock.ts";
import { isAbsentStatus } from "../../../core/grading/expectations/absent-operation.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import { type Api, newIdempotencyKey } from "../../session/http/api.ts";
import { expectLimitedCreations, integratorLimit, refilledSince } from "../../support/integrator-limit.ts";
import { createDelivery } from "../../support/orders/deliveries.ts";
import { isFromBalancer, pastBalancer } from "../../support/protocol/balancer-answers.ts";
import { requestsOfEachKind } from "../../support/protocol/requests-of-each-kind.ts";
import {
  countLimited,
  exhaust,
  expectAllowance,
  expectRetryAfter,
  type Limit,
  UNTHROTTLED,
} from "../../support/rate-limit.ts";
import { quoteRequest } from "../../support/service-area.ts";
import { numberIn } from "../../support/shown-values.ts";
import { addressLimitsChecks } from "./limits-of-addresses.ts";

/** The longest wait for a limit per minute, with a margin. */
const WINDOW_S = 65;

/** Several tries, because a window may end during a try, or while a token is issued. */
const MAX_TRIES_AT_THE_LIMIT = 3;
const MAX_TRIES = 8;
/** More requests than any kind of window allows again during a burst. */
const REQUESTS_AT_THE_LIMIT = 100;
/** The size of a first burst, which suffices for most servers. */
const FIRST_AT_THE_LIMIT = 32;
/** The number of concurrent requests with a new token. */
const CONCURRENT_WITH_NEW_TOKEN = 8;

/**
 * Sends requests of several operations concurrently. Each round starts with a different operation, so that a
 * gradually refilling bucket doesn't favour one operation.
 * @returns for each operation, the number of requests that got 429
 */
async function countLimitedOfEach(
  operations: readonly Limit["send"][],
  requests: number,
): Promise<readonly number[]> {
  const turns = Array.from({ length: requests }, (_, i) => i + Math.floor(i / operations.length));
  const places = turns.map((turn) => turn % operations.length);
  const statuses = await Promise.all(places.map(async (place) => (await operations[place]?.())?.status));
  return operations.map(
    (_, operation) => places.filter((place, i) => place === operation && statuses[i] === 429).length,
  );
}

/** The operations that exist. A missing operation may be refused before the request is counted. */
async function existingOperations(
  { note }: Pick<BaseContext, "note">,
  operations: Readonly<Record<string, Limit["send"]>>,
): Promise<Readonly<Record<string, Limit["send"]>>> {
  const statuses = await Promise.all(Object.values(operations).map(async (send) => (await send()).status));
  const exists = (index: number) => !isAbsentStatus(statuses[index] ?? 0);
  const missing = Object.keys(operations).filter((_, index) => !exists(index));
  if (missing.length > 0) note(`not sent: ${missing.join(", ")} (missing, or at another path)`);
  return Object.fromEntries(Object.entries(operations).filter((_, index) => exists(index)));
}

/**
 * Asserts that requests of one operation use up the limit of the other operations too. Repeats the burst,
 * because a window may end or a bucket refill during a burst.
 */
async function expectSharedLimit(
  { each }: Pick<BaseContext, "each">,
  limit: Limit,
  operations: Readonly<Record<string, Limit["send"]>>,
): Promise<void> {
  const names = Object.keys(operations);
  const limited = new Map<string, number>();
  const isDone = () => names.every((name) => (limited.get(name) ?? 0) > 0);
  let conclusiveTries = 0;
  for (
    let tries = 0;
    !isDone() && conclusiveTries < MAX_TRIES_AT_THE_LIMIT && tries < MAX_TRIES;
    tries += 1
  ) {
    await exhaust(limit);
    const start = monotonicNow();
    const size = tries === 0 ? FIRST_AT_THE_LIMIT : REQUESTS_AT_THE_LIMIT;
    const counts = await countLimitedOfEach(Object.values(operations), size);
    for (const [i, name] of names.entries()) limited.set(name, (limited.get(name) ?? 0) + (counts[i] ?? 0));
    // If the bucket refills by many requests, all requests of one operation may pass.
    const isLarge = size === REQUESTS_AT_THE_LIMIT;
    if (isLarge && refilledSince(start, limit) < size / 2) conclusiveTries += 1;
  }
  const min = conclusiveTries < MAX_TRIES_AT_THE_LIMIT ? 0 : 1;
  await each(cases("operations", names), (name) =>
    expectThat(
      `requests of ${name} that got 429 after listPaymentTypes had exhausted the integrator's limit`,
      limited.get(name),
    ).isAtLeast(min),
  );
}

const identity = check({
  id: "limits.integrator",
  title:
    "an integrator may send 1,200 requests a minute, and well above that requests with any of its tokens get 429 with retry-after",
  clauses: [clause["LIMIT-1"], clause["LIMIT-2"], clause["LIMIT-3"], clause["LIMIT-41"]],
  isolation: "runs-last",
  exhaustsRateLimit: "from-below",
  async run(context) {
    const {
      attributeTo,
      recordCoverage,
      api,
      now,
      anotherToken,
      point,
      retireIntegrator,
      store,
      cleanUpIntegrator,
    } = context;
    recordCoverage("limits", ["integrator"]);
    retireIntegrator();
    const linked = await store();
    const { id } = await createDelivery(context);
    await cleanUpIntegrator();
    (await api.call("listPaymentTypes")).expectStatus(200);
    const limit = integratorLimit(api);
    // Requests with other methods than GET count too. A quote has no effect.
    const quote = quoteRequest(linked, point);
    const sendQuote = () => api.call("createQuote", { body: quote }, UNTHROTTLED);
    const operations = await existingOperations(context, {
      createQuote: sendQuote,
      ...requestsOfEachKind(api, id, linked),
    });
    const { createQuote = limit.send } = operations;
    attributeTo(clause["LIMIT-1"]);
    const passed = await expectAllowance(context, { ...limit, sendOnce: createQuote }, false);
    attributeTo(clause["LIMIT-2"]);
    const limited = await exhaust(limit, passed);
    limited.expectError(429, "HIZ_SINIRI");
    attributeTo(clause["LIMIT-41"]);
    expectRetryAfter(limited, now());
    attributeTo(clause["LIMIT-2"]);
    await expectSharedLimit(context, limit, operations);
    await expectLimitedCreations(context, limit);
    // The server must limit quotes even if a new window has begun.
    (await exhaust({ ...limit, send: createQuote })).expectError(429, "HIZ_SINIRI");
    attributeTo(clause["LIMIT-3"]);
    let limitedCount = 0;
    for (let tokens = 0; limitedCount === 0 && tokens < MAX_TRIES_AT_THE_LIMIT; tokens += 1) {
      await exhaust(limit);
      await anotherToken();
      for (
        let sent = 0;
        limitedCount === 0 && sent < REQUESTS_AT_THE_LIMIT;
        sent += CONCURRENT_WITH_NEW_TOKEN
      )
        limitedCount = await countLimited(limit, CONCURRENT_WITH_NEW_TOKEN);
    }
    expectThat("requests with a new token that got 429 at the integrator's limit", limitedCount).isMoreThan(
      0,
    );
  },
});

const otherIdentity = check({
  id: "limits.other-integrator",
  title:
    "an integrator at its limit doesn't limit another one, or requests without a token, with the same source IP",
  clauses: [clause["LIMIT-4"]],
  needs: ["second-integrator"],
  isolation: "runs-last",
  exhaustsRateLimit: "at-limit",
  async run({ anonymous, api, other, retireIntegrator }) {
    retireIntegrator();
    // Exhausts the integrator that has already sent more requests, to send fewer.
    const used = ({ options }: Api) => options.budget?.used ?? 0;
    const [exhaustedApi, otherApi] = used(other.api) > used(api) ? [other.api, api] : [api, other.api];
    const sameAddress = otherApi.with({ address: exhaustedApi.options.address });
    (await sameAddress.call("listPaymentTypes")).expectStatus(200);
    (await exhaust(integratorLimit(exhaustedApi))).expectStatus(429);
    const send = () => sameAddress.call("listPaymentTypes", {}, { honourLimits: false });
    expectThat("requests of the other integrator that got 429", await countLimited({ send }, 10)).is(0);
    // Waits for the suite's own budget of requests without a token, if they have used it up.
    const withoutToken = anonymous.with({ address: exhaustedApi.options.address });
    const sendWithoutToken = () => withoutToken.call("getHealth", {}, { honourLimits: false });
    expectThat("requests without a token that got 429", await countLimited({ send: sendWithoutToken }, 2)).is(
      0,
    );
  },
});

/**
 * The maximum number of creations until one is refused, because a bucket may refill by one request in between.
 */
const MAX_CREATIONS = 10;

async function limitedCreation({ api, order }: Pick<BaseContext, "api" | "order">) {
  for (let creations = 0; creations < MAX_CREATIONS; creations += 1) {
    const [body, key] = [await order(), newIdempotencyKey()];
    await exhaust(integratorLimit(api));
    const response = await api.createDelivery(body, { key, ...UNTHROTTLED });
    if (response.status === 429) return { body, key, response };
    if (!isFromBalancer(response)) response.body(201);
  }
  throw new CheckSkipped(`${MAX_CREATIONS} successive creations were accepted at the integrator's limit`);
}

const identityRecovers = check({
  id: "limits.integrator-recovers",
  title:
    "after retry-after an integrator's requests are accepted again, and a refused creation succeeds when repeated",
  clauses: [clause["LIMIT-5"], clause["IDEM-14"]],
  needs: ["clock"],
  virtualSeconds: 2 * WINDOW_S,
  isolation: "runs-last",
  exhaustsRateLimit: "at-limit",
  async run(context) {
    const { api, now, advanceClock, retireIntegrator } = context;
    retireIntegrator();
    const { body, key, response } = await limitedCreation(context);
    const wait = expectRetryAfter(response, now());
    await advanceClock(Math.max(1, Math.ceil(wait) + 1));
    context.attributeTo(clause["LIMIT-5"]);
    (await pastBalancer(() => api.call("listPaymentTypes", {}, UNTHROTTLED))).expectStatus(200);
    context.attributeTo(clause["IDEM-14"]);
    // After retry-after, a sliding window may have room for only one request. After a whole window, it has room
    // for all.
    await advanceClock(WINDOW_S);
    const { id } = (await api.createDelivery(body, { key, ...UNTHROTTLED })).body(201);
    (await pastBalancer(() => api.getDelivery(id, UNTHROTTLED))).body(200);
  },
});

const unknownRoute = check({
  id: "limits.unknown-route",
  title: "a response to an unknown route has the three rate limit headers too",
  clauses: [clause["LIMIT-37"]],
  async run({ api, each }) {
    const response = await api.sendInvalid("listPaymentTypes", "a route that doesn't exist", {
      unknownPath: "/v1/no-such-thing",
    });
    await each(
      cases("headers", ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]),
      (name) => expectThat(name, response.header(name)).isNot(undefined),
    );
  },
});

/**
 * The size of the first burst. It doubles until the burst exceeds what a gradually refilling window refills
 * during it.
 */
const FIRST_BURST = 10;
const MAX_BURST = 40;
const MAX_COUNTEREXAMPLES = 3;
const remaining = check({
  id: "limits.remaining",
  title: "x-ratelimit-remaining decreases with an integrator's burst of requests",
  clauses: [clause["LIMIT-40"]],
  isolation: "own-integrator",
  async run({ api }) {
    const limit = integratorLimit(api);
    const send = () => api.call("listPaymentTypes");
    const readRemaining = async () =>
      numberIn((await send()).header("x-ratelimit-remaining"), "x-ratelimit-remaining");
    const counterexamples: string[] = [];
    let burst = FIRST_BURST;
    for (let tries = 0; tries < MAX_TRIES && counterexamples.length < MAX_COUNTEREXAMPLES; tries += 1) {
      const start = monotonicNow();
      const before = await readRemaining();
      await Promise.all(Array.from({ length: burst }, send));
      const after = await readRemaining();
      if (after < before) return;
      if (refilledSince(start, limit) < burst) counterexamples.push(`${before} before, ${after} after`);
      else burst = Math.min(2 * burst, MAX_BURST);
    }
    if (counterexamples.length < MAX_COUNTEREXAMPLES) {
      throw new CheckSkipped(`${burst} requests take so long that the limit may recover meanwhile`);
    }
    // A fixed window may end during one of the bursts, but not during every burst.
    expectThat(
      `bursts of ${burst} requests after which x-ratelimit-remaining wasn't lower`,
      counterexamples,
    ).isEmpty();
  },
});

/**
 * Checks that exhaust the limit of an IP address come last, because other checks may have to wait for that
 * limit.
 */
export const limitsChecks: readonly Check[] = [
  unknownRoute,
  remaining,
  identity,
  otherIdentity,
  identityRecovers,
  ...addressLimitsChecks,
];
