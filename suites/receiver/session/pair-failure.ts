import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import type { SentEvent } from "./sent-events.ts";

const describeEvent = ({ id, version, timestamp }: SentEvent): string =>
  `webhook-id ${id} with version ${version}, of ${timestamp}`;

/** How the receiver mishandles the second of two events about one delivery, in the same words for all failures. */
const FAULTS = {
  dropped: {
    fault: "an event has no effect after an earlier event about the same delivery",
    usual:
      "does the receiver recognise events by the delivery's id? The webhook-id identifies a repeated event",
  },
  overwrites: {
    fault: "an older version of a delivery replaces a newer one that arrived before",
    usual: "does the last event to arrive win, or the latest timestamp? data.version orders events",
  },
} as const;

/** The possible cause if the second event's timestamp isn't later than the first's. */
const BY_TIMESTAMP =
  "; or does the receiver order events by timestamp, which isn't later for the second event? data.version orders events";

const AS_TEXT = "are versions compared as text, in which 9 comes after 10";

/** True if two numbers are in a different order when they are compared as text. */
const ordersDifferAsText = (one: number, other: number): boolean =>
  one < other !== String(one) < String(other);

/** The receiver mishandled the second of two events about one delivery. */
export class PairFailure extends CheckFailure {
  /** The webhook-ids of the two events in the order in which they were sent. */
  readonly ids: readonly string[];

  constructor(
    mismatch: Mismatch,
    how: keyof typeof FAULTS,
    [first, second]: readonly [SentEvent, SentEvent],
  ) {
    const { fault, usual } = FAULTS[how];
    const isNoLater = how === "dropped" && second.timestamp <= first.timestamp;
    const asText = ordersDifferAsText(first.version, second.version) ? `${AS_TEXT}; or ` : "";
    super(
      {
        ...mismatch,
        note: `${describeEvent(first)} came first, then ${describeEvent(second)}: ${asText}${usual}${isNoLater ? BY_TIMESTAMP : ""}`,
      },
      { fault },
    );
    this.ids = [first.id, second.id];
  }
}
