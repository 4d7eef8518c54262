import { minute, now } from "./formats.ts";
import { emit } from "./outbox.ts";
import type { Delivery, World } from "./state.ts";

/** Every change makes the version jump. */
export function change(delivery: Delivery, step = 2 + Math.floor(Math.random() * 6)): void {
  delivery.version += step;
  delivery.updatedAt = now();
}

const lead = 30 * minute;

/** A queued delivery is searched for at once, or half an hour before its scheduled time. */
export function planSearch(world: World, delivery: Delivery): void {
  delivery.plan += 1;
  const { plan } = delivery;
  const wait = (delivery.scheduledFor ?? 0) - lead - now();
  const start = () => {
    if (delivery.status === "QUEUED" && delivery.plan === plan) startSearch(world, delivery);
  };
  if (wait > 0) world.later(wait / 1000, start);
  else start();
}

function startSearch(world: World, delivery: Delivery): void {
  change(delivery, 3);
  delivery.searching = true;
  delivery.alertAt = delivery.updatedAt + 10 * minute;
  emit(world, delivery, "delivery.queued");
  const { plan } = delivery;
  const whileQueued = (milliseconds: number, act: () => void) =>
    world.later(milliseconds, () => {
      if (delivery.status === "QUEUED" && delivery.plan === plan) act();
    });
  whileQueued(300, () => refreshEstimate(delivery));
  if (delivery.store.couriers > 0) whileQueued(1500, () => offer(world, delivery, whileQueued));
}

/** A better estimate is a change too, though nobody is told. */
function refreshEstimate(delivery: Delivery): void {
  if (delivery.eta === undefined) return;
  delivery.eta = { pickup: delivery.eta.pickup + minute, dropoff: delivery.eta.dropoff + 2 * minute };
  change(delivery);
}

/** An offer leaves the state as it is; nobody here ever accepts one. */
function offer(world: World, delivery: Delivery, later: (ms: number, act: () => void) => void): void {
  change(delivery);
  emit(world, delivery, "delivery.offered");
  later(8000, () => {
    change(delivery);
    emit(world, delivery, "delivery.queued");
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
