import { pause } from "../../core/clock.ts";
import { applyEvent, type ReceiverDependencies } from "./dependencies.ts";

export interface QueueOptions {
  /** Returns the milliseconds that the worker takes for an event, depending on the queue's length. */
  readonly workMs: (waiting: number) => number;
  /** Called if the processing of an event failed. Without this function, the event is lost. */
  readonly onFailure?: (tryAgain: () => void) => void;
  /** True if the effects interface reports failures. */
  readonly reportsFailures?: boolean;
}

/** A receiver that answers a genuine event with 202 and queues it. One worker processes the events in order. */
export function withQueue(
  original: ReceiverDependencies,
  { workMs, onFailure, reportsFailures = false }: QueueOptions,
): Partial<ReceiverDependencies> {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const enqueue = (work: () => void) => {
    waiting += 1;
    last = last
      .then(() => pause(workMs(waiting)))
      .then(() => {
        waiting -= 1;
        work();
      });
  };
  return {
    statuses: { ...original.statuses, accepted: 202 },
    async process(deps, state, signed, event) {
      const { memory, statuses } = deps;
      const key = memory.key(signed, event);
      if (memory.has(key)) return statuses.accepted;
      memory.add(key, deps.seconds(signed.timestamp));
      const work = () => {
        if (!state.failNext) return applyEvent(deps, state, signed, event);
        state.failNext = false;
        if (reportsFailures) state.failed.set(signed.id, 1);
        return onFailure?.(() => enqueue(work));
      };
      enqueue(work);
      return statuses.accepted;
    },
  };
}
