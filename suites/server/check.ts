import type * as fc from "fast-check";
import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { OperationId, Schemas } from "../core/contract/document.ts";
import type { ElementOf, SetName } from "../core/contract/element-sets.ts";
import type { Exchange } from "../core/exchange.ts";
import type { CaseGroup, EachOptions } from "../core/grading/expectations/each-element.ts";
import type { PropertyOptions } from "../core/grading/expectations/property.ts";
import type { TimelineTrack } from "../core/grading/outcome.ts";
import type { MemberPath } from "../core/text/member-paths.ts";
import { type Capabilities, type Capability, NEEDS_OWN_IDENTITY } from "./capabilities.ts";
import type { Answer } from "./session/http/answer.ts";
import type { Api, CallOptions } from "./session/http/api.ts";
import type { Integrator } from "./session/integrator.ts";
import type { Point } from "./session/sample-data/settings.ts";
import type { PaymentCode } from "./session/stores/stores.ts";

/** The context of every check, regardless of its needs. */
export interface BaseContext extends Integrator {
  /** The API without a token. */
  readonly anonymous: Api;
  /** An API client without credentials, at an address without requests in this minute if there is one. */
  freshAnonymous(): { readonly api: Api; readonly idle: boolean };
  /**
   * The API as several kinds of clients use it: each has a name, and all have this integrator, its address and its
   * limits.
   */
  asEachClient(): readonly { readonly name: string; readonly api: Api; readonly anonymous: Api }[];
  /** The integrator's access token. */
  token(): Promise<string>;
  /**
   * Requests another token of the same integrator, which its requests carry from then on. A target may end the older
   * one (OPEN-101), so the check has the integrator alone. Tokens are scarce.
   * @param anonymous the client that requests it; the check's own anonymous client by default
   */
  obtainToken(anonymous?: Api, options?: CallOptions): Promise<Answer<"obtainToken">>;
  /** The same, for a check that needs only the token. */
  anotherToken(): Promise<string>;
  /** A payment code that the target accepts (OPEN-80). */
  paymentType(): Promise<PaymentCode>;
  /** A valid order for this integrator's store, near it, with a new reference. */
  order(overrides?: Partial<Schemas["NewDelivery"]>): Promise<Schemas["NewDelivery"]>;
  /** A new https URL that webhooks can be sent to: the suite's receiver's if the target reaches it. */
  webhookUrl(): string;
  /** Subscribes a new endpoint for any events. It is deleted when the check ends. */
  registerWebhook(wish?: Partial<Schemas["NewWebhook"]>): Promise<Answer<"createWebhook">>;
  /** A point inside the country, near the run's stores. */
  readonly point: Point;
  readonly seed: number;
  /** Time limit for eventual effects, milliseconds. */
  readonly eventualTimeoutMs: number;
  /**
   * Tries a property on generated input. A counterexample is shrunk within a budget of tries and reported with the
   * seed. Failures are distinguished from faults of the suite as in a plain check. If the tries are independent,
   * `atOnce` of them run concurrently.
   */
  property<T>(
    arbitrary: fc.Arbitrary<T>,
    predicate: (input: T) => Promise<void>,
    options: Pick<PropertyOptions<T>, "runs" | "atOnce" | "describe">,
  ): Promise<void>;
  /** States which of the check's clauses the next expectations are about. A failure is attributed to these alone. */
  at(...clauses: readonly ClauseId[]): void;
  /**
   * Records the covered elements of a set, if a clause quantifies over it.
   * @param all the whole set, if the target lists it
   */
  cover<Name extends SetName>(
    set: Name,
    elements: readonly ElementOf<Name>[],
    all?: readonly ElementOf<Name>[],
  ): void;
  /**
   * Examines each case, one after the other by default. It goes on after a failure, so that the report lists the
   * failed, held and unreached cases. Elements of a set count as covered.
   */
  each<Element>(
    group: CaseGroup<Element>,
    look: (element: Element) => unknown,
    options?: EachOptions<Element>,
  ): Promise<void>;
  /** Adds a note to the report, also on a pass. */
  note(line: string): void;
  /** Provides the check's time lines. They are read when it ends, also on a failure. */
  timeline(tracks: () => readonly TimelineTrack[]): void;
  /** Called when the check leaves its identities unusable for others, e.g. at their rate limit. */
  retireIdentity(): void;
  /** Called before the check exhausts its integrator's limit: removes the run's resources, if the run cleans up. */
  cleanUpIdentity(): Promise<void>;
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A context with all capabilities. Touching one that the target doesn't offer ends the check as not testable. */
export type FullContext = BaseContext & Intersection<Capabilities[Capability]>;

/** The context of a check with these needs: the check can touch nothing else by mistake. */
export type ContextFor<Needs extends Capability> = Pick<
  FullContext,
  keyof BaseContext | { [N in Capability]: keyof Capabilities[N] }[Needs]
>;

interface CheckMetadata<Mutant extends string> {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** The fact that a pass establishes, as a sentence. */
  readonly title: string;
  /** All of one severity: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The faults that it catches; each is shown to by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
}

/** One experiment on a target. */
export interface Check<Mutant extends string = string> extends CheckMetadata<Mutant> {
  readonly kind: "experiment";
  readonly needs: readonly Capability[];
  /** `identity`: no other check uses the integrator meanwhile. `last`: also runs after all others, one at a time. */
  readonly exclusive: "no" | "identity" | "last";
  /**
   * Set if it exhausts its integrator's rate limit. `first` counts from what other checks have left of the limit;
   * `again` can begin with an integrator that another check has exhausted.
   */
  readonly exhaustsRateLimit?: "first" | "again" | undefined;
  /** Seconds that it lets pass in all: the time that a run waits if the target's clock can't be moved. */
  readonly virtualSeconds: number;
  /**
   * Seconds that it takes in addition to answers, even if the target's clock is moved. The schedule starts longer
   * checks first.
   */
  readonly minRealSeconds?: number | undefined;
  /** The operation that it shows to be there: it runs before the checks that show none. */
  readonly smokeTestOf?: OperationId | undefined;
  /** The operation whose limit it tests. A check that meets the limit too early leaves the finding to this one. */
  readonly testsLimitOf?: OperationId | undefined;
  run(context: FullContext): Promise<void>;
}

/** Judges every exchange of the run. */
export interface PassiveCheck<Mutant extends string = string> extends CheckMetadata<Mutant> {
  readonly kind: "passive";
  /** True if the exchange is evidence about the clauses. */
  applies(exchange: Exchange): boolean;
  /** Describes the fault of an exchange. Undefined if there is none. */
  fault(exchange: Exchange): string | undefined;
  /** Describes a fault of such an exchange in the same words everywhere: other checks may fail by it too. */
  sharedFault?(exchange: Exchange): string | undefined;
  /** The members of the answer with the fault, if its words don't name them. */
  faultyMembers?(exchange: Exchange): readonly MemberPath[];
  /** The elements of the clauses' set that an applicable exchange shows. */
  readonly over?: {
    readonly sets: readonly SetName[];
    elements(exchange: Exchange, among: readonly string[]): readonly string[];
  };
}

export type AnyCheck = Check | PassiveCheck;

export const isExperiment = (one: AnyCheck): one is Check => one.kind === "experiment";
export const isPassive = (one: AnyCheck): one is PassiveCheck => one.kind === "passive";

/** True if no other check may use its integrator meanwhile. */
export const isExclusive = ({ exclusive, needs }: Check): boolean =>
  exclusive !== "no" || needs.some((capability) => NEEDS_OWN_IDENTITY.includes(capability));

/** A check's definition: its context has only the capabilities that it names. */
export interface CheckDefinition<Needs extends Capability, Mutant extends string = string>
  extends CheckMetadata<Mutant> {
  readonly needs?: readonly Needs[];
  readonly exclusive?: Check["exclusive"];
  /** See {@link Check}. */
  readonly exhaustsRateLimit?: Check["exhaustsRateLimit"];
  readonly virtualSeconds?: number;
  /** See {@link Check}. */
  readonly minRealSeconds?: number;
  /** See {@link Check}: the plainest check of an operation, of a MUST. */
  readonly smokeTestOf?: OperationId;
  /** See {@link Check}. */
  readonly testsLimitOf?: OperationId;
  run(context: ContextFor<Needs>): Promise<void>;
}

/** The check that a definition describes. */
export function defineCheck<Needs extends Capability, Mutant extends string>(
  definition: CheckDefinition<Needs, Mutant>,
): Check<Mutant> {
  return {
    ...definition,
    kind: "experiment",
    needs: definition.needs ?? [],
    exclusive: definition.exclusive ?? "no",
    exhaustsRateLimit: definition.exhaustsRateLimit,
    virtualSeconds: definition.virtualSeconds ?? 0,
    minRealSeconds: definition.minRealSeconds,
    smokeTestOf: definition.smokeTestOf,
    testsLimitOf: definition.testsLimitOf,
    run: definition.run,
  };
}
