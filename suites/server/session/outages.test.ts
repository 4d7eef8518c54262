import { expect, test } from "vitest";
import { type OutageParts, Outages } from "./outages.ts";

/** A target that a request named "ends it" ends, and that is back after so many looks. */
function aTarget({
  looksUntilBack = 1,
  remembers = true,
  patienceMs = 60_000,
}: {
  looksUntilBack?: number;
  remembers?: boolean;
  patienceMs?: number;
} = {}) {
  const resent: string[] = [];
  const waits: string[] = [];
  let away = looksUntilBack;
  const parts: OutageParts<string> = {
    silence: async () => {
      away -= 1;
      return away >= 0 ? "connect ECONNREFUSED" : undefined;
    },
    settled: async () => {},
    resend: async (request) => {
      resent.push(request);
      if (request.startsWith("ends it")) away = looksUntilBack;
    },
    remembers: async () => remembers,
    describe: (request) => request,
    waiting: (_, why) => waits.push(why),
    patienceMs,
  };
  return { outages: new Outages(parts), resent, waits };
}

test("what was under way is sent once more, one by one, until something ends the target again", async () => {
  const { outages, resent, waits } = aTarget();
  const waited = ["GET /a", "ends it", "GET /b"].map((request) => outages.wait(request));
  for (const outage of await Promise.all(waited)) {
    expect(outage).toEqual({ culprit: "ends it", suspects: ["GET /a", "ends it", "GET /b"] });
  }
  expect(resent).toEqual(["GET /a", "ends it"]);
  expect(outages.count).toBe(1);
  expect(outages.underWay).toBeUndefined();
  expect(waits).toContain("the target stopped answering, and may be back");
});

test("where nothing does, nobody is blamed and the run goes on", async () => {
  const { outages } = aTarget();
  expect(await outages.wait("GET /a")).toEqual({ suspects: ["GET /a"] });
});

test("a target that isn't back in time is lost, and what was under way is named", async () => {
  const { outages, resent } = aTarget({ looksUntilBack: Number.POSITIVE_INFINITY, patienceMs: 0 });
  const [{ lost, culprit }] = await Promise.all([outages.wait("GET /a"), outages.wait("POST /b")]);
  expect(lost).toBe(
    "the target stopped answering at GET /a, while another request was under way (connect ECONNREFUSED), and wasn't back 0 s later",
  );
  expect([culprit, resent]).toEqual([undefined, []]);
});

test("one that is back as another is lost, whether something ended it or not", async () => {
  const forgetful = () => aTarget({ remembers: false }).outages;
  expect(await forgetful().wait("GET /a")).toEqual({
    suspects: ["GET /a"],
    lost: "the target stopped answering at GET /a; it was back with nothing of what it had known",
  });
  expect(await forgetful().wait("ends it")).toEqual({
    suspects: ["ends it"],
    culprit: "ends it",
    lost: "the target stopped answering at ends it, and once more when that was sent again; it was back with nothing of what it had known",
  });
});

test("one that stops again and again is left alone in the end", async () => {
  const { outages } = aTarget();
  const ends: (string | undefined)[] = [];
  for (let stops = 0; stops < 30; stops += 1) ends.push((await outages.wait("ends it")).lost);
  expect(ends[0]).toBeUndefined();
  expect(ends.at(-1)).toMatch(/as it had \d+ times before/);
});
