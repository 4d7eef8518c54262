import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { CaseGroup } from "../core/grading/expectations/each-element.ts";
import type { Attempt, AttemptOptions, DeliverOptions } from "./session/attempt.ts";
import type { EffectsClient } from "./session/effects.ts";
import type { Event, Subscription } from "./session/events.ts";
import type { Reply } from "./session/http-client.ts";
import type { SentEvent } from "./session/sent-events.ts";

/** A receiver check's possible need beyond answers: the effects interface. */
export type ReceiverCapability = "effects";

/** The context of every receiver check. It sends the events of the subscription. */
export interface AnswersContext extends Subscription {
  /** An attempt to deliver the event, signed as the service signs it. */
  attempt(event: Event, options?: AttemptOptions): Attempt;
  /** Sends it; an answer that doesn't come ends the check. */
  deliver(attempt: Attempt, options?: DeliverOptions): Promise<Reply>;
  /**
   * Sends an attempt outside the experiment to find a cause. The report doesn't list it as an exchange of the check.
   */
  probe(attempt: Attempt, options: DeliverOptions): Promise<Reply>;
  /** True if the receiver accepted a genuine event in this run, also one of another check. */
  readonly hasTakenAny: boolean;
  /** Sets the content type of later events, except for checks that request a particular one. */
  useContentType(contentType: string): void;
  /** Effects to query in addition to the answers, if the receiver has an effects interface. */
  readonly effectsIfGiven: EffectsClient | undefined;
  /** The signing key. */
  readonly key: Buffer;
  /** The secret in its usual text form: `whsec_` and base64. */
  readonly secret: string;
  /** Milliseconds that an answer may take. */
  readonly limitMs: number;
  /** A whole number from 0 to below the bound, from the run's seed. */
  random(bound: number): number;
  /**
   * Examines each case and goes on after a failure, so that the report lists the failed, held and unreached cases.
   * Elements of a set count as covered.
   */
  each<Element>(group: CaseGroup<Element>, look: (element: Element) => unknown): Promise<void>;
  /** Records the covered elements of a set. `all` is the whole set if the receiver's subscription determines it. */
  cover(set: SetName, elements: readonly string[], all?: readonly string[]): void;
  /** Adds a note to the report, also on a pass. */
  account(line: string): void;
}

export interface EffectsContext extends AnswersContext {
  readonly effects: EffectsClient;
  /** The genuine events about a delivery that the receiver has accepted from this check, in their order. */
  sentAbout(delivery: string): readonly SentEvent[];
}

/** The context of a check that lasts as long as the run. */
interface WholeRunContext extends EffectsContext {
  /** Does the work while no exclusive check runs. All work except waiting goes through it. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Waits so many milliseconds, beside the other checks. */
  elapsed(milliseconds: number): Promise<void>;
  /** Resolves when all other checks of the run have ended. */
  restOfRun(): Promise<void>;
  /** The webhook-ids of the genuine events that the receiver accepted in this run. */
  taken(): readonly string[];
}

/** One experiment on a receiver. */
export interface ReceiverCheck<Mutant extends string = string> {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** The fact that a pass establishes, as a sentence. */
  readonly title: string;
  /** All of one severity: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The faults that it catches; each is shown to by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  readonly needs: readonly ReceiverCapability[];
  /**
   * True if no other check may run meanwhile: it sends many requests at once, may bring the receiver down, or makes it
   * fail.
   */
  readonly alone: boolean;
  /** True if it begins with the run, runs beside all other checks and ends after them. */
  readonly wholeRun: boolean;
  run(context: WholeRunContext): Promise<void>;
}

/** A check's definition: without `needs` it gets no effects interface. */
export interface ReceiverCheckDefinition<Needs extends ReceiverCapability, Mutant extends string = string>
  extends Omit<ReceiverCheck<Mutant>, "needs" | "alone" | "wholeRun" | "run"> {
  readonly needs?: readonly Needs[];
  readonly alone?: boolean;
  run(context: [Needs] extends [never] ? AnswersContext : EffectsContext): Promise<void>;
}

/** The check that a definition describes. */
export function defineReceiverCheck<Needs extends ReceiverCapability, Mutant extends string>(
  definition: ReceiverCheckDefinition<Needs, Mutant>,
): ReceiverCheck<Mutant> {
  return {
    ...definition,
    needs: definition.needs ?? [],
    alone: definition.alone ?? false,
    wholeRun: false,
    run: definition.run,
  };
}

/** The definition of a check that lasts as long as the run. */
export type WholeRunCheckDefinition<Mutant extends string = string> = Omit<
  ReceiverCheck<Mutant>,
  "needs" | "alone" | "wholeRun"
>;

export const defineWholeRunCheck = <Mutant extends string>(
  definition: WholeRunCheckDefinition<Mutant>,
): ReceiverCheck<Mutant> => ({ ...definition, needs: ["effects"], alone: false, wholeRun: true });
