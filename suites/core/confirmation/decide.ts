import type { ExpectationKind } from "../grading/failures/failure.ts";
import type { CheckStatus } from "../grading/outcome.ts";
import { type Disturbance, type DisturbanceKind, excuses } from "./disturbance.ts";

/**
 * After this many runs with the same disturbance at the same operation, the target is the cause. Undefined
 * for never.
 */
const RUNS_WITH_DISTURBANCE: Readonly<Partial<Record<DisturbanceKind, number>>> = {
  "attempt-lost": 2,
  "connection-lost": 4,
  unavailable: 2,
  "no-answer": 3,
  restart: 3,
};

/** The number of runs for an operation that also responded normally, as behind an unreliable proxy. */
const RUNS_IF_INTERMITTENT = 4;

/** The number of runs with this disturbance at the same operation after which the target is the cause. */
const runsNeeded = ({ kind, respondsOtherwise = false }: Disturbance): number | undefined => {
  const needed = RUNS_WITH_DISTURBANCE[kind];
  return needed !== undefined && respondsOtherwise ? RUNS_IF_INTERMITTENT : needed;
};

/** True if the disturbance can only hide data. It never excuses a forbidden observation. */
const onlyHidesData = ({ kind }: Disturbance): boolean => kind === "eventual-consistency";

/**
 * True if a disturbed run isn't evidence of a failure. This process's delay is only known approximately, so a
 * failure in the next run may have the same cause.
 */
const isNoEvidence = ({ kind }: Disturbance): boolean =>
  kind === "suite-late" || kind === "restart" || kind === "clock-corrected";

/** The properties of a check's run on which the decision depends. */
export interface CheckRun {
  readonly status: CheckStatus;
  /** The clauses that a failure is attributed to. */
  readonly clauses: readonly string[];
  /** The clauses that the failure itself names, because this run observed a violation of each. */
  readonly seenAt: readonly string[];
  /** The kind of expectation that failed. */
  readonly kind: ExpectationKind;
  /** Disturbances of the run before it ended. */
  readonly disturbances: readonly Disturbance[];
  /** The failure or the missing prerequisite, in one line. */
  readonly message?: string | undefined;
  /** True if the failure needs no confirmation: this run observed it more than once, or no other run is possible. */
  readonly isCertain?: boolean;
  /** An operation that isn't called any more, because it didn't respond to other checks either. */
  readonly givenUp?: string | undefined;
}

/** Facts about the check that its runs don't contain. */
export interface Circumstances {
  /** True if the clause forbids something. One undisturbed observation then counts. */
  readonly isNever: (clause: string) => boolean;
  /** Why the check can't run again: a scarce resource is used up. Undefined if it can. */
  readonly lacks: string | undefined;
}

export type Decision =
  /** The check runs again: alone, or with the checks that ran concurrently with it. */
  | { readonly next: "alone" | "beside" }
  /** The check has ended. The run with this index is its result. */
  | {
      readonly next: "end";
      readonly status: CheckStatus;
      readonly shows: number;
      readonly note?: string;
    };

/** A second run, and three more if the first two differ. */
const MAX_RUNS = 5;
/** The index of the run beside other checks, for failures that only occur concurrently. */
const CONCURRENT_RUN = 2;

interface EvaluatedRun extends CheckRun {
  readonly hasFailed: boolean;
  /** The disturbance that could have made it fail. */
  readonly excuse: Disturbance | undefined;
  /** True if it failed and only the target can be the cause. */
  readonly counts: boolean;
  /** True if it counts, and observed something forbidden. */
  readonly isForbidden: boolean;
  /** True if it confirms a failure of another run at the same clause. */
  readonly isEvidence: boolean;
}

/**
 * Decides whether a failure counts: it does if it repeats. A disturbance excuses only failures that it could
 * have caused.
 * @param runs the runs of one check so far, the first one first
 */
export function decide(
  runs: readonly CheckRun[],
  { isNever, lacks }: Circumstances,
  isExcused: typeof excuses = excuses,
): Decision {
  const evaluated = runs.map((run): EvaluatedRun => {
    const hasFailed = run.status === "failed";
    const isForbidden = isSeenForbidden(run, isNever);
    const excuse = run.disturbances.find(
      (one) => hasFailed && isExcused(one, run.kind) && !(isForbidden && onlyHidesData(one)),
    );
    const isEvidence = hasFailed && (excuse === undefined || !isNoEvidence(excuse));
    const counts = hasFailed && excuse === undefined;
    return { ...run, hasFailed, excuse, counts, isEvidence, isForbidden: counts && isForbidden };
  });
  const index = runs.length - 1;
  const last = evaluated[index];
  if (!last) return { next: "alone" };
  if (!last.hasFailed) return afterNoFailure(evaluated, last, lacks);
  if (last.isCertain || last.isForbidden) return endWith("failed", index);
  const repeated = evaluated.findIndex((run) => isRepeated(run, evaluated));
  if (repeated >= 0) return endWith("failed", repeated);
  const targets = disturbanceOfTarget(evaluated);
  if (targets) return endWith("failed", index, `${targets.what} in each of ${runs.length} runs`);
  return lacks === undefined ? nextRun(evaluated) : endWithoutRepetition(evaluated, lacks);
}

