import type { ClauseId, OpenPointId } from "../../../../openapi/generated/clauses.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { valueAt } from "../../../core/text/member-paths.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { expectFields, expectRefused } from "../../support/assertions.ts";
import { type Bound, boundsOf, type Rule } from "./bounds.ts";
import { withValue } from "./fields.ts";

/** How a bound with clauses of its own is checked. */
interface OwnCheck {
  /** The check's id, written out so that a text search finds it. */
  readonly id: string;
  /** The clauses that require the first invalid value to be refused. */
  readonly clauses: Check["clauses"];
  /** The clause that a refused request has no effect, if there is such a clause. */
  readonly unchanged?: ClauseId;
  /** The clause that the last valid value is accepted, if there is such a clause. */
  readonly accepted?: ClauseId;
  /** The expected refusal. Defaults to 400 `DOGRULAMA`. */
  readonly refusal?: "400" | "4xx";
  /**
   * "without the field" if the valid values are unspecified. The accepted request then omits the field.
   */
  readonly positiveControl?: "without the field";
}

/**
 * How a bound is checked: by its own check, by the grouped check of all bounds without their own clause, by
 * another check, or not at all because it is unspecified.
 */
export type CheckPlacement =
  | OwnCheck
  | "in-grouped-check"
  | { readonly inCheckOf: ClauseId }
  | { readonly unspecified: OpenPointId };

interface FieldEntry {
  /** A valid value for a field that the trial's `body` lacks. */
  readonly example?: (now: number, body: object) => unknown;
  readonly rules: Partial<Readonly<Record<Rule, CheckPlacement>>>;
}

/**
 * All fields of a body by name, each with all bounds of the field. A test ensures that no field or bound is
 * missing.
 */
export type FieldTable<Names extends string = string> = Readonly<Record<Names, FieldEntry>>;

interface Trial<Body extends object> {
  /** Contains a valid value of every field that has no `example` in the table. */
  readonly body: Body;
  /** Another such body, in which a grouped check violates the bounds that have a check of their own. */
  readonly unusualBody?: Body;
  /** A valid body, if `body` is empty and therefore invalid. */
  readonly positiveControl?: Body;
  refuse(rule: string, body: object): Promise<ApiResponse<OperationId>>;
  /** Asserts that the refusals had no visible effect. Called before `accept`, which asserts the rest. */
  expectUnchanged(): Promise<void>;
  /**
   * Asserts that the body is accepted and that earlier refusals had no effect. Returns the created or changed
   * resource.
   * @param note what a failure says about the request
   */
  accept(body: Body, note?: string): Promise<unknown>;
}

export interface Subject<Body extends object> {
  readonly operation: OperationId;
  readonly table: FieldTable;
  readonly isolation?: Check["isolation"];
  /**
   * True to send the requests of a grouped check one after another, because they concern the same resource.
   */
  readonly sequential?: boolean;
  start(context: BaseContext): Promise<Trial<Body>>;
}

const hasOwnCheck = (placement: CheckPlacement | undefined): placement is OwnCheck =>
  typeof placement === "object" && "clauses" in placement;

type AnySubject = Pick<Subject<object>, "operation" | "table">;

const placementOf = (subject: AnySubject, { field, rule }: Bound): CheckPlacement | undefined =>
  subject.table[field.name]?.rules[rule];

function exampleOf(subject: AnySubject, { field }: Bound, body: object, now: number): unknown {
  return subject.table[field.name]?.example?.(now, body) ?? valueAt(body, field.path);
}

/** The body with the bound's field at its last valid value, or at any valid value. */
export function legalBody<T extends object>(subject: AnySubject, bound: Bound, body: T, now: number): T {
  const placement = placementOf(subject, bound);
  const example = exampleOf(subject, bound, body, now);
  if (hasOwnCheck(placement) && placement.positiveControl === "without the field") return body;
  return withValue(body, bound.field.path, bound.legal?.value(example, now) ?? example);
}

/** The body with only the bound's field invalid: its value is one step beyond the last valid value. */
export function illegalBody(subject: AnySubject, bound: Bound, body: object, now: number): object {
  const example = exampleOf(subject, bound, body, now);
  return withValue(body, bound.field.path, bound.illegal?.value(example, now));
}

