import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { Several } from "../core/grading/each-element.ts";
import type { Attempt, AttemptOptions, HeaderStyle } from "./session/attempt.ts";
import type { EffectsClient } from "./session/effects.ts";
import type { Event, Subscription } from "./session/events.ts";
import type { Reply } from "./session/http-client.ts";

/** What a check of receivers may need beyond answers: the effects interface. */
export type ReceiverCapability = "effects";

export interface DeliverOptions extends HeaderStyle {
  /** What is wrong with the attempt on purpose. */
  readonly violates?: string;
}

/** What every check of receivers gets: what the subscription brings is what it sends. */
export interface AnswersContext extends Subscription {
  /** An attempt to deliver the event, signed as the service signs it. */
  attempt(event: Event, options?: AttemptOptions): Attempt;
  /** Sends it; an answer that doesn't come ends the check. */
  deliver(attempt: Attempt, options?: DeliverOptions): Promise<Reply>;
  /** Sends it beside the experiment, to find out what is wrong: it isn't reported as an exchange of the check. */
  probe(attempt: Attempt, options: DeliverOptions): Promise<Reply>;
  /** Whether the receiver took a genuine event in this run, be it another check's. */
  readonly hasTakenAny: boolean;
  /** From now on events are sent with this content type, where a check asks for none in particular. */
  useContentType(contentType: string): void;
  /** What is asked beside the answers, where the receiver has an effects interface. */
  readonly effectsIfGiven: EffectsClient | undefined;
  /** The signing key. */
  readonly key: Buffer;
  /** The secret as it is given to people: `whsec_` and base64. */
  readonly secret: string;
  /** Milliseconds that an answer may take. */
  readonly limitMs: number;
  /** A whole number from 0 to below the bound, from the run's seed. */
  random(bound: number): number;
  /**
   * Looks at each of several, also after one has failed, so that the report tells at which of them it did, at which it held
   * and which weren't reached. What is of a set is come to by it.
   */
  each<Element>(group: Several<Element>, look: (element: Element) => unknown): Promise<void>;
  /** Says which elements of a set it has come to; `all` where the receiver's subscription says what there is. */
  cover(set: SetName, elements: readonly string[], all?: readonly string[]): void;
  /** Adds a line to what the report tells of the check, also when it passes. */
  account(line: string): void;
}

export interface EffectsContext extends AnswersContext {
  readonly effects: EffectsClient;
}

/** What a check gets that lasts as long as the run does. */
export interface WholeRunContext extends EffectsContext {
  /** Does the work while no check is at it that has to be alone: everything but waiting is done so. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Waits so many milliseconds, beside the other checks. */
  elapsed(milliseconds: number): Promise<void>;
  /** Resolves when all other checks of the run have ended. */
  restOfRun(): Promise<void>;
  /** The webhook-ids of the genuine events that the receiver took in this run. */
  taken(): readonly string[];
}

/** One experiment on a receiver. */
export interface ReceiverCheck<Mutant extends string = string> {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** What holds when it passes, as a sentence. */
  readonly title: string;
  /** All of one severity: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The faults that it catches; each is shown to by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  readonly needs: readonly ReceiverCapability[];
  /** Whether no other check may run meanwhile: it sends many at once, may bring the receiver down, or lets it fail. */
  readonly alone: boolean;
  /** Whether it begins when the run does and ends after all others, which it runs beside. */
  readonly wholeRun: boolean;
  run(context: WholeRunContext): Promise<void>;
}

/** A check as it is written down: without `needs` it gets no effects interface. */
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

/** A check that lasts as long as the run does, as it is written down. */
export type WholeRunCheckDefinition<Mutant extends string = string> = Omit<
  ReceiverCheck<Mutant>,
  "needs" | "alone" | "wholeRun"
>;

export const defineWholeRunCheck = <Mutant extends string>(
  definition: WholeRunCheckDefinition<Mutant>,
): ReceiverCheck<Mutant> => ({ ...definition, needs: ["effects"], alone: false, wholeRun: true });
