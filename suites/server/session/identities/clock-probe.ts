import type { Identity } from "./identity.ts";

const MOVE_S = 3600;
/** Half of the advance. A larger jump isn't an ordinary clock correction. */
const MIN_MS = (MOVE_S * 1000) / 2;

/** A reserved name. Nothing is sent there. */
const URL_OF_PROBE = "https://clock-probe.example/hooks";

/** The service's time for an object created now. Undefined if it shows none. */
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
 * Verifies that times in responses follow an integrator's clock, as the control interface promises. Otherwise
 * every check of time would fail without a fault of the service.
 * @param advance advances the integrator's clock by seconds
 * @returns the fault; undefined if there is none, or if the service shows no times
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
