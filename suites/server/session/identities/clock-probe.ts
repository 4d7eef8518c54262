import type { Identity } from "./identity.ts";

const MOVE_S = 3600;
/** Half of the advance in milliseconds. A smaller jump may be an ordinary clock correction. */
const MIN_MS = (MOVE_S * 1000) / 2;

/** A URL with a reserved name. The service sends nothing there during the probe. */
const URL_OF_PROBE = "https://clock-probe.example/hooks";

/** The service's time in the response to a creation. Undefined if the response contains no time. */
async function createdNow(identity: Identity): Promise<number | undefined> {
  const api = identity.api(() => {});
  const response = await api.call("createWebhook", { body: { url: URL_OF_PROBE } });
  if (response.status !== 201) return undefined;
  const { id, created_at } = response.body(201);
  await api.call("deleteWebhook", { path: { id } });
  const at = Date.parse(created_at);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Verifies that times in responses follow an integrator's clock, as the control interface promises. Without
 * this test, every check of time would fail on a service without a fault.
 * @param advance advances the integrator's clock by seconds
 * @returns the fault; undefined without a fault, or if the service's responses contain no times
 */
export async function probeClock(
  identity: Identity,
  advance: (seconds: number) => Promise<void>,
): Promise<string | undefined> {
  const before = await createdNow(identity).catch(() => undefined);
  if (before === undefined) return undefined;
  await advance(MOVE_S);
  const after = await createdNow(identity).catch(() => undefined);
  if (after === undefined || after - before >= MIN_MS) return undefined;
  return `the control interface reported an advance of ${MOVE_S} s, but an object created afterwards is only ${Math.round((after - before) / 1000)} s newer: it doesn't advance the service's clock`;
}
