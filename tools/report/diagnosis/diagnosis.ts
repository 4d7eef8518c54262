import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import type { GuidanceByGroup } from "../../../suites/core/guidance.ts";
import type { SignatureDictionary } from "../../../suites/core/mutation/signatures.ts";
import type { Cause } from "../causes.ts";
import { type Candidate, candidates, type Ended, failuresOf } from "./fault-candidates.ts";

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
/** A fault of which a check says the very same is told from this fit on: by the check's words, and not by how many fail. */
const LEAST_FIT_OF_SAME = 0.1;
/** A fault is told by as many checks that fail here and there, unless one check speaks for all that fails. */
const LEAST_COMMON = 2;

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
 * Known faults that a run looks like; none where none fits, or where it would be a guess. Those of which a check says the
 * very same; where there is none, those that have the pattern of the whole run, and where none has it, those of the one
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
  // Where the very same is said of the best, those of which something else is said, or nothing known, aren't it.
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
  return `or ${others} as well`;
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
