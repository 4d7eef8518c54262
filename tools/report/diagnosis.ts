import { withOperationNames } from "../../suites/core/contract/operation-names.ts";
import { NO_ANSWER } from "../../suites/core/grading/failure.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { GuidanceByGroup } from "../../suites/core/guidance.ts";
import { isUnavailable } from "../../suites/core/http/unavailable.ts";
import { failureWords, likenessOf } from "../../suites/core/mutation/failure-words.ts";
import type { MutantSignature, SignatureDictionary } from "../../suites/core/mutation/signatures.ts";
import type { Cause } from "./causes.ts";
import type { ReportedStatus } from "./status.ts";

/** A known fault whose pattern of failing checks is like that of the run. */
export interface Diagnosis {
  /** The mutant's name. */
  readonly mutant: string;
  /** What is wrong with it, in words. */
  readonly fault: string;
  /** Of the run's failing checks, those that fail on it too, in the suite's order. */
  readonly checks: readonly string[];
  /** How many of the run's checks fail. */
  readonly failing: number;
  /** How many others fail on it, and passed here: none, or it would be another fault; not there where the mutant was never run on all checks. */
  readonly besides?: 0;
  /** How many other known faults fit as well as the best, and aren't named. */
  readonly alike: number;
  /** What is usually behind it, by the guidance on the checks that fail. */
  readonly causes: readonly string[];
}

/** A fit below this is a guess, and none is made. */
const LEAST_FIT = 0.5;
/** How far behind the best another may be that is named beside it. */
const NEAR_BEST = 0.2;
const MOST_NAMED = 3;
/** A fault of whose pattern a smaller share came to its end here can't be told from others: one that fails everything fits any filtered run. */
const LEAST_SEEN = 0.5;
/** A failure that says what is less alike than this speaks of something else, though the same check fails. */
const LEAST_ALIKE = 0.3;
/** A failure of which it isn't known what it says comes after one that says the same, and before one that doesn't. */
const UNKNOWN_LIKENESS = 0.995;
/** A fault of which a check says the very same is told from this fit on: by the check's words, and not by how many fail. */
const LEAST_FIT_OF_SAME = 0.1;
/** A fault is told by as many checks that fail here and there, unless one check speaks for all that fails. */
const LEAST_COMMON = 2;

