import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { Attempt, AttemptOptions, HeaderNames } from "./session/attempt.ts";
import type { Effects } from "./session/effects.ts";
import type { Event } from "./session/events.ts";
import type { Reply } from "./session/http-client.ts";
import type { Statuses } from "./session/statuses.ts";

/** What a check of receivers may need beyond answers: the effects interface. */
export type Need = "effects";

export interface DeliverOptions {
  /** What is wrong with the attempt on purpose. */
  readonly violates?: string;
  readonly names?: HeaderNames;
}

/** What every check of receivers gets. */
export interface AnswersContext {
  /** An attempt to deliver the event, signed as the service signs it. */
  attempt(event: Event, options?: AttemptOptions): Attempt;
  /** Sends it; an answer that doesn't come ends the check. */
  deliver(attempt: Attempt, options?: DeliverOptions): Promise<Reply>;
  /** The signing key. */
  readonly key: Buffer;
  /** The secret as it is given to people: `whsec_` and base64. */
  readonly secret: string;
  /** The service's own strings for states, as far as they are known. */
  readonly statuses: Statuses;
  /** Milliseconds that an answer may take. */
  readonly limitMs: number;
  /** A whole number from 0 to below the bound, from the run's seed. */
  random(bound: number): number;
  /** Adds a line to what the report tells of the check, also when it passes. */
  account(line: string): void;
}

export interface EffectsContext extends AnswersContext {
  readonly effects: Effects;
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
  readonly needs: readonly Need[];
  /** Whether no other check may run meanwhile: it sends many at once, may bring the receiver down, or lets it fail. */
  readonly alone: boolean;
  run(context: EffectsContext): Promise<void>;
}

/** Checks that run after all others, one at a time. */
export const runsAlone = ({ alone }: ReceiverCheck): boolean => alone;

/** A check as it is written down: without `needs` it gets no effects interface. */
export interface ReceiverCheckDefinition<Needs extends Need, Mutant extends string = string>
  extends Omit<ReceiverCheck<Mutant>, "needs" | "alone" | "run"> {
  readonly needs?: readonly Needs[];
  readonly alone?: boolean;
  run(context: [Needs] extends [never] ? AnswersContext : EffectsContext): Promise<void>;
}

/** The check that a definition describes. */
export function defineReceiverCheck<Needs extends Need, Mutant extends string>(
  definition: ReceiverCheckDefinition<Needs, Mutant>,
): ReceiverCheck<Mutant> {
  return {
    ...definition,
    needs: definition.needs ?? [],
    alone: definition.alone ?? false,
    run: definition.run,
  };
}
