import type * as fc from "fast-check";
import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { DisturbanceKind } from "../core/confirmation/disturbance.ts";
import type { OperationId, Schemas } from "../core/contract/document.ts";
import type { ElementOf, SetName } from "../core/contract/element-sets.ts";
import type { Exchange } from "../core/exchange.ts";
import type { CaseGroup, EachOptions } from "../core/grading/expectations/each-element.ts";
import type { PropertyOptions } from "../core/grading/expectations/property.ts";
import type { TimelineTrack } from "../core/grading/outcome.ts";
import type { MemberPath } from "../core/text/member-paths.ts";
import { type Capabilities, type Capability, NEEDS_OWN_INTEGRATOR } from "./capabilities.ts";
import type { Api, CallOptions } from "./session/http/api.ts";
import type { ApiResponse } from "./session/http/api-response.ts";
import type { LimitExhaustion } from "./session/identities/identity-pool.ts";
import type { Integrator } from "./session/integrator.ts";
import type { Point } from "./session/sample-data/settings.ts";
import type { PaymentCode } from "./session/stores/payment-type.ts";

export interface BaseContext extends Integrator {
  /** The API without a token. */
  readonly anonymous: Api;
  /**
   * An API client without credentials. `idle` is true if its IP address has sent no requests in this minute.
   */
  freshAnonymous(): { readonly api: Api; readonly idle: boolean };
  /**
   * The API through several kinds of HTTP clients, each with a name. All clients share the integrator, the IP
   * address and the limits.
   */
  asEachClient(): readonly { readonly name: string; readonly api: Api; readonly anonymous: Api }[];
  token(): Promise<string>;
  /**
   * Obtains another token for the same integrator and uses it from now on. The target may invalidate the
   * older token (OPEN-100), so the check needs exclusive use of the integrator. Tokens are scarce.
   * @param anonymous the client that sends the request. Defaults to the check's own client
   */
  obtainToken(anonymous?: Api, options?: CallOptions): Promise<ApiResponse<"obtainToken">>;
  /** Obtains another token without its response. */
  anotherToken(): Promise<string>;
  /** A payment code that the target accepts (OPEN-80). */
  paymentType(): Promise<PaymentCode>;
  /** A valid order with a new reference, from this integrator's store to a point near the store. */
  order(overrides?: Partial<Schemas["NewDelivery"]>): Promise<Schemas["NewDelivery"]>;
  /** A new https URL for webhooks, at the suite's receiver if the target reaches the receiver. */
  webhookUrl(): string;
  /** Subscribes a new endpoint, which is deleted when the check ends. */
  registerWebhook(webhook?: Partial<Schemas["NewWebhook"]>): Promise<ApiResponse<"createWebhook">>;
  /** A point inside the country, near the run's stores. */
  readonly point: Point;
  readonly seed: number;
  /** Time limit for eventual effects, milliseconds. */
  readonly eventualTimeoutMs: number;
  /**
   * Tests a property with generated input. A counterexample is simplified and reported with the seed.
   * `concurrency` independent runs may be concurrent. The seed is the check's by default.
   */
  property<T>(
    arbitrary: fc.Arbitrary<T>,
    predicate: (input: T) => Promise<void>,
    options: Pick<PropertyOptions<T>, "runs" | "concurrency" | "describe"> &
      Partial<Pick<PropertyOptions<T>, "seed">>,
  ): Promise<void>;
  /** Attributes failures of the next expectations to these clauses. */
  attributeTo(...clauses: readonly ClauseId[]): void;
  /**
   * Records the covered elements of a set.
   * @param all the whole set, if the target determines it
   */
  recordCoverage<Name extends SetName>(
    set: Name,
    elements: readonly ElementOf<Name>[],
    all?: readonly ElementOf<Name>[],
  ): void;
  /**
   * Tests each case, by default one after another. Continues after a failure, so that the report lists failed,
   * passed and unreached cases. Elements of a set count as covered.
   */
  each<Element>(
    group: CaseGroup<Element>,
    examine: (element: Element) => unknown,
    options?: EachOptions<Element>,
  ): Promise<void>;
  /** Records a disturbance that the check itself noticed. */
  disturbed(kind: DisturbanceKind, what: string): void;
  /** Adds a note to the report, even if the check passes. */
  note(line: string): void;
  /** Sets the check's timeline, which is read when the check ends, even on a failure. */
  timeline(tracks: () => readonly TimelineTrack[]): void;
  /** Called if the check leaves its integrators unusable for others, for example at their rate limit. */
  retireIntegrator(): void;
  /** Called before the check exhausts its integrator's limit, to clean up in time. */
  cleanUpIntegrator(): Promise<void>;
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A context with all capabilities. A check that uses a missing capability is skipped. */
export type FullContext = BaseContext & Intersection<Capabilities[Capability]>;

/** The context of a check with these needs only. */
export type ContextFor<Needs extends Capability> = Pick<
  FullContext,
  keyof BaseContext | { [N in Capability]: keyof Capabilities[N] }[Needs]
>;

interface CheckMetadata {
  /** `group.name`. It doesn't change after publication. */
  readonly id: string;
  /** A sentence that is true if the check passes. */
  readonly title: string;
  /** Clauses of the same level: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
}

/** A check that sends requests to a target. */
export interface Check extends CheckMetadata {
  readonly kind: "active";
  readonly needs: readonly Capability[];
  /**
   * `own-integrator`: no other check uses the integrator at the same time. `runs-last`: the check also runs
   * after all other checks, one at a time.
   */
  readonly isolation: "none" | "own-integrator" | "runs-last";
  /** How the check exhausts its integrator's rate limit. */
  readonly exhaustsRateLimit?: LimitExhaustion | undefined;
  /**
   * The seconds that must pass on the target's clock. If the clock can't be advanced, the check waits for this
   * time.
   */
  readonly virtualSeconds: number;
  /** The minimum real time in seconds, without waits for responses. Longer checks start first. */
  readonly minRealSeconds?: number | undefined;
  /** The operation whose existence the check tests. The check runs before other checks. */
  readonly smokeTestOf?: OperationId | undefined;
  /** The operation whose rate limit the check tests. Other checks don't report failures of that limit. */
  readonly testsLimitOf?: OperationId | undefined;
  run(context: FullContext): Promise<void>;
}

/** A check that sends no requests, and judges all exchanges of the run. */
export interface PassiveCheck extends CheckMetadata {
  readonly kind: "passive";
  /** True if the exchange is evidence about the clauses. */
  applies(exchange: Exchange): boolean;
  /** The fault of an exchange. Undefined without a fault. */
  fault(exchange: Exchange): string | undefined;
  /** True if data loss in an outage looks the same as the fault. */
  readonly isDoubtfulAfterOutage?: true;
  /** The wording of a fault that other checks may report too. */
  commonCause?(exchange: Exchange): string | undefined;
  /** The faulty members of the response, if the text doesn't name them. */
  faultyMembers?(exchange: Exchange): readonly MemberPath[];
  /** The elements of the clauses' set that an exchange covers. */
  readonly coverage?: {
    readonly sets: readonly SetName[];
    elements(exchange: Exchange, among: readonly string[]): readonly string[];
  };
}

export type AnyCheck = Check | PassiveCheck;

export const isActive = (check: AnyCheck): check is Check => check.kind === "active";
export const isPassive = (check: AnyCheck): check is PassiveCheck => check.kind === "passive";

/** True if no other check may use the check's integrator at the same time. */
export const usesIntegratorAlone = ({ isolation, needs }: Check): boolean =>
  isolation !== "none" || needs.some((capability) => NEEDS_OWN_INTEGRATOR.includes(capability));

/** A check's definition. Its context only has the capabilities that it names. */
interface CheckDefinition<Needs extends Capability> extends CheckMetadata {
  readonly needs?: readonly Needs[];
  readonly isolation?: Check["isolation"];
  readonly exhaustsRateLimit?: Check["exhaustsRateLimit"];
  readonly virtualSeconds?: number;
  readonly minRealSeconds?: number;
  /** See {@link Check}: the simplest check of an operation, for a MUST clause. */
  readonly smokeTestOf?: OperationId;
  readonly testsLimitOf?: OperationId;
  run(context: ContextFor<Needs>): Promise<void>;
}

/** Defines a check that sends requests. `needs` determines the type of the context. */
export function check<const Needs extends Capability = never>(definition: CheckDefinition<Needs>): Check {
  return {
    ...definition,
    kind: "active",
    needs: definition.needs ?? [],
    isolation: definition.isolation ?? "none",
    exhaustsRateLimit: definition.exhaustsRateLimit,
    virtualSeconds: definition.virtualSeconds ?? 0,
    minRealSeconds: definition.minRealSeconds,
    smokeTestOf: definition.smokeTestOf,
    testsLimitOf: definition.testsLimitOf,
    run: definition.run,
  };
}

export const passiveCheck = (definition: Omit<PassiveCheck, "kind">): PassiveCheck => ({
  ...definition,
  kind: "passive",
});
