import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { described } from "../../core/text/shown-value.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import type { ScenarioName } from "../session/scenarios/scenarios.ts";
import {
  areFirstWaitsHidden,
  HiddenWaits,
  maxWait,
  smallestScale,
  type Wait,
} from "../session/waits/backoff.ts";
import {
  hiddenAfterNetworkErrors,
  hiddenWaits,
  isAfterNetworkError,
  isFirst,
  isOfOrder,
  notDoubledWaits,
  notGrowingWaits,
  perhapsWrongWaits,
  tooLongFirstWaits,
  tooShortWaits,
  unclearWaits,
  waitsSeen,
} from "../support/waits.ts";

/** Kinds of wrong waits, each with an explanation and with allowed alternatives. */
const FAULTS = [
  {
    // A busy machine lengthens waits, so a machine never explains waits that are too short.
    find: tooShortWaits,
    note: "the waits are too short for any backoff from 1 s",
    legal: ", or a random part of each wait",
  },
  { find: tooLongFirstWaits, note: "all waits are much longer than a second", legal: "" },
  {
    find: notDoubledWaits,
    note: "the waits don't double, and neither jitter nor a limit explains that",
    legal: ", or stay at a limit once the waits reach the limit",
  },
  {
    find: notGrowingWaits,
    note: "the waits don't grow like 1, 2, 4 s, and jitter doesn't explain that",
    legal: "",
  },
] as const;

const secondsInWords = (waits: readonly Wait[]) =>
  `${waits.map((wait) => wait.seconds.toFixed(2)).join(", ")} s`;

const groupByCall = (waits: readonly Wait[]) => [...Map.groupBy(waits, ({ call }) => call).values()];

/** A wait, its cause and its call, in words. */
const inWords = ({ seconds: length, before: { fault = "no response", method, path } }: Wait) =>
  described(`${length.toFixed(2)} s after ${fault} (${method} ${path})`);

/**
 * The expected wait in words. A range of waits if a library may have sent a retry without the client's
 * knowledge.
 */
const expectedFor = ({ nominal, nominalAtMost }: Wait): string =>
  nominal === nominalAtMost ? String(nominal) : `${nominal} to ${nominalAtMost}`;

/** The expected waits, in words. */
const expectedWaits = (waits: readonly Wait[]): string =>
  waits.every(isFirst)
    ? "about 1 s"
    : groupByCall(waits)
        .map((of) => `${of.map(expectedFor).join(", ")} s`)
        .join("; ");

const subjectOf = (waits: readonly Wait[]): string =>
  `${waits.every(isFirst) ? "the first wait of each call" : "the waits between attempts"}${waits.every(isAfterNetworkError) ? " after network errors" : ""}`;

/** @throws CheckSkipped if the client didn't send any order again */
function waitsOfOrders(evidence: Evidence): readonly (readonly Wait[])[] {
  const { orders } = waitsSeen(evidence);
  if (orders.length === 0) {
    throw new CheckSkipped("no order was sent again after a failure, so there are no waits to measure");
  }
  return orders;
}

/**
 * @throws HiddenWaits if a client without backoff could make these waits too; names the conditions for a
 * conclusive result
 */
function failIfHidden(evidence: Evidence, waits: readonly Wait[]): never {
  const { turnaround, timeScale } = evidence;
  const least = smallestScale(turnaround);
  const took = `even without a wait the client takes up to ${Math.ceil(turnaround.most)} ms from a response to its next request`;
  throw new HiddenWaits(
    least > timeScale
      ? `${took}, so its waits can't be measured at this scale and load: use --time-scale ${least}${least < 1 ? " or more" : ""}`
      : `${took}, so waits of ${secondsInWords(waits)} are too short or too few for a result: make more calls, so that more of them fail`,
  );
}

/** @throws HiddenWaits if the waits don't show whether the client has jitter */
function failIfUnclear({ timeScale }: Evidence, waits: readonly Wait[]): never {
  throw new HiddenWaits(
    `waits of ${secondsInWords(waits)} are wrong unless they have jitter, and these waits don't show whether they have: ${timeScale < 1 ? "use a larger --time-scale" : "place more orders"}`,
  );
}

/** @throws HiddenWaits if delays of the suite may explain wrong waits */
function failIfLate(evidence: Evidence, faults: (at: Evidence) => readonly Wait[] | undefined): void {
  const [late] = evidence.disturbances;
  if (late && faults(evidence.withoutDisturbances))
    throw new HiddenWaits(
      `${late.what}, so the waits may only seem too long: run the client on a less busy machine`,
    );
}

