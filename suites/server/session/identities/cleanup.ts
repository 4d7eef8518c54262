import type { CleanupReport, LeftBehind } from "../../../core/cleanup-report.ts";
import { textOf } from "../../../core/json.ts";
import { subscriptionsOf } from "../lists/list-entries.ts";
import {
  type CleanupDependencies,
  CleanupRun,
  type CleanupTask,
  type CleanupTimeouts,
} from "./cleanup-run.ts";
import type { Identity } from "./identity.ts";
import { undo } from "./inverse-operations.ts";
import { RemainingResources } from "./remaining-resources.ts";

/**
 * For a target with real couriers. Waiting for up to three rate limit windows is better than leaving orders
 * open.
 */
const WITH_REAL_COURIERS: CleanupTimeouts = { withinMs: 200_000, longestWaitMs: 65_000 };
/** For a target with a control interface, which has no real couriers. */
const WITH_CONTROL_INTERFACE: CleanupTimeouts = { withinMs: 20_000, longestWaitMs: 5_000 };
/** For the cleanup during the run. Tasks that a limit blocks are left for the cleanup at the end. */
const AHEAD: CleanupTimeouts = { withinMs: 30_000, longestWaitMs: 1_000 };
/** For a run that the user has interrupted, because the user is waiting. */
const INTERRUPTED: CleanupTimeouts = { withinMs: 10_000, longestWaitMs: 1_000 };

/** @param on.hasControl true if the target has a control interface */
export function cleanupTimeouts(on: {
  readonly hasControl: boolean;
  readonly isInterrupted: boolean;
}): CleanupTimeouts {
  if (on.isInterrupted) return INTERRUPTED;
  return on.hasControl ? WITH_CONTROL_INTERFACE : WITH_REAL_COURIERS;
}

/**
 * Deletes an integrator's webhooks that may exist although the connection broke when they were created or
 * deleted. Only five webhooks may be active, and some checks need all five.
 */
export async function deleteUncertainWebhooks(identity: Identity): Promise<void> {
  const { uncertainWebhooks } = identity.created;
  if (uncertainWebhooks.size === 0) return;
  const api = identity.api(() => {});
  const listed = subscriptionsOf(await api.call("listWebhooks", {}, { honourLimits: false }));
  const names = [...uncertainWebhooks];
  for (const { id, url } of listed)
    if (names.some((name) => name === id || name === url)) await undo(api, "webhook", textOf(id));
  // Forgets the webhooks only after the deletion, because the connection of the deletion may break too.
  for (const name of names) uncertainWebhooks.delete(name);
}

const deliveriesOf = (identity: Identity): readonly CleanupTask[] =>
  [...identity.created.deliveries].map((id) => ({ identity, kind: "delivery", id }));

/**
 * Cancels one integrator's deliveries during the run, as far as that needs no waiting.
 * @returns the number of cancelled deliveries
 */
export async function cancelAhead(
  identity: Identity,
  deps: Omit<CleanupDependencies, "timeouts">,
): Promise<number> {
  const cleanup = new CleanupRun(new RemainingResources(), { ...deps, timeouts: AHEAD });
  await cleanup.cleanUp(deliveriesOf(identity));
  return cleanup.undone.delivery;
}

interface CleanupOptions extends CleanupDependencies {
  /** Integrators that the run created through the control interface and hasn't closed. */
  readonly integrators: readonly string[];
}

/**
 * Deletes a run's webhooks and cancels its deliveries, as far as the API and rate limits allow within the
 * time limit.
 */
export async function cleanUp(
  identities: readonly Identity[],
  options: CleanupOptions,
): Promise<CleanupReport> {
  const { transport, integrators } = options;
  const left = new RemainingResources();
  // Webhooks come first, so that no endpoint gets the events of the cancellations.
  const tasks: readonly CleanupTask[] = [
    ...identities.flatMap((identity) =>
      [...identity.created.webhooks].map((id): CleanupTask => ({ identity, kind: "webhook", id })),
    ),
    ...identities.flatMap(deliveriesOf),
  ];
  const cleanup = new CleanupRun(left, options);
  await cleanup.cleanUp(tasks);
  const { undone } = cleanup;
  left.add("store", "the API deletes no stores", ...identities.flatMap(({ created }) => [...created.stores]));
  left.add("integrator", "the control interface deletes no integrators", ...integrators);
  const cleaned_up = { deliveries: undone.delivery, webhooks: undone.webhook };
  if (!transport.hasLostData) return { cleaned_up, left_behind: left.list };
  return { cleaned_up, left_behind: [], gone: countsByKind(left.list) };
}

function countsByKind(left: readonly LeftBehind[]): NonNullable<CleanupReport["gone"]> {
  const counts = new Map<LeftBehind["kind"], number>();
  for (const { kind, count } of left) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}