const endWith = (status: CheckStatus, shows: number, note?: string): Decision => ({
  next: "end",
  status,
  shows,
  ...(note !== undefined && { note }),
});

/** True if something forbidden was observed. A missing or late event is no such observation. */
const isSeenForbidden = ({ kind, seenAt }: CheckRun, isNever: Circumstances["isNever"]): boolean =>
  kind === "value" && seenAt.length > 0 && seenAt.every(isNever);

const isRepeated = (run: EvaluatedRun, runs: readonly EvaluatedRun[]): boolean =>
  run.counts &&
  runs.some(
    (other) =>
      other !== run && other.isEvidence && other.clauses.some((clause) => run.clauses.includes(clause)),
  );

/** The disturbance that ended so many runs at one operation that the target is its cause. */
function disturbanceOfTarget(runs: readonly EvaluatedRun[]): Disturbance | undefined {
  if (!runs.every(({ hasFailed }) => hasFailed)) return undefined;
  // An operation's last disturbance comes first.
  const ending = runs.map(({ disturbances }) =>
    disturbances.find(({ operation }) => operation !== undefined),
  );
  const [first] = ending;
  const needed = ending.map((one) => {
    // An outage of the target may appear only as a lost connection.
    const isSame = one?.operation === first?.operation;
    return (isSame && one && runsNeeded(one)) || Number.POSITIVE_INFINITY;
  });
  return runs.length >= Math.max(...needed) ? first : undefined;
}

/** Decides after a run that passed or is inconclusive. */
function afterNoFailure(
  runs: readonly EvaluatedRun[],
  last: EvaluatedRun,
  lacks: string | undefined,
): Decision {
  const index = runs.length - 1;
  const hasCountedFailure = runs.some(({ counts }) => counts);
  const silentIndex = runs.findLastIndex(({ disturbances }) =>
    disturbances.some((one) => isSilence(one, last)),
  );
  if (silentIndex >= 0 && silentIndex < index) return endWith("failed", silentIndex);
  if (last.status === "passed") {
    if (hasCountedFailure) return lacks === undefined ? nextRun(runs) : endAfterMaxRuns(runs);
    const since = runs.flatMap(({ excuse, disturbances }) => excuse ?? disturbances)[0];
    const isFirst = index === 0 || since === undefined;
    return endWith("passed", index, isFirst ? undefined : `ran again, since ${since.what}`);
  }
  if (hasCountedFailure)
    return endWithoutRepetition(runs.slice(0, index), last.message ?? `it ended ${last.status}`);
  const isDisturbed = last.status === "not_verified" && last.disturbances.length > 0;
  if (isDisturbed && lacks === undefined && runs.length < MAX_RUNS) return { next: "alone" };
  return endWith(last.status, index);
}

const isSilence = ({ kind, operation }: Disturbance, { givenUp }: EvaluatedRun): boolean =>
  kind === "no-answer" && givenUp !== undefined && operation === givenUp;

function nextRun(runs: readonly EvaluatedRun[]): Decision {
  if (runs.length >= MAX_RUNS) return endAfterMaxRuns(runs);
  const differ = runs.some(({ counts }) => counts) && runs.some(({ status }) => status === "passed");
  return { next: differ && runs.length === CONCURRENT_RUN ? "beside" : "alone" };
}

/** Decides if the check can't run again. Only undisturbed runs count. */
function endWithoutRepetition(runs: readonly EvaluatedRun[], lacks: string): Decision {
  const counting = runs.findIndex(({ counts }) => counts);
  if (counting >= 0) return endWith("failed", counting, `not repeated: ${lacks}`);
  const since = runs.find(({ excuse }) => excuse)?.excuse?.what ?? "it was disturbed";
  return endWith("not_verified", runs.length - 1, `${since}; not repeated: ${lacks}`);
}

/** Decides after the maximum number of runs, if no two of them failed at the same clause. */
function endAfterMaxRuns(runs: readonly EvaluatedRun[]): Decision {
  const counting = runs.flatMap(({ counts }, index) => (counts ? [index] : []));
  const [first, second] = counting;
  if (second !== undefined) return endWith("failed", second);
  const failures = runs.filter(({ hasFailed }) => hasFailed).length;
  if (first !== undefined)
    return endWith("inconsistent", first, `failed in ${failures} of ${runs.length} runs`);
  const since = runs.find(({ excuse }) => excuse)?.excuse?.what ?? "they were disturbed";
  return endWith(
    "not_verified",
    runs.length - 1,
    `none of ${runs.length} runs was conclusive, since ${since}`,
  );
}
