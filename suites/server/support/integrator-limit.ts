import { monotonicNow } from "../../core/clock.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import type { BaseContext } from "../check.ts";
import { type Api, newIdempotencyKey } from "../session/http/api.ts";
import { exhaust, type Limit, UNTHROTTLED } from "./rate-limit.ts";

/** Requests per minute (specification, "Limits"). */
const PER_INTEGRATOR = 1200;

/**
 * The maximum number of further requests that the limit has allowed since `start`: a token bucket refills at
 * the limit's rate, and a sliding window drops the requests of a minute ago (OPEN-223).
 */
export const refilledSince = (start: number, { budget }: Pick<Limit, "budget">): number =>
  ((monotonicNow() - start) / 60_000) * PER_INTEGRATOR + budget.expiredSince(start);

/** The limit of an integrator's requests, which the client sends with its token. */
export function integratorLimit(api: Api): Limit {
  const { budget } = api.options;
  if (!budget) throw new Error("the limit of an anonymous client isn't an integrator's");
  const send = () => api.call("listPaymentTypes", {}, UNTHROTTLED);
  return { perMinute: PER_INTEGRATOR, concurrency: 32, send, budget };
}

/** Creations in a burst at the limit. */
const CREATIONS = 30;
const MAX_TRIES = 3;

/**
 * Asserts that creations of deliveries count towards an integrator's limit. At the limit, the first creation
 * usually gets 429, and no other is sent. A burst proves nothing if the limit has recovered meanwhile.
 */
export async function expectLimitedCreations(
  { api, order }: Pick<BaseContext, "api" | "order">,
  limit: Limit,
): Promise<void> {
  const isLimited = async (): Promise<boolean> =>
    (await api.createDelivery(await order(), { key: newIdempotencyKey(), ...UNTHROTTLED })).status === 429;
  let accepted = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    await exhaust(limit);
    if (await isLimited()) return;
    await exhaust(limit);
    // Other requests between the creations show whether the integrator is still at its limit.
    const sent = Array.from({ length: CREATIONS }, () => Promise.all([isLimited(), limit.send()]));
    const pairs = await Promise.all(sent);
    if (pairs.some(([isCreationLimited]) => isCreationLimited)) return;
    const others = pairs.filter(([, { status }]) => status === 429).length;
    if (others > CREATIONS / 2) accepted += CREATIONS;
  }
  expectThat("creations in bursts at the integrator's limit of which none got 429", accepted).is(0);
}
