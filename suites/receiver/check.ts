import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { CaseGroup } from "../core/grading/expectations/each-element.ts";
import type { Attempt, AttemptOptions, DeliverOptions } from "./session/attempt.ts";
import type { EffectsClient } from "./session/effects.ts";
import type { Event, Subscription } from "./session/events.ts";
import type { Reply } from "./session/http-client.ts";
import type { Pace } from "./session/pace.ts";
import type { SentEvent } from "./session/sent-events.ts";

/** A capability of a receiver beyond responses. */
export type ReceiverCapability = "effects";

export interface AnswersContext extends Subscription, Omit<Pace, "asOneDelivery"> {
  /** A delivery attempt of the event, signed like the service's. */
  attempt(event: Event, options?: AttemptOptions): Attempt;
  /** Sends the attempt. A missing response ends the check. */
  deliver(attempt: Attempt, options?: DeliverOptions): Promise<Reply>;
  /** Sends an attempt for diagnosis, which the report doesn't list. */
  probe(attempt: Attempt, options: DeliverOptions): Promise<Reply>;
  /** True if any check of this run had a genuine event accepted. */
  readonly hasAcceptedAny: boolean;
  /** Sets the content type of later events, except for checks that request a particular one. */
  useContentType(contentType: string): void;
  /** The effects client, if the receiver has an effects interface. */
  readonly effectsIfGiven: EffectsClient | undefined;
  /** The decoded signing key. */
  readonly key: Buffer;
  /** The secret as text: `whsec_` and base64. */
  readonly secret: string;
  /** The time limit of a response in milliseconds. */
  readonly limitMs: number;
  /** A seeded whole number from 0 to below the bound. */
  random(bound: number): number;
  /**
   * Tests each case and continues after a failure. Elements of a set count as covered.
   */
  each<Element>(group: CaseGroup<Element>, examine: (element: Element) => unknown): Promise<void>;
  /**
   * Records the covered elements of a set. `all` is the whole set, if it depends on the receiver's
   * subscription.
   */
  cover(set: SetName, elements: readonly string[], all?: readonly string[]): void;
  /** Adds a note to the report, also on a pass. */
  note(line: string): void;
}

export interface EffectsContext extends AnswersContext {
  readonly effects: EffectsClient;
  /** The genuine events about a delivery that the receiver accepted from this check, in order. */
  sentAbout(delivery: string): readonly SentEvent[];
}

/** The context of a check that lasts the whole run. */
interface WholeRunContext extends EffectsContext {
  /** Runs the work while no exclusive check runs. All work other than waiting has to use it. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Waits this many milliseconds while other checks run. */
  elapsed(milliseconds: number): Promise<void>;
  /** Resolves when all other checks of the run have ended. */
  restOfRun(): Promise<void>;
  /** The webhook-ids of genuine events that were accepted in this run. */
  acceptedIds(): readonly string[];
}

/** One experiment on a receiver. */
export interface ReceiverCheck<Mutant extends string = string> {
  /** `group.name`. It doesn't change after publication. */
  readonly id: string;
  /** A sentence that is true if the check passes. */
  readonly title: string;
  /** Clauses of the same level: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The mutants that it catches, verified by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  readonly needs: readonly ReceiverCapability[];
  /**
   * True if no other check may run meanwhile, because it may stop the receiver or makes it fail.
   */
  readonly alone: boolean;
  /** True if it sends many requests at once. Few other requests may be pending meanwhile. */
  readonly burst: boolean;
  /** True if many of its deliveries follow each other, so that it ends late unless it starts early. */
  readonly long: boolean;
  /** True if it starts with the run, and ends after all other checks. */
  readonly wholeRun: boolean;
  run(context: WholeRunContext): Promise<void>;
}

/** A check's definition: without `needs` it gets no effects interface. */
export interface ReceiverCheckDefinition<Needs extends ReceiverCapability, Mutant extends string = string>
  extends Omit<ReceiverCheck<Mutant>, "needs" | "alone" | "burst" | "long" | "wholeRun" | "run"> {
  readonly needs?: readonly Needs[];
  readonly alone?: boolean;
  readonly burst?: boolean;
  readonly long?: boolean;
  run(context: [Needs] extends [never] ? AnswersContext : EffectsContext): Promise<void>;
}

export function defineReceiverCheck<Needs extends ReceiverCapability, Mutant extends string>(
  definition: ReceiverCheckDefinition<Needs, Mutant>,
): ReceiverCheck<Mutant> {
  return {
    ...definition,
    needs: definition.needs ?? [],
    alone: definition.alone ?? false,
    burst: definition.burst ?? false,
    long: definition.long ?? false,
    wholeRun: false,
    run: definition.run,
  };
}

export type WholeRunCheckDefinition<Mutant extends string = string> = Omit<
  ReceiverCheck<Mutant>,
  "needs" | "alone" | "burst" | "long" | "wholeRun"
>;

export const defineWholeRunCheck = <Mutant extends string>(
  definition: WholeRunCheckDefinition<Mutant>,
): ReceiverCheck<Mutant> => ({
  ...definition,
  needs: ["effects"],
  alone: false,
  burst: false,
  long: false,
  wholeRun: true,
});
