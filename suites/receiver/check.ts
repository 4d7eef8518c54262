import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { CaseGroup } from "../core/grading/expectations/each-element.ts";
import type { Attempt, AttemptOptions, DeliverOptions } from "./session/attempt.ts";
import type { EffectsClient } from "./session/effects.ts";
import type { Event, Subscription } from "./session/events.ts";
import type { Reply } from "./session/http-client.ts";
import type { Pace } from "./session/pace.ts";
import type { SentEvent } from "./session/sent-events.ts";

/** An interface that a receiver offers in addition to its webhook endpoint. */
type ReceiverCapability = "effects";

export interface ResponsesContext extends Subscription, Omit<Pace, "asOneDelivery"> {
  /** Creates a delivery attempt of the event, signed like an attempt of the service. */
  attempt(event: Event, options?: AttemptOptions): Attempt;
  /** Sends the attempt. A missing response ends the check. */
  deliver(attempt: Attempt, options?: DeliverOptions): Promise<Reply>;
  /** Sends an attempt to diagnose a failure. The report doesn't list the attempt. */
  probe(attempt: Attempt, options: DeliverOptions): Promise<Reply>;
  /** True if the receiver has accepted a genuine event from any check of this run. */
  readonly hasAcceptedAny: boolean;
  /** Sets the content type of later events. A check that requests another content type still gets it. */
  useContentType(contentType: string): void;
  /** The client of the receiver's effects interface; undefined without an interface. */
  readonly effectsIfGiven: EffectsClient | undefined;
  /** The decoded signing key. */
  readonly key: Buffer;
  /** The secret as text: `whsec_` and base64. */
  readonly secret: string;
  /** The time limit of a response in milliseconds. */
  readonly limitMs: number;
  /** Returns a seeded random integer from 0 to `bound` - 1. */
  random(bound: number): number;
  /** Tests each case and continues after a failure. Marks the elements of a set as covered. */
  each<Element>(group: CaseGroup<Element>, examine: (element: Element) => unknown): Promise<void>;
  /** Marks elements of a set as covered. `all` has the set's elements if they depend on the subscription. */
  recordCoverage(set: SetName, elements: readonly string[], all?: readonly string[]): void;
  /** Adds a note to the report, even if the check passes. */
  note(line: string): void;
}

export interface EffectsContext extends ResponsesContext {
  readonly effects: EffectsClient;
  /** The genuine events about a delivery that the receiver accepted from this check, in order. */
  sentAbout(delivery: string): readonly SentEvent[];
}

/** The context of a check that lasts the whole run. */
interface WholeRunContext extends EffectsContext {
  /** Runs the work while no exclusive check runs. The check must do everything except waiting in a step. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Waits this many milliseconds while other checks run. */
  elapsed(milliseconds: number): Promise<void>;
  /** Resolves when all other checks of the run have ended. */
  restOfRun(): Promise<void>;
  /** The webhook-ids of the genuine events that the receiver accepted in this run. */
  acceptedIds(): readonly string[];
}

/** A check of a receiver. */
export interface ReceiverCheck {
  /** `group.name`. The id doesn't change after publication. */
  readonly id: string;
  /** A sentence that is true for a receiver that passes. */
  readonly title: string;
  /** The tested clauses. All are MUST, or all are SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly needs: readonly ReceiverCapability[];
  /** True if no other check may run concurrently, because the check may stop the receiver or make it fail. */
  readonly exclusive: boolean;
  /** True if the check sends many requests at once, while few requests of other checks may be in flight. */
  readonly burst: boolean;
  /** True if the check must start early, because it sends many deliveries one after another. */
  readonly startsEarly: boolean;
  /** True if the check starts with the run, and ends after all other checks. */
  readonly wholeRun: boolean;
  run(context: WholeRunContext): Promise<void>;
}

/** The definition of a check. Without `needs`, the check's context has no effects interface. */
interface ReceiverCheckDefinition<Needs extends ReceiverCapability>
  extends Omit<ReceiverCheck, "needs" | "exclusive" | "burst" | "startsEarly" | "wholeRun" | "run"> {
  readonly needs?: readonly Needs[];
  readonly exclusive?: boolean;
  readonly burst?: boolean;
  readonly startsEarly?: boolean;
  run(context: [Needs] extends [never] ? ResponsesContext : EffectsContext): Promise<void>;
}

/** Defines a check of a receiver. `needs` determines the type of the context. */
export function receiverCheck<const Needs extends ReceiverCapability = never>(
  definition: ReceiverCheckDefinition<Needs>,
): ReceiverCheck {
  return {
    ...definition,
    needs: definition.needs ?? [],
    exclusive: definition.exclusive ?? false,
    burst: definition.burst ?? false,
    startsEarly: definition.startsEarly ?? false,
    wholeRun: false,
    run: definition.run,
  };
}

/** Defines a check that lasts the whole run. */
export const wholeRunCheck = (
  definition: Omit<ReceiverCheck, "needs" | "exclusive" | "burst" | "startsEarly" | "wholeRun">,
): ReceiverCheck => ({
  ...definition,
  needs: ["effects"],
  exclusive: false,
  burst: false,
  startsEarly: false,
  wholeRun: true,
});
