import { NO_ANSWER } from "../../../suites/core/grading/failure.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { isUnavailable } from "../../../suites/core/http/unavailable.ts";
import { failureWords, likenessOf } from "../../../suites/core/mutation/failure-words.ts";
import type { MutantSignature, SignatureDictionary } from "../../../suites/core/mutation/signatures.ts";
import type { ReportedStatus } from "../status.ts";

/**
 * A fault of whose pattern a smaller share came to its end here can't be told from others: one that fails everything fits
 * any filtered run.
 */
const LEAST_SEEN = 0.5;
/** A failure that says what is less alike than this speaks of something else, though the same check fails. */
const LEAST_ALIKE = 0.3;
/** A failure of which it isn't known what it says comes after one that says the same, and before one that doesn't. */
const UNKNOWN_LIKENESS = 0.995;

/** A check as far as a diagnosis is concerned. */
export interface Ended extends Pick<SuiteCheck, "id">, Partial<Pick<SuiteCheck, "severity">> {
  readonly status: ReportedStatus;
  readonly absent?: true;
  readonly set_up?: true;
  readonly at?: string;
  readonly actual?: string;
  readonly message?: string;
  readonly fault?: string;
}

/** A status alone that balancers answer while a service is away: no code of the service's own stands beside it. */
const isBalancers = (actual: string): boolean => isUnavailable(Number(actual));

/**
 * The failures that a fault is sought for: of what must be, and only where all of that holds, of what should be. A right
 * server may go another way than is recommended in a dozen places, and each of them would speak against every fault. Where
 * an operation isn't there or gave no answer, a balancer answered in its place, or what checks build on couldn't be set up,
 * no fault of it is to be seen, and where the failure names its fault none is sought.
 */
export function failuresOf(checks: readonly Ended[]): readonly string[] {
  const failed = checks.filter(({ status, actual = "" }) => status === "failed" && !isBalancers(actual));
  const must = failed.filter(({ severity }) => severity !== "SHOULD");
  const sought = must.length > 0 ? must : failed;
  return sought
    .filter(({ absent, set_up, fault }) => absent !== true && set_up !== true && fault === undefined)
    .filter(({ actual }) => actual !== NO_ANSWER)
    .map(({ id }) => id);
}

/** A known fault, and how far it is like a run. */
export interface Candidate {
  readonly mutant: string;
  readonly signature: MutantSignature;
  readonly common: readonly string[];
  /** Of these the ones that say the very same here and there. */
  readonly same: readonly string[];
  /** How alike it is what they say here and there: of the one that differs most. */
  readonly likeness: number;
  readonly besides: number;
  readonly fit: number;
  /** Which share of the checks that fail on it came to their end here. */
  readonly seen: number;
}

const failedOn = ({ checks }: SignatureDictionary, { failed }: MutantSignature): readonly string[] =>
  failed.flatMap((place) => checks[place] ?? []);

/** How much a check tells by failing: the fewer mutants it fails on, the more. */
function weights(dictionary: SignatureDictionary): (check: string) => number {
  const signatures = Object.values(dictionary.mutants);
  const counts = new Map<string, number>();
  for (const signature of signatures) {
    for (const check of failedOn(dictionary, signature)) counts.set(check, (counts.get(check) ?? 0) + 1);
  }
  return (check) => Math.log(1 + signatures.length / (counts.get(check) ?? 1));
}

/** How alike it is what is said here and there; undefined where one of the two isn't known. */
const likeness = (here: string | undefined, there: string | undefined): number | undefined =>
  here === undefined || there === undefined ? undefined : likenessOf(here, there);

/**
 * The faults of whose pattern something fails, those that fit best first: by the weight of what fails here and there, of
 * what fails here or there. Checks that didn't come to an end say nothing.
 */
export function candidates(
  checks: readonly Ended[],
  failures: readonly string[],
  dictionary: SignatureDictionary,
): readonly Candidate[] {
  const failing = new Set(failures);
  const passed = new Set(checks.filter(({ status }) => status === "passed").map(({ id }) => id));
  const weight = weights(dictionary);
  const sum = (ids: Iterable<string>) => [...ids].reduce((total, id) => total + weight(id), 0);
  const places = new Map(dictionary.checks.map((id, place) => [id, place]));
  const failed = checks
    .filter(({ id }) => failing.has(id))
    .map(({ id, message }) => ({
      id,
      place: places.get(id) ?? -1,
      said: message === undefined ? undefined : failureWords(message),
    }));
  return Object.entries(dictionary.mutants)
    .map(([mutant, signature]): Candidate => {
      const pattern = failedOn(dictionary, signature);
      const alike = failed
        .filter(({ id }) => pattern.includes(id))
        .map(({ id, place, said }) => ({ id, likeness: likeness(said, signature.words?.[place]) }))
        .filter((one) => (one.likeness ?? 1) >= LEAST_ALIKE);
      const common = alike.map(({ id }) => id);
      const same = alike.filter((one) => one.likeness === 1).map(({ id }) => id);
      const least = Math.min(...alike.map((one) => one.likeness ?? UNKNOWN_LIKENESS));
      const besides = pattern.filter((id) => passed.has(id));
      const fit = sum(common) / (sum(failing) + sum(besides));
      const seen = pattern.filter((id) => failing.has(id) || passed.has(id)).length / pattern.length;
      return { mutant, signature, common, same, likeness: least, besides: besides.length, fit, seen };
    })
    .filter(({ common, seen }) => common.length > 0 && seen >= LEAST_SEEN)
    .toSorted(
      (one, other) =>
        other.fit - one.fit || other.likeness - one.likeness || other.signature.upTo - one.signature.upTo,
    );
}
