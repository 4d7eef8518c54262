/** Tests when a client's failure counts, and which failures a delay of this process excuses. */
import { expect, test } from "vitest";
import type { Disturbance } from "../core/confirmation/disturbance.ts";
import { Redactor } from "../core/text/redact.ts";
import { outcomesOf } from "../engine/events.ts";
import { run } from "../engine/run.ts";
import { clientChecks } from "./checks/index.ts";
import { backoff } from "./reference-client/behaviour.ts";
import { clientTarget } from "./run-target.ts";
import { type Pace, simulatedRun } from "./testing/simulated-run.ts";

const LATE: Disturbance = {
  kind: "suite-late",
  from: 0,
  to: 1e9,
  what: "the suite's own process stood still",
};

type Wait = Pace["wait"];
const right: Wait = (failures, asked) => Math.max(backoff(failures), asked ?? 0);
const atOnce: Wait = (_, asked) => asked ?? 0;
const aMinute: Wait = () => 60;

interface Play {
  readonly wait: Wait;
  readonly isLate: boolean;
  readonly hasOverlap?: boolean;
  readonly timeScale?: number;
}

const evidenceOf = ({ wait, isLate, hasOverlap = false, timeScale = 1 }: Play) =>
  simulatedRun({
    wait,
    timeScale,
    tries: 3,
    turnaround: () => 5,
    disturbances: isLate ? [LATE] : [],
    hasOverlap,
  });

/** The outcome of the backoff check on a client that is run twice. */
async function judged(first: Play, second: Play) {
  let plays = 0;
  const target = clientTarget({
    play: async () => ({ evidence: evidenceOf(first) }),
    playAgain: async () => {
      plays += 1;
      return { evidence: evidenceOf(second) };
    },
    redact: new Redactor(),
  });
  const outcomes = await outcomesOf(
    run(
      clientChecks.filter(({ id }) => id === "backoff.grows"),
      target,
    ),
  );
  return { status: outcomes.get("backoff.grows")?.status, plays };
}

const late = (wait: Wait): Play => ({ wait, isLate: true });
const inTime = (wait: Wait): Play => ({ wait, isLate: false });
const overlapping = (wait: Wait): Play => ({ wait, isLate: false, hasOverlap: true });

test.each([
  ["waits that are too short fail when they repeat", inTime(atOnce), inTime(atOnce), "failed"],
  ["lateness never excuses waits that are too short", late(atOnce), late(atOnce), "failed"],
  ["waits that are too short once are inconsistent", inTime(atOnce), inTime(right), "inconsistent"],
  ["lateness excuses waits that are too long", late(aMinute), inTime(right), "passed"],
  ["waits that are too long fail where nothing was late", late(aMinute), inTime(aMinute), "failed"],
  [
    "a failure while two instances ran doesn't count if one alone passes",
    overlapping(atOnce),
    inTime(right),
    "passed",
  ],
  ["a failure that one instance alone repeats counts", overlapping(atOnce), inTime(atOnce), "failed"],
  ["waits that were late in both runs show nothing", late(aMinute), late(aMinute), "not_verified"],
])("%s", async (_, first, second, status) => {
  expect(await judged(first, second)).toEqual({ status, plays: 1 });
});

const hidden = { timeScale: 0.01 };
test.each([
  ["waits that lateness hid are judged again", late(right), "passed", 1],
  ["waits that nothing but the scale hid are not", inTime(right), "not_verified", 0],
])("%s", async (_, first, status, plays) => {
  expect(await judged({ ...first, ...hidden }, inTime(right))).toEqual({ status, plays });
});