/** A note on the unit of the waits, if a time scale shortens seconds. */
export const timeScaleNote = (evidence: Evidence) =>
  evidence.timeScale === 1 ? "" : `, counted in ${evidence.timeScale} of a second each (TIME_SCALE)`;

/** Scenarios that cause a first wait of each kind of call except orders. */
const SCENARIOS_EXCEPT_ORDERS = [
  "token-unavailable",
  "store-unavailable",
  "quote-server-error",
  "change-unavailable",
  "cancel-server-error",
  "page-unavailable",
] as const satisfies readonly ScenarioName[];

/** Scenarios that give further waits to the calls whose evidence is inconclusive. */
function scenariosToDecide(evidence: Evidence): readonly ScenarioName[] {
  const hidden = hiddenWaits(evidence).flat();
  if (hidden.length > 0) {
    return [
      ...(hidden.some(isOfOrder) ? (["server-error"] as const) : []),
      ...(hidden.every(isOfOrder) ? [] : SCENARIOS_EXCEPT_ORDERS),
    ];
  }
  if (hiddenAfterNetworkErrors(evidence)) return ["reset"];
  return (unclearWaits(evidence) ?? perhapsWrongWaits(evidence)) ? ["unavailable"] : [];
}

/** Checks of the time between retries. Whether the client retries is checked by the group `retries`. */
export const backoffChecks: readonly ClientCheck[] = [
  {
    id: "backoff.grows",
    title: "retry waits start at about a second and grow: 1, 2, 4 s and so on, or a random part of each",
    clauses: [clause["CLIENT-22"]],
    scenarios: [
      "server-error",
      "other-words",
      "bad-gateway",
      "unavailable",
      "reset",
      "outage",
      ...SCENARIOS_EXCEPT_ORDERS,
    ],
    scenariosToRepeat(evidence) {
      if (areFirstWaitsHidden(evidence) || FAULTS.some(({ find }) => find(evidence))) return [];
      return scenariosToDecide(evidence);
    },
    judge(evidence) {
      const orders = waitsOfOrders(evidence);
      const { others } = waitsSeen(evidence);
      for (const { find, note, legal } of FAULTS) {
        const waits = find(evidence);
        if (!waits) continue;
        evidence.fail(
          {
            subject: subjectOf(waits),
            relation: "to be",
            expected: described(`${expectedWaits(waits)}${legal}${timeScaleNote(evidence)}`),
            actual: waits.map(inWords),
            note,
          },
          waits.map(({ before }) => before),
        );
      }
      failIfLate(evidence, (at) => tooLongFirstWaits(at) ?? notDoubledWaits(at) ?? notGrowingWaits(at));
      for (const waits of hiddenWaits(evidence)) failIfHidden(evidence, waits);
      const unclear = unclearWaits(evidence);
      if (unclear) failIfUnclear(evidence, unclear);
      const late = perhapsWrongWaits(evidence);
      if (late) failIfHidden(evidence, late);
      const hidden = hiddenAfterNetworkErrors(evidence);
      if (hidden && evidence.timeScale < 1) {
        throw new HiddenWaits(
          `after network errors the client waited ${secondsInWords(hidden)}, which at this scale may be no wait at all: use a larger --time-scale`,
        );
      }
      if (hidden) failIfHidden(evidence, hidden);
      return [
        `without a wait the client sends its next request within ${evidence.turnaround.most.toFixed(1)} ms`,
        ...orders.map((waits) => `waited ${secondsInWords(waits)}`),
        ...(others.length > 0
          ? [`with calls other than orders the client waited ${secondsInWords(others.flat())}`]
          : []),
      ];
    },
  },
  {
    id: "backoff.capped",
    title: "no retry wait is longer than about a minute",
    clauses: [clause["CLIENT-23"]],
    scenarios: ["outage"],
    judge(evidence) {
      const waits = [...waitsOfOrders(evidence), ...waitsSeen(evidence).others].flat();
      const limitMs = maxWait(evidence.timeScale) * 1000;
      for (const wait of waits) {
        evidence
          .expectThat("the waits between attempts", inWords(wait), [wait.before])
          .satisfies(`at most about 60 s${timeScaleNote(evidence)}`, wait.gap - wait.lateMs <= limitMs);
      }
      failIfLate(evidence, () => waits.find(({ gap }) => gap > limitMs) && []);
      return [
        `the longest of ${waits.length} waits: ${Math.max(...waits.map((wait) => wait.seconds)).toFixed(1)} s`,
      ];
    },
  },
];
