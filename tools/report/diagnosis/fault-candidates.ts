import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import { NO_ANSWER } from "../../../suites/core/grading/failures/failure.ts";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { isUnavailable } from "../../../suites/core/http/unavailable.ts";
import type { ReportedStatus } from "../status.ts";
import type { KnownFault, KnownFaults } from "./known-faults.ts";

/** The parts of a check that a diagnosis uses. */
export interface Ended
  extends Pick<SuiteCheck, "id" | "clauses">,
    Partial<Pick<SuiteCheck, "severity">>,
    Omit<Outcome, "status" | "duration_ms" | "requests"> {
  readonly status: ReportedStatus;
}

/** True for a status that load balancers return for an unavailable service. */
const isBalancers = (actual: string): boolean => isUnavailable(Number(actual));

/**
 * The failures that are compared with known faults: of MUST clauses, or of SHOULD clauses if no MUST failed.
 * SHOULD failures of conforming servers would contradict every known fault. Failures are excluded if they
 * name their fault, if the operation is missing or doesn't respond, or if a load balancer responded.
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

/** The clauses that passed in a check. */
function heldClauses(checks: readonly Ended[]): ReadonlySet<string> {
  const held = checks.flatMap(({ status, clauses, clause_findings }) =>
    status === "passed" ? clauses : (clause_findings?.held ?? []),
  );
  const failed = new Set(checks.filter(({ status }) => status === "failed").flatMap(failedClauses));
  return new Set(held.filter((clause) => !failed.has(clause)));
}

/**
 * The text of a failure about the difference. Whole values and lists of cases are left out, because they also
 * name correct parts.
 */
const textOf = ({ subject, message, counterexample }: Ended): string =>
  [subject, message, counterexample].filter(Boolean).join("\n");

/** The words, names and numbers of a text in lower case, including the parts of a member's path. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}\d_]+(?:\.[\p{L}\d_]+)*/gu) ?? [];
  return new Set(words.flatMap((word) => [word, ...word.split(".")]).map((word) => word.toLowerCase()));
}

/** True if a failure contains the case as a whole word. */
const names = (words: ReadonlySet<string>, text: string, name: string): boolean =>
  [...wordsOf(name)].every((word) => words.has(word)) && text.includes(name.split(".").at(-1) ?? name);

/**
 * How a failure matches the cases that a fault breaks; undefined for a contradiction.
 * @param isWhole true if the fault breaks every case of the clause
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
/** The value that the fault produces: `package_count is 0`. */
const VALUE_IN_FAULT = /\bis (?:always )?(-?\d+(?:\.\d+)?|true|false|null)(?![\w.])/;
const PLAIN = /^(?:-?\d+(?:\.\d+)?|true|false|null|undefined)$/;
const CODES = /\b(?:[A-Z]{3,}(?:_[A-Z]+)+|GECERSIZ)\b/g;

/** Words of a fault that only accepts requests, and of one that only refuses them. */
const ACCEPTS = /\bcan (?:still )?be (?:changed|cancelled)\b(?!.*\bnot\b)/;
const REFUSES = /\bis refused (?:as|like|with)\b(?!.*\b(?:written|kept|stored|reported|overwrites)\b)/;

/** True if the fault's sentence names a different value, status or error code than the failure. */
function isContradicted({ fault }: KnownFault, failure: Ended): boolean {
  const { relation, expected = "", actual = "" } = failure;
  if (relation !== "to answer" && relation !== "to refuse with") {
    const [, value] = VALUE_IN_FAULT.exec(fault) ?? [];
    return value !== undefined && PLAIN.test(actual) && value !== actual;
  }
  const isAccepted = /^2\d\d\b/.test(actual);
  if ((isAccepted ? REFUSES : ACCEPTS).test(fault)) return true;
  const statuses = [...fault.matchAll(STATUS_IN_FAULT)].map(([, status = ""]) => status);
  const codes = fault.match(CODES) ?? [];
  const seen = `${expected} ${actual}`;
  return (
    (statuses.length > 0 && !statuses.some((status) => actual.includes(status))) ||
    (codes.length > 0 && /[A-Z]{3}/.test(actual) && !codes.some((code) => seen.includes(code)))
  );
}

/** A known fault, and how well it explains a run. */
export interface Candidate {
  readonly mutant: string;
  readonly known: KnownFault;
  /** The ids of the failed checks that it explains. */
  readonly explained: readonly string[];
  /** True if a failure has exactly the cases that the fault breaks. */
  readonly isExact: boolean;
  /** The share of the fault's words in the failures, weighted by rarity. */
  readonly likeness: number;
}

/** A word's weight: the fewer faults contain it, the higher. */
function weights(faults: readonly ReadonlySet<string>[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const word of faults.flatMap((words) => [...words])) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + faults.length / (counts.get(word) ?? 1));
}

/** The known faults that explain a failure, and that no passed clause contradicts. */
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
        // Divided by the length. A short fault that matches completely is likelier than a long one that
        // matches partly.
        likeness: sum([...words].filter((word) => said.has(word))) / Math.sqrt(sum(words)),
      },
    ];
  });
}
