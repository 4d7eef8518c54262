import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { GuidanceByGroup } from "../../suites/core/guidance.ts";
import type { MutantSignature, SignatureDictionary } from "../../suites/core/signing/signatures.ts";
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
  /** How many others fail on it, and passed here; not there where the mutant was never run on all checks. */
  readonly besides?: number;
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
/** Where one check fails, its message tells as much as so many faults that fail on it alone. */
const MOST_ALIKE = 6;

/** A check as far as a diagnosis is concerned. */
interface Ended extends Pick<SuiteCheck, "id"> {
  readonly status: ReportedStatus;
}

interface Candidate {
  readonly mutant: string;
  readonly signature: MutantSignature;
  readonly common: readonly string[];
  readonly besides: number;
  readonly fit: number;
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

/**
 * The faults whose pattern fits best, the best first: by the weight of what fails here and there, of what fails here or
 * there. Checks that didn't come to an end say nothing.
 */
function candidates(checks: readonly Ended[], dictionary: SignatureDictionary): readonly Candidate[] {
  const failing = new Set(checks.filter(({ status }) => status === "failed").map(({ id }) => id));
  const passed = new Set(checks.filter(({ status }) => status === "passed").map(({ id }) => id));
  const weight = weights(dictionary);
  const sum = (ids: Iterable<string>) => [...ids].reduce((total, id) => total + weight(id), 0);
  return Object.entries(dictionary.mutants)
    .map(([mutant, signature]): Candidate => {
      const pattern = failedOn(dictionary, signature);
      const common = checks.map(({ id }) => id).filter((id) => failing.has(id) && pattern.includes(id));
      const besides = pattern.filter((id) => passed.has(id));
      const fit = sum(common) / (sum(failing) + sum(besides));
      return { mutant, signature, common, besides: besides.length, fit };
    })
    .filter(({ fit }) => fit >= LEAST_FIT)
    .toSorted((one, other) => other.fit - one.fit || other.signature.upTo - one.signature.upTo);
}

/** What the guidance on the group says that most of these checks are of. */
function causesOf(ids: readonly string[], guidance: GuidanceByGroup): readonly string[] {
  const groups = Map.groupBy(ids, (id) => id.split(".")[0] ?? "");
  const [largest] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  return (largest && guidance[largest[0]]?.causes) ?? [];
}

/**
 * Known faults that a run looks like; none where none fits, or where so many are told by one check alone.
 * @param checks all of the run
 */
export function diagnosesOf(
  checks: readonly Ended[],
  dictionary: SignatureDictionary,
  guidance: GuidanceByGroup,
): readonly Diagnosis[] {
  const found = candidates(checks, dictionary);
  const [best] = found;
  if (!best) return [];
  const failing = checks.filter(({ status }) => status === "failed").length;
  const asGood = found.filter(({ fit }) => fit === best.fit).length;
  if (failing === 1 && asGood > MOST_ALIKE) return [];
  return found
    .filter(({ fit }) => fit >= best.fit - NEAR_BEST)
    .slice(0, MOST_NAMED)
    .map(({ mutant, signature, common, besides }) => ({
      mutant,
      fault: signature.fault,
      checks: common,
      failing,
      ...(signature.upTo > 0 && { besides }),
      alike: Math.max(0, asGood - MOST_NAMED),
      causes: causesOf(common, guidance),
    }));
}

/** That the faults which are named aren't the only ones; undefined where they are. */
export function othersLabel([first]: readonly Diagnosis[]): string | undefined {
  if (!first || first.alike === 0) return undefined;
  return `or one of ${first.alike} more that fit as well: what the failures say tells them apart`;
}

/** How well it fits, in words. */
export function fitLabel({ checks, failing, besides }: Diagnosis): string {
  const here =
    checks.length === failing
      ? failing === 1
        ? "the failing check"
        : `all ${failing} failing checks`
      : `${checks.length} of the ${failing} failing checks`;
  if (besides === undefined) return `${here}; it was never run on all checks`;
  return besides === 0 ? `${here}, none besides` : `${here}; ${besides} more fail there`;
}
