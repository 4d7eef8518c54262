import { expect, test } from "vitest";
import type { TimelineTrack } from "../../../core/grading/outcome.ts";
import { retriesChecks } from "../../checks/webhooks/retries.ts";
import type { FaultyServer } from "../../mutants/mutant.ts";
import { runMutant } from "../../mutants/run-mutant.ts";
import { retriesMutants } from "../../mutants/webhooks/retries.ts";

const schedule = retriesChecks.filter(({ id }) => id === "retries.schedule");
const faultless: FaultyServer = { fault: "none", mutate: (deps) => deps };

async function drawn(mutant: FaultyServer): Promise<TimelineTrack> {
  const outcome = (await runMutant(mutant, schedule)).get("retries.schedule");
  const [track] = outcome?.timeline ?? [];
  if (!track) throw new Error(`nothing is drawn: ${outcome?.status} ${outcome?.message}`);
  return track;
}

/** For each attempt, true if it came on time. */
const inTime = ({ attempts, expected }: TimelineTrack) =>
  attempts.map(({ after_s }, index) => {
    const band = expected[index];
    return band !== undefined && after_s >= band.earliest_s && after_s <= band.latest_s;
  });

test.concurrent("a server that keeps the schedule has its attempts at the expected times, each after the one before it", async () => {
  const track = await drawn(faultless);
  const waits = track.attempts.map(
    ({ after_s }, index) => (track.expected[index + 1]?.due_s ?? after_s) - after_s,
  );
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, 0]);
  expect(inTime(track)).toEqual(Array(8).fill(true));
});

test.concurrent("a server that doesn't has one that lies elsewhere, and the failing check draws it", async () => {
  expect(inTime(await drawn(retriesMutants["attempt-4-too-early"]))).toEqual([true, true, true, false]);
});

test.concurrent("an attempt that never comes leaves its time empty, and those after it are still due", async () => {
  const track = await drawn(retriesMutants["seven-attempts"]);
  expect(inTime(track)).toEqual(Array(7).fill(true));
  expect(track.expected).toHaveLength(8);
});
