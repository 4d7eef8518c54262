import { minute, now } from "./formats.ts";
import { emit } from "./outbox.ts";
import type { Delivery, ServerState } from "./state.ts";

/** Each change increases the version by a random step. */
export function change(delivery: Delivery, step = 2 + Math.floor(Math.random() * 6)): void {
  delivery.version += step;
  delivery.updatedAt = now();
}

const searchLead = 30 * minute;

/** The search for a queued delivery starts immediately, or half an hour before its scheduled time. */
export function planSearch(state: ServerState, delivery: Delivery): void {
  delivery.plan += 1;
  const { plan } = delivery;
  const wait = (delivery.scheduledFor ?? 0) - searchLead - now();
  const start = () => {
    if (delivery.status === "QUEUED" && delivery.plan === plan) startSearch(state, delivery);
  };
  if (wait > 0) state.later(wait / 1000, start);
  else start();
}

function startSearch(state: ServerState, delivery: Delivery): void {
  change(delivery, 3);
  delivery.searching = true;
  delivery.alertAt = delivery.updatedAt + 10 * minute;
  emit(state, delivery, "delivery.queued");
  const { plan } = delivery;
  const whileQueued = (milliseconds: number, act: () => void) =>
    state.later(milliseconds, () => {
      if (delivery.status === "QUEUED" && delivery.plan === plan) act();
    });
  whileQueued(300, () => refreshEstimate(delivery));
  if (delivery.store.couriers > 0) whileQueued(1500, () => offer(state, delivery, whileQueued));
}

/** A new estimate changes the delivery, but emits no event. */
function refreshEstimate(delivery: Delivery): void {
  if (delivery.eta === undefined) return;
  delivery.eta = { pickup: delivery.eta.pickup + minute, dropoff: delivery.eta.dropoff + 2 * minute };
  change(delivery);
}

/** An offer keeps the state. Simulated couriers never accept an offer. */
function offer(state: ServerState, delivery: Delivery, later: (ms: number, act: () => void) => void): void {
  change(delivery);
  emit(state, delivery, "delivery.offered");
  later(8000, () => {
    change(delivery);
    emit(state, delivery, "delivery.queued");
  });
}

export function estimate(delivery: Delivery): void {
  const start = Math.max(delivery.scheduledFor ?? delivery.readyAt, delivery.createdAt);
  const ride = (delivery.measure?.road ?? 5) * 3 * minute;
  delivery.eta = delivery.dropoff.point && {
    pickup: start,
    dropoff: start + Math.round(ride),
  };
}
