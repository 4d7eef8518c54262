import type { ClauseId, OpenPointId } from "../../../../openapi/generated/clauses.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import type { BaseContext } from "../../check.ts";
import type { Answer } from "../../session/http/answer.ts";
import { expectFields, expectRefused } from "../../support/assertions.ts";
import { type Check, check } from "../define.ts";
import { type Bound, boundsOf, type Rule } from "./bounds.ts";
import { valueAt, withValue } from "./fields.ts";

/** A check of its own for a bound, with the clauses that it verifies. */
interface Covered {
  /** The check's id, written out so that a search for it leads here. */
  readonly id: string;
  readonly clauses: Check["clauses"];
  readonly mutants: Check["mutants"];
  /** The expected refusal: 400 `DOGRULAMA` by default. */
  readonly refusal?: "400" | "4xx";
  /** The accepted request leaves the field out, since its legal values are open. */
  readonly positiveControl?: "without the field";
}

/**
 * How a bound is checked: by its own check, by the grouped check of all bounds without their own clause, by a
 * handwritten check elsewhere, or not at all because the specification leaves it open.
 */
export type Treatment = Covered | "swept" | { readonly elsewhere: ClauseId } | { readonly open: OpenPointId };

interface FieldEntry {
  /** A legal value for a field that the plain body lacks. */
  readonly example?: (now: number) => unknown;
  readonly rules: Partial<Readonly<Record<Rule, Treatment>>>;
}

/** All fields of a body by name, with all of their bounds. A test ensures that none is missing. */
export type FieldTable<Names extends string = string> = Readonly<Record<Names, FieldEntry>>;

/** A trial at the target: a legal body, and the handling of its variants. */
interface Trial<Body extends object> {
  /** Has every field that the table gives no example for. */
  readonly body: Body;
  /** A legal body, if the plain one is empty and so isn't legal. */
  readonly positiveControl?: Body;
  refuse(rule: string, body: object): Promise<Answer<OperationId>>;
  /** Asserts that the refusals have changed nothing, as far as it shows before the body is accepted. */
  unchanged(): Promise<void>;
  /**
   * Asserts that the body is accepted and that earlier refusals left nothing behind. Returns the resource as a read
   * shows it.
   */
  accept(body: Body): Promise<unknown>;
}

/** An operation whose bounds are checked. */
export interface Subject<Body extends object> {
  readonly operation: OperationId;
  readonly table: FieldTable;
  readonly exclusive?: Check["exclusive"];
  /** The requests of a grouped check are about one record, so they are sent one after the other. */
  readonly inTurn?: boolean;
  start(context: BaseContext): Promise<Trial<Body>>;
}

const isCovered = (treatment: Treatment | undefined): treatment is Covered =>
  typeof treatment === "object" && "clauses" in treatment;

type AnySubject = Pick<Subject<object>, "operation" | "table">;

const treatmentOf = (subject: AnySubject, { field, rule }: Bound): Treatment | undefined =>
  subject.table[field.name]?.rules[rule];

function exampleOf(subject: AnySubject, { field }: Bound, body: object, now: number): unknown {
  return subject.table[field.name]?.example?.(now) ?? valueAt(body, field.path);
}

/** The body with the bound's field at its last legal value, or at a plain one. */
export function legalBody<T extends object>(subject: AnySubject, bound: Bound, body: T, now: number): T {
  const treatment = treatmentOf(subject, bound);
  const example = exampleOf(subject, bound, body, now);
  if (isCovered(treatment) && treatment.positiveControl === "without the field") return body;
  return withValue(body, bound.field.path, bound.legal?.value(example, now) ?? example);
}

/** The body with the bound's field one step beyond what is legal, and nothing else wrong. */
export function illegalBody(subject: AnySubject, bound: Bound, body: object, now: number): object {
  const example = exampleOf(subject, bound, body, now);
  return withValue(body, bound.field.path, bound.illegal?.value(example, now));
}

function expectRefusal(answer: Answer<OperationId>, refusal: Covered["refusal"]): void {
  if (refusal === "4xx") expectRefused(answer);
  else if (refusal === "400") answer.refused(400);
  else answer.refused(400, "DOGRULAMA");
}

const wordsOf = ({ field, illegal }: Bound) => `${field.name} ${illegal?.words}`;

function checkOf<Body extends object>(subject: Subject<Body>, bound: Bound, covered: Covered): Check {
  const taken =
    bound.legal && covered.positiveControl === undefined
      ? `${bound.legal.words} is accepted and shown; `
      : "";
  return check({
    id: covered.id,
    title: `${bound.field.name} ${taken}${bound.illegal?.words} is refused without effect`,
    clauses: covered.clauses,
    mutants: covered.mutants,
    exclusive: subject.exclusive ?? "no",
    async run(context) {
      const trial = await subject.start(context);
      const refused = await trial.refuse(
        wordsOf(bound),
        illegalBody(subject, bound, trial.body, context.now()),
      );
      expectRefusal(refused, covered.refusal);
      await trial.unchanged();
      const legal = legalBody(subject, bound, trial.body, context.now());
      const shown = await trial.accept(legal);
      if (taken)
        expectFields(valueAt(shown, bound.field.path), valueAt(legal, bound.field.path), bound.field.name);
    },
  });
}

/** The checks of all bounds of an operation that have clauses of their own. */
export function boundChecks<Body extends object>(subject: Subject<Body>): readonly Check[] {
  return boundsOf(subject.operation).flatMap((bound) => {
    const treatment = treatmentOf(subject, bound);
    return isCovered(treatment) ? [checkOf(subject, bound, treatment)] : [];
  });
}

/** The bounds without a check of their own, and on request all others that are refused with `DOGRULAMA`. */
export function sweptBounds(subject: AnySubject, which: "the rest" | "all"): readonly Bound[] {
  return boundsOf(subject.operation).filter((bound) => {
    const treatment = treatmentOf(subject, bound);
    const covered = which === "all" && isCovered(treatment) && treatment.refusal === undefined;
    return bound.illegal !== undefined && (treatment === "swept" || covered);
  });
}

/** One check that breaks many bounds, each by a request of its own, and looks at each refusal. */
export function sweep<Body extends object>(
  subject: Subject<Body>,
  metadata: Pick<Check, "id" | "title" | "clauses" | "mutants">,
  which: "the rest" | "all",
  judge: (answer: Answer<OperationId>, bound: Bound, context: Pick<BaseContext, "at">) => void,
): Check {
  return check({
    ...metadata,
    exclusive: subject.exclusive ?? "no",
    async run(context) {
      const trial = await subject.start(context);
      const breakOne = async (bound: Bound) => {
        const body = illegalBody(subject, bound, trial.body, context.now());
        judge(await trial.refuse(wordsOf(bound), body), bound, context);
      };
      const bounds = sweptBounds(subject, which);
      const atOnce = subject.inTurn ? 1 : bounds.length;
      await context.each(cases("bounds", bounds, wordsOf), breakOne, { atOnce });
      await trial.unchanged();
      await trial.accept(trial.positiveControl ?? trial.body);
    },
  });
}
