import { forEachConcurrently } from "../../concurrency.ts";
import { type ElementOf, elementSets, type SetName } from "../../contract/element-sets.ts";
import { CheckFailure, EndsTarget, NoResponse } from "../failures/failure.ts";
import type { Cases } from "../outcome.ts";

/** Cases that one check tests. */
export interface CaseGroup<Element> {
  /** The elements in the plural: `event types`. */
  readonly label: string;
  readonly elements: readonly Element[];
  /** The name of an element in a report. */
  readonly nameOf: (element: Element) => string;
  /** The clause list's set that the cases belong to. */
  readonly set?: SetName;
}

/** All elements of a set. */
export const ofSet = <Name extends SetName>(set: Name): CaseGroup<ElementOf<Name>> =>
  someOf(set, elementSets[set].elements);

/** Some elements of a set. */
export const someOf = <Name extends SetName, Element extends ElementOf<Name>>(
  set: Name,
  elements: readonly Element[],
): CaseGroup<Element> => ({ label: elementSets[set].label, elements, nameOf: (element) => element, set });

/** Cases from the rows of a table with their names. */
export const casesFrom = <Value>(
  label: string,
  table: Readonly<Record<string, Value>>,
): CaseGroup<readonly [name: string, value: Value]> =>
  cases<readonly [name: string, value: Value]>(label, Object.entries(table), ([name]) => name);

/** Cases that aren't a set of the clause list, named by their text by default. */
export const cases = <Element>(
  label: string,
  elements: readonly Element[],
  nameOf: (element: Element) => string = String,
): CaseGroup<Element> => ({ label, elements, nameOf });

/** Options for examining several cases. */
export interface EachOptions<Element> {
  /** Elements examined at the same time; one by default. */
  readonly concurrency?: number;
  /**
   * Prepares the next `concurrency` elements. If all elements of a batch fail, no further elements are
   * examined, because each missing response costs a wait.
   */
  readonly before?: (elements: readonly Element[]) => Promise<void>;
}

/** Receives the progress. */
interface EachObserver {
  /** Called before a case is examined. */
  readonly reached?: (name: string) => void;
  readonly failed?: (error: Error) => void;
  /** True if a case failed because of a prerequisite of all cases. The remaining cases aren't tested then. */
  readonly endsAll?: (error: Error) => boolean;
}

/** The maximum number of listed names. */
const MAX_NAMES = 24;

const listed = (names: readonly string[]): string => {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${names.slice(0, MAX_NAMES).join(", ")}${more}`;
};

/** `2 of 6 list filters: from, status; passed: …; not reached: …`. */
export function describeCases(label: string, { failed, held, not_reached }: Cases): string {
  const all = failed.length + held.length + not_reached.length;
  return [
    `${failed.length} of ${all} ${label}: ${listed(failed)}`,
    held.length > 0 && `passed: ${listed(held)}`,
    not_reached.length > 0 && `not reached: ${listed(not_reached)}`,
  ]
    .filter(Boolean)
    .join("; ");
}

/** The failed cases of a check: all results, and a description of them. */
interface FailedElements {
  readonly cases: Cases;
  readonly at: string;
}

const failedElements = new WeakMap<Error, FailedElements>();

/** Undefined for a failure without cases. */
export const elementsOfFailure = (error: Error): FailedElements | undefined => failedElements.get(error);

/**
 * Examines each case and continues after a failure, because all failing cases together show the cause sooner
 * than the first alone. A request without a response stops the examination, and so does an error that isn't a
 * finding.
 * @throws the error of the first failed case; {@link elementsOfFailure} returns the failed, passed and
 * unreached cases
 */
export async function forEachCase<Element>(
  group: CaseGroup<Element>,
  examine: (element: Element) => unknown,
  { concurrency = 1, before }: EachOptions<Element> = {},
  observer: EachObserver = {},
): Promise<void> {
  const progress = new Progress(group, observer);
  const batches = before === undefined ? [group.elements] : inBatches(group.elements, concurrency);
  for (const batch of batches) {
    if (progress.isOver) break;
    await progress.guard(() => before?.(batch));
    await forEachConcurrently(batch, concurrency, (element) =>
      progress.examine(element, () => examine(element)),
    );
    if (before !== undefined && progress.allFailed(batch)) break;
  }
  progress.conclude();
}

/** Judges each case and continues after a failure, like {@link forEachCase} for a synchronous function. */
export function judgeEachCase<Element>(group: CaseGroup<Element>, judge: (element: Element) => void): void {
  const progress = new Progress(group, {});
  for (const element of group.elements) {
    if (progress.isOver) break;
    try {
      judge(element);
      progress.pass(element);
    } catch (error) {
      progress.fail(element, error);
    }
  }
  progress.conclude();
}

const inBatches = <Element>(all: readonly Element[], size: number): readonly (readonly Element[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, batch) =>
    all.slice(batch * size, (batch + 1) * size),
  );

/** Results of the elements so far. */
class Progress<Element> {
  readonly #group: CaseGroup<Element>;
  readonly #observer: EachObserver;
  readonly #failed = new Map<Element, Error>();
  readonly #held = new Set<Element>();
  #end: { readonly error: unknown } | undefined;

  constructor(group: CaseGroup<Element>, observer: EachObserver) {
    this.#group = group;
    this.#observer = observer;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  allFailed(elements: readonly Element[]): boolean {
    return elements.every((one) => this.#failed.has(one));
  }

  pass(element: Element): void {
    this.#held.add(element);
  }

  fail(element: Element, error: unknown): void {
    const isFailure = error instanceof CheckFailure;
    if (isFailure || error instanceof NoResponse) {
      this.#failed.set(element, error);
      this.#observer.failed?.(error);
    }
    if (!isFailure || error.endsCheck || this.#observer.endsAll?.(error)) this.#end ??= { error };
  }

  async examine(element: Element, examine: () => unknown): Promise<void> {
    if (this.isOver) return;
    this.#observer.reached?.(this.#group.nameOf(element));
    try {
      await examine();
      this.pass(element);
    } catch (error) {
      this.fail(element, error);
    }
  }

  /** Runs work that isn't part of a single case. */
  async guard(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#end ??= { error };
    }
  }

  get #failedElements(): FailedElements {
    const { elements, label, nameOf } = this.#group;
    const named = (belongs: (one: Element) => boolean) => elements.filter(belongs).map(nameOf);
    const cases = {
      failed: named((one) => this.#failed.has(one)),
      held: named((one) => this.#held.has(one)),
      not_reached: named((one) => !this.#held.has(one) && !this.#failed.has(one)),
    };
    return { cases, at: describeCases(label, cases) };
  }

  conclude(): void {
    const { elements } = this.#group;
    const first = elements.flatMap((one) => this.#failed.get(one) ?? []).at(0);
    const end = this.#end?.error;
    // An error that ends the target or blocks other checks takes precedence.
    const thrown = end instanceof EndsTarget || end instanceof CheckFailure ? end : (first ?? end);
    // The innermost group is the most specific one.
    if (thrown instanceof Error && this.#failed.size > 0 && !failedElements.has(thrown))
      failedElements.set(thrown, this.#failedElements);
    if (thrown !== undefined) throw thrown;
  }
}