function expectRefusal(response: ApiResponse<OperationId>, refusal: OwnCheck["refusal"]): void {
  if (refusal === "4xx") expectRefused(response);
  else if (refusal === "400") response.expectError(400);
  else response.expectError(400, "DOGRULAMA");
}

const wordsOf = ({ field, illegal }: Bound) => `${field.name} ${illegal?.words}`;

function checkOf<Body extends object>(subject: Subject<Body>, bound: Bound, own: OwnCheck): Check {
  const acceptedWords =
    bound.legal && own.positiveControl === undefined ? `${bound.legal.words} is accepted and returned; ` : "";
  return check({
    id: own.id,
    title: `${bound.field.name} ${acceptedWords}${bound.illegal?.words} is refused without effect`,
    clauses: [...own.clauses, ...[own.unchanged ?? [], own.accepted ?? []].flat()],
    isolation: subject.isolation ?? "none",
    async run(context) {
      const trial = await subject.start(context);
      context.attributeTo(...own.clauses);
      const refused = await trial.refuse(
        wordsOf(bound),
        illegalBody(subject, bound, trial.body, context.now()),
      );
      expectRefusal(refused, own.refusal);
      if (own.unchanged) context.attributeTo(own.unchanged);
      await trial.expectUnchanged();
      if (own.accepted) context.attributeTo(own.accepted);
      const legal = legalBody(subject, bound, trial.body, context.now());
      const note = acceptedWords === "" ? undefined : `sent with ${bound.field.name} ${bound.legal?.words}`;
      const shown = await trial.accept(legal, note);
      if (acceptedWords)
        expectFields(valueAt(shown, bound.field.path), valueAt(legal, bound.field.path), bound.field.name);
    },
  });
}

/** The checks of an operation's bounds that have clauses of their own. */
export function boundChecks<Body extends object>(subject: Subject<Body>): readonly Check[] {
  return boundsOf(subject.operation).flatMap((bound) => {
    const placement = placementOf(subject, bound);
    return hasOwnCheck(placement) ? [checkOf(subject, bound, placement)] : [];
  });
}

/** "all bounds" includes the bounds with a check of their own whose refusal is `DOGRULAMA`. */
type BoundSelection = "bounds without their own check" | "all bounds";

export function groupedBounds(subject: AnySubject, selection: BoundSelection): readonly Bound[] {
  return boundsOf(subject.operation).filter((bound) => {
    const placement = placementOf(subject, bound);
    const isIncluded =
      selection === "all bounds" && hasOwnCheck(placement) && placement.refusal === undefined;
    return bound.illegal !== undefined && (placement === "in-grouped-check" || isIncluded);
  });
}

/** A check that violates several bounds, each in a separate request. */
export function groupedCheck<Body extends object>(
  subject: Subject<Body>,
  {
    violates,
    unchanged,
    ...metadata
  }: Pick<Check, "id" | "title" | "clauses"> &
    Pick<OwnCheck, "unchanged"> & { readonly violates: BoundSelection },
  judge: (
    response: ApiResponse<OperationId>,
    bound: Bound,
    context: Pick<BaseContext, "attributeTo">,
  ) => void,
): Check {
  return check({
    ...metadata,
    isolation: subject.isolation ?? "none",
    async run(context) {
      const trial = await subject.start(context);
      const violate = async (bound: Bound) => {
        const valid = hasOwnCheck(placementOf(subject, bound)) ? trial.unusualBody : undefined;
        const body = illegalBody(subject, bound, valid ?? trial.body, context.now());
        judge(await trial.refuse(wordsOf(bound), body), bound, context);
      };
      const bounds = groupedBounds(subject, violates);
      const concurrency = subject.sequential ? 1 : bounds.length;
      await context.each(cases("bounds", bounds, wordsOf), violate, { concurrency });
      context.attributeTo(...(unchanged ? [unchanged] : metadata.clauses));
      await trial.expectUnchanged();
      await trial.accept(trial.positiveControl ?? trial.body);
    },
  });
}