/** A check as far as a diagnosis is concerned. */
interface Ended extends Pick<SuiteCheck, "id">, Partial<Pick<SuiteCheck, "severity">> {
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
function failuresOf(checks: readonly Ended[]): readonly string[] {
  const failed = checks.filter(({ status, actual = "" }) => status === "failed" && !isBalancers(actual));
  const must = failed.filter(({ severity }) => severity !== "SHOULD");
  const sought = must.length > 0 ? must : failed;
  return sought
    .filter(({ absent, set_up, fault }) => absent !== true && set_up !== true && fault === undefined)
    .filter(({ actual }) => actual !== NO_ANSWER)
    .map(({ id }) => id);
}

interface Candidate {
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

/** How alike it is what a check says that fails here and there; undefined where that isn't known. */
function likenessThere(
  { checks }: SignatureDictionary,
  { words = {} }: MutantSignature,
  { id, message }: Ended,
): number | undefined {
  const there = words[checks.indexOf(id)];
  return there === undefined || message === undefined ? undefined : likenessOf(failureWords(message), there);
}

/**
 * The faults of whose pattern something fails, those that fit best first: by the weight of what fails here and there, of what fails here or
 * there. Checks that didn't come to an end say nothing.
 */
function candidates(
  checks: readonly Ended[],
  failures: readonly string[],
  dictionary: SignatureDictionary,
): readonly Candidate[] {
  const failing = new Set(failures);
  const passed = new Set(checks.filter(({ status }) => status === "passed").map(({ id }) => id));
  const weight = weights(dictionary);
  const sum = (ids: Iterable<string>) => [...ids].reduce((total, id) => total + weight(id), 0);
  return Object.entries(dictionary.mutants)
    .map(([mutant, signature]): Candidate => {
      const pattern = failedOn(dictionary, signature);
      const alike = checks
        .filter(({ id }) => failing.has(id) && pattern.includes(id))
        .map((check) => ({ id: check.id, likeness: likenessThere(dictionary, signature, check) }))
        .filter(({ likeness = 1 }) => likeness >= LEAST_ALIKE);
      const common = alike.map(({ id }) => id);
      const same = alike.filter((one) => one.likeness === 1).map(({ id }) => id);
      const likeness = Math.min(...alike.map(({ likeness: one = UNKNOWN_LIKENESS }) => one));
      const besides = pattern.filter((id) => passed.has(id));
      const fit = sum(common) / (sum(failing) + sum(besides));
      const seen = pattern.filter((id) => failing.has(id) || passed.has(id)).length / pattern.length;
      return { mutant, signature, common, same, likeness, besides: besides.length, fit, seen };
    })
    .filter(({ common, seen }) => common.length > 0 && seen >= LEAST_SEEN)
    .toSorted(
      (one, other) =>
        other.fit - one.fit || other.likeness - one.likeness || other.signature.upTo - one.signature.upTo,
    );
}

/** The group that most of these checks are of. */
function groupOf(ids: readonly string[]): string {
  const groups = Map.groupBy(ids, (id) => id.split(".")[0] ?? "");
  const [largest] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  return largest?.[0] ?? "";
}

/** What stands above the causes: they are of a whole group of checks, of which a fault may break any. */
export const usualCauses = ({ checks }: Diagnosis): string =>
  `Where ${groupOf(checks)}.* fails, it usually comes of this:`;

/** What fits by more than a guess: it rests on several checks that fail, and none that passed speaks against it. */
const isTold = ({ common, besides, fit }: Candidate): boolean =>
  besides === 0 && common.length >= LEAST_COMMON && fit >= LEAST_FIT;

/**
 * The check that speaks for all that fails: the only one, or the one to begin with of a cause that explains all of it. What
 * a cause leaves over speaks against the faults of its first check.
 */
function spokesman(failures: readonly string[], causes: readonly Cause[]): string | undefined {
  if (failures.length === 1) return failures[0];
  const explainsAll = ({ checks }: Cause) => failures.every((id) => checks.includes(id));
  return causes.find((cause) => failures.includes(cause.check) && explainsAll(cause))?.check;
}

/**
 * Whether a fault may be told by a check that goes through several and held at some of them: at which of them a known
 * fault breaks isn't known, so that it has to name one that failed.
 */
function mayBeOf(fault: string, at: string | undefined): boolean {
  const [, failed] = /: (.*); held at /.exec(at ?? "") ?? [];
  return failed === undefined || failed.split(", ").some((name) => fault.includes(name));
}

/** The faults that this check is known to fail on, and no other that came to its end here and holds. */
const toldBy =
  (check: Ended | undefined) =>
  ({ common, besides, signature }: Candidate): boolean =>
    check !== undefined &&
    besides === 0 &&
    common.includes(check.id) &&
    mayBeOf(withOperationNames(signature.fault), check.at);

/** The faults of which a check says the very same as here, where no other came to its end here and holds that fails on them. */
const saysTheSame =
  (checks: readonly Ended[]) =>
  ({ same, besides, fit, signature }: Candidate): boolean =>
    besides === 0 &&
    fit >= LEAST_FIT_OF_SAME &&
    checks.some(({ id, at }) => same.includes(id) && mayBeOf(withOperationNames(signature.fault), at));

/**
 * Known faults that a run looks like; none where none fits, or where it would be a guess. Those come first of which a
 * check says the very same; then those that have the pattern of the whole run, and where none has it, those of the one
 * check that speaks for it.
 * @param checks all of the run
 * @param causes what explains the run's failures
 */
export function diagnosesOf(
  checks: readonly Ended[],
  dictionary: SignatureDictionary,
  guidance: GuidanceByGroup,
  causes: readonly Cause[],
): readonly Diagnosis[] {
  const failures = failuresOf(checks);
  const failing = failures.length;
  const met = candidates(checks, failures, dictionary);
  const speaker = spokesman(failures, causes);
  const ways = [saysTheSame(checks), isTold, toldBy(checks.find(({ id }) => id === speaker))];
  const found = ways.map((isIt) => met.filter(isIt)).find(({ length }) => length > 0) ?? [];
  const [best] = found;
  if (!best) return [];
  const near = found.filter(({ fit }) => fit >= best.fit - NEAR_BEST);
  // Where the very same is said of one, those of which something else is said aren't it.
  const meant = near.filter(({ likeness }) => best.likeness < 1 || likeness === 1);
  const asGood = meant.filter(({ fit, likeness }) => fit === best.fit && likeness === best.likeness).length;
  return meant.slice(0, MOST_NAMED).map(({ mutant, signature, common }) => ({
    mutant,
    fault: withOperationNames(signature.fault),
    checks: common,
    failing,
    ...(signature.upTo > 0 && { besides: 0 as const }),
    alike: Math.max(0, asGood - MOST_NAMED),
    causes: guidance[groupOf(common)]?.causes ?? [],
  }));
}

/** That the faults which are named aren't the only ones; undefined where they are. */
export function othersLabel([first]: readonly Diagnosis[]): string | undefined {
  if (!first || first.alike === 0) return undefined;
  const others = first.alike === 1 ? "one more that fits" : `one of ${first.alike} more that fit`;
  return `or ${others} as well: what the failures say tells them apart`;
}

/** How well it fits, in words. */
export function fitLabel({ checks, failing, besides }: Diagnosis): string {
  const here =
    checks.length === failing
      ? failing === 1
        ? "the failing check"
        : `all ${failing} failing checks`
      : `${checks.length} of the ${failing} failing checks`;
  return besides === undefined ? `${here}; it was never run on all checks` : `${here}, none besides`;
}
