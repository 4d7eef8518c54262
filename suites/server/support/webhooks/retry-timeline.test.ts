import { expect, test } from "vitest";
import type { TimelineTrack } from "../../../core/grading/outcome.ts";
import { retriesChecks } from "../../checks/webhooks/retries.ts";
import { mutantOf } from "../../mutants/index.ts";
import type { FaultyServer } from "../../mutants/mutant.ts";
import { runMutant } from "../../mutants/run-mutant.ts";

const schedule = retriesChecks.filter(({ id }) => id === "retries.schedule");
const faultless: FaultyServer = { fault: "none", mutate: (deps) => deps };

async function timelineOf(mutant: FaultyServer): Promise<TimelineTrack> {
  const outcome = (await runMutant(mutant, schedule)).get("retries.schedule");
  const [track] = outcome?.timeline ?? [];
  if (!track) throw new Error(`there is no timeline: ${outcome?.status} ${outcome?.message}`);
  return track;
}

/** For each attempt, true if it came on time. */
const inTime = ({ attempts, expected }: TimelineTrack) =>
  attempts.map(({ after_s }, index) => {
    const band = expected[index];
    return band !== undefined && after_s >= band.earliest_s && after_s <= band.latest_s;
  });

test.concurrent("the timeline of a server that keeps the schedule has each attempt at its expected time", async () => {
  const track = await timelineOf(faultless);
  const waits = track.attempts.map(
    ({ after_s }, index) => (track.expected[index + 1]?.due_s ?? after_s) - after_s,
  );
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, 0]);
  expect(inTime(track)).toEqual(Array(8).fill(true));
});

test.concurrent("the timeline of a failed check has an attempt outside its expected time", async () => {
  expect(inTime(await timelineOf(mutantOf("attempt-4-too-early")))).toEqual([true, true, true, false]);
});

test.concurrent("a missing attempt leaves its expected time empty, and the later ones are still expected", async () => {
  const track = await timelineOf(mutantOf("seven-attempts"));
  expect(inTime(track)).toEqual(Array(7).fill(true));
  expect(track.expected).toHaveLength(8);
});
