import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import { NO_ANSWER } from "../../../suites/core/grading/failures/failure.ts";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { isUnavailable } from "../../../suites/core/http/unavailable.ts";
import type { ReportedStatus } from "../status.ts";
import type { KnownFault, KnownFaults } from "./known-faults.ts";

/** A check as far as a diagnosis is concerned. */
export interface Ended
  extends Pick<SuiteCheck, "id" | "clauses">,
    Partial<Pick<SuiteCheck, "severity">>,
    Omit<Outcome, "status" | "duration_ms" | "requests"> {
  readonly status: ReportedStatus;
}

/** A status alone that balancers answer while a service is away: no code of the service's own stands beside it. */
const isBalancers = (actual: string): boolean => isUnavailable(Number(actual));

/**
 * The failures that a fault is sought for: of MUST clauses, or of SHOULD clauses if no MUST failed. A conforming server may
 * differ from what is recommended in a dozen places, each of which would contradict every fault. A failure tells no fault
 * if its operation isn't built or gave no answer, if a balancer answered, or if it names its fault itself.
 */
export function failuresOf(checks: readonly Ended[]): readonly Ended[] {
  const failed = checks.filter(({ status, actual = "" }) => status === "failed" && !isBalancers(actual));
  const must = failed.filter(({ severity }) => severity !== "SHOULD");
  const absent = new Set(failed.flatMap((one) => (one.absent ? (one.operation ?? []) : [])));
  return (must.length > 0 ? must : failed)
    .filter((one) => one.absent !== true && one.set_up !== true && one.fault === undefined)
    .filter(({ operation }) => operation === undefined || !absent.has(operation))
    .filter(({ actual }) => actual !== NO_ANSWER);
}

const failedClauses = ({ clauses, clause_findings }: Ended): readonly string[] =>
  clause_findings?.failed ?? clauses;

/** The clauses that no failure blames, and that a check verified. */
function heldClauses(checks: readonly Ended[]): ReadonlySet<string> {
  const held = checks.flatMap(({ status, clauses, clause_findings }) =>
    status === "passed" ? clauses : (clause_findings?.held ?? []),
  );
  const failed = new Set(checks.filter(({ status }) => status === "failed").flatMap(failedClauses));
  return new Set(held.filter((clause) => !failed.has(clause)));
}

/** The texts of a failure that name what differs; whole values and all of several cases name what is right as well. */
const textOf = ({ subject, message, counterexample }: Ended): string =>
  [subject, message, counterexample].filter(Boolean).join("\n");

/** Names, numbers and words of a text, in small letters; a member's path counts by its parts, too. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}\d_]+(?:\.[\p{L}\d_]+)*/gu) ?? [];
  return new Set(words.flatMap((word) => [word, ...word.split(".")]).map((word) => word.toLowerCase()));
}

/** Whether a failure names this case as the whole of a name. */
const names = (words: ReadonlySet<string>, text: string, name: string): boolean =>
  [...wordsOf(name)].every((word) => words.has(word)) && text.includes(name.split(".").at(-1) ?? name);

/**
 * How a failure fits the cases that a fault breaks; undefined if it contradicts them.
 * @param isWhole whether it breaks the clause at all of them
 */
function fitOfCases(
  failure: Ended,
  stated: ReadonlySet<string>,
  isWhole: boolean,
): "exact" | "any" | undefined {
  const { failed = [], held = [] } = failure.cases ?? {};
  const isPartial = held.length > 0;
  if (isWhole && !isPartial) return "any";
  if (held.some((name) => stated.has(name))) return undefined;
  const common = failed.filter((name) => stated.has(name));
  if (common.length > 0) return common.length === failed.length ? "exact" : undefined;
  const text = textOf(failure);
  const words = wordsOf(text);
  return [...stated].some((name) => names(words, text, name)) ? "exact" : undefined;
}

const STATUS_IN_FAULT = /\banswer(?:s|ed)?\b[^,;]*?\b([1-5]\d\d)\b/g;
/** `package_count is 0`: the value that the target shows by the fault. */
const VALUE_IN_FAULT = /\bis (?:always )?(-?\d+(?:\.\d+)?|true|false|null)(?![\w.])/;
const PLAIN = /^(?:-?\d+(?:\.\d+)?|true|false|null|undefined)$/;
const CODES = /\b(?:[A-Z]{3,}(?:_[A-Z]+)+|GECERSIZ)\b/g;

/** Whether the fault's sentence tells of another value, status or error code than the failure. */
function isContradicted({ fault }: KnownFault, failure: Ended): boolean {
  const { relation, expected = "", actual = "" } = failure;
  if (relation !== "to answer" && relation !== "to refuse with") {
    const [, value] = VALUE_IN_FAULT.exec(fault) ?? [];
    return value !== undefined && PLAIN.test(actual) && value !== actual;
  }
  const statuses = [...fault.matchAll(STATUS_IN_FAULT)].map(([, status = ""]) => status);
  const codes = fault.match(CODES) ?? [];
  const seen = `${expected} ${actual}`;
  return (
    (statuses.length > 0 && !statuses.some((status) => actual.includes(status))) ||
    (codes.length > 0 && /[A-Z]{3}/.test(actual) && !codes.some((code) => seen.includes(code)))
  );
}

/** A known fault, and how far it explains a run. */
export interface Candidate {
  readonly mutant: string;
  readonly known: KnownFault;
  /** The failures that it explains, by their checks. */
  readonly explained: readonly string[];
  /** Whether one of these failed at the very cases that it breaks. */
  readonly isExact: boolean;
  /** How much of the fault's words the failures say, by how rare the words are. */
  readonly likeness: number;
}

/** How much a word tells: the fewer faults have it, the more. */
function weights(faults: readonly ReadonlySet<string>[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const word of faults.flatMap((words) => [...words])) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + faults.length / (counts.get(word) ?? 1));
}

/** The known faults that explain a failure, and that nothing which held contradicts. */
export function candidates(
  checks: readonly Ended[],
  failures: readonly Ended[],
  faults: KnownFaults,
): readonly Candidate[] {
  const held = heldClauses(checks);
  const all = Object.entries(faults).map(([mutant, known]) => ({
    mutant,
    known,
    words: wordsOf(withOperationNames(known.fault)),
  }));
  const weight = weights(all.map(({ words }) => words));
  const sum = (words: Iterable<string>) => [...words].reduce((total, word) => total + weight(word), 0);
  const possible = all.filter(({ known }) => !known.breaks.some(({ clause }) => held.has(clause)));
  return possible.flatMap(({ mutant, known, words }): readonly Candidate[] => {
    const explained = failures.flatMap((failure) => {
      const blamed = failedClauses(failure);
      const broken = known.breaks.filter(({ clause }) => blamed.includes(clause));
      if (broken.length === 0 || isContradicted(known, failure)) return [];
      const stated = new Set(
        broken.flatMap((one) => (one.case === undefined ? [] : withOperationNames(one.case))),
      );
      const isWhole = broken.some((one) => one.case === undefined);
      const fit = fitOfCases(failure, stated, isWhole);
      return fit === undefined ? [] : [{ failure, fit }];
    });
    if (explained.length === 0) return [];
    const said = wordsOf(explained.map(({ failure }) => textOf(failure)).join("\n"));
    return [
      {
        mutant,
        known,
        explained: explained.map(({ failure }) => failure.id),
        isExact: explained.some(({ fit }) => fit === "exact"),
        // A short fault of which all is said comes before a long one of which as much is said.
        likeness: sum([...words].filter((word) => said.has(word))) / Math.sqrt(sum(words)),
      },
    ];
  });
}
