import { clause } from "../../../openapi/generated/clauses.ts";
import { NotTestable } from "../../core/failure.ts";
import { jitterLikelihood, MIN_CHANCE, maxWait, type Wait, waitSeries, waitsOf } from "../session/backoff.ts";
import type { Evidence } from "../session/evidence.ts";
import type { ClientCheck } from "./define.ts";

const seconds = (waits: readonly Wait[]) => `${waits.map((wait) => wait.seconds.toFixed(2)).join(", ")} s`;

function allWaits(evidence: Evidence): readonly (readonly Wait[])[] {
  const all = evidence.orders
    .map((order) => waitsOf(order, evidence.timeScale))
    .filter((one) => one.length > 0);
  if (all.length === 0)
    throw new NotTestable("no order was sent again after a failure, so there is no wait to see");
  return all;
}

/** How a wait was counted, where it was not in seconds. */
export const hint = (evidence: Evidence) =>
  evidence.timeScale === 1 ? "" : `, counted in ${evidence.timeScale} of a second each (TIME_SCALE)`;

/** How long a client waits between tries; that it tries again is another group's. */
export const backoffChecks: readonly ClientCheck[] = [
  {
    id: "backoff.grows",
    title: "waits between tries grow from about a second: 1, 2, 4 s and so on, or a random part of each",
    clauses: [clause["CLIENT-22"]],
    scenarios: ["server-error", "other-words", "bad-gateway", "unavailable", "outage"],
    mutants: ["retries-at-once", "constant-wait"],
    judge(evidence) {
      const all = allWaits(evidence);
      const tooShort = waitSeries(all).find((waits) => jitterLikelihood(waits) < MIN_CHANCE);
      if (tooShort) {
        const nominal = tooShort.map((wait) => wait.nominal).join(", ");
        evidence.fail(
          "the waits between tries are shorter than any backoff from 1 s",
          tooShort.map(({ before }) => before),
          { expected: `${nominal} s, or a random part of each${hint(evidence)}`, actual: seconds(tooShort) },
        );
      }
      return all.map((waits) => `waited ${seconds(waits)}`);
    },
  },
  {
    id: "backoff.capped",
    title: "no wait between tries is longer than about a minute",
    clauses: [clause["CLIENT-23"]],
    scenarios: ["outage"],
    mutants: ["uncapped-backoff"],
    judge(evidence) {
      const waits = allWaits(evidence).flat();
      const limit = maxWait(evidence.timeScale) / evidence.timeScale;
      const tooLong = waits.find((wait) => wait.seconds > limit);
      if (tooLong) {
        evidence.fail("the client waited for longer than about a minute", [tooLong.before], {
          expected: `about 60 s at most${hint(evidence)}`,
          actual: `${tooLong.seconds.toFixed(1)} s`,
        });
      }
      return [
        `the longest of ${waits.length} waits: ${Math.max(...waits.map((wait) => wait.seconds)).toFixed(1)} s`,
      ];
    },
  },
];
