import { expect, test } from "vitest";
import { type OutageParts, Outages } from "./outages.ts";

/** A target that the request "ends it" stops, and that is back after so many polls. */
function aTarget({
  looksUntilBack = 1,
  remembers = true,
  patienceMs = 60_000,
  answered = [],
  proxyPage,
}: {
  answered?: readonly string[];
  proxyPage?: string;
  looksUntilBack?: number;
  remembers?: boolean;
  patienceMs?: number;
} = {}) {
  const resent: string[] = [];
  const waits: string[] = [];
  const notices: string[] = [];
  const ends: string[] = [];
  let away = looksUntilBack;
  const parts: OutageParts<string> = {
    silence: async () => {
      away -= 1;
      return away >= 0 ? { why: "connect ECONNREFUSED", ...(proxyPage && { proxyPage }) } : undefined;
    },
    settled: async () => {},
    resend: async (request) => {
      resent.push(request);
      const times = resent.filter((one) => one === request).length;
      const isLast = request === "ended it once" && times === 1;
      if (request.startsWith("ends it") || request === "finds it away" || isLast) away = looksUntilBack;
      return request !== "finds it away";
    },
    remembers: async () => remembers,
    describe: (request) => request,
    answered: () => answered,
    endedAfter: (request) => void ends.push(request),
    describeAnswered: (request) => `${request} with 201`,
    waiting: (why) => void waits.push(why),
    wentDown: (line) => void notices.push(line),
    patienceMs,
  };
  return { outages: new Outages(parts), resent, waits, notices, ends };
}

test("what was under way is sent once more, one by one, until something ends the target again", async () => {
  const { outages, resent, waits, notices } = aTarget();
  const waited = ["GET /a", "ends it", "GET /b"].map((request) => outages.wait(request));
  for (const outage of await Promise.all(waited)) {
    expect(outage).toMatchObject({ culprit: "ends it", suspects: ["GET /a", "ends it", "GET /b"] });
  }
  expect(resent).toEqual(["GET /a", "ends it", "ends it"]);
  expect(outages.count).toBe(1);
  expect(outages.underWay).toBeUndefined();
  expect(waits).toContain("waiting 60 s at most: the target stopped answering, and may be back");
  expect(waits).toContainEqual(expect.stringMatching(/^sending the last requests .* again, one by one/));
  expect(notices.at(-1)).toBe("the target stopped answering at ends it, and again when that was sent alone");
});

test("one that ended it once more, or that found it away, may have come when it was restarted: nobody is blamed", async () => {
  const { outages, resent, ends } = aTarget({ answered: ["ended it once", "finds it away"] });
  expect(await outages.wait("finds it away")).toMatchObject({ suspects: ["finds it away"] });
  expect(resent).toEqual(["finds it away", "ended it once", "ended it once", "finds it away"]);
  expect(ends).toEqual([]);
  expect((await outages.wait("finds it away")).culprit).toBeUndefined();
});

test("one that was sent again while the end by another one showed is not blamed", async () => {
  const { outages, resent } = aTarget();
  const [{ culprit }] = await Promise.all([outages.wait("ended it once"), outages.wait("ends it")]);
  expect(culprit).toBe("ends it");
  expect(resent).toEqual(["ended it once", "ended it once", "ends it", "ends it"]);
});

test("where nothing does, nobody is blamed and the run goes on", async () => {
  const { outages } = aTarget();
  expect(await outages.wait("GET /a")).toEqual({ suspects: ["GET /a"], answered: [] });
});

test("what was answered right before is sent again alone, and is told of where that ends the target both times", async () => {
  const { outages, resent, notices, ends } = aTarget({ answered: ["GET /b", "ends it", "GET /c"] });
  expect(await outages.wait("GET /a")).toEqual({
    suspects: ["GET /a"],
    answered: ["GET /b", "ends it", "GET /c"],
  });
  expect(resent).toEqual(["GET /a", "GET /b", "ends it", "ends it"]);
  expect(ends).toEqual(["ends it"]);
  expect(notices).toEqual([
    expect.stringMatching(
      /^the target stopped answering at GET \/a, after it had answered GET \/b with 201, and was back \d+\.\d s later$/,
    ),
  ]);
});

test("a target that isn't back in time is lost, and what was under way is named", async () => {
  const { outages, resent } = aTarget({ looksUntilBack: Number.POSITIVE_INFINITY, patienceMs: 0 });
  const [{ lost, culprit }] = await Promise.all([outages.wait("GET /a"), outages.wait("POST /b")]);
  expect(lost).toBe(
    "the target stopped answering at GET /a, while another request was under way (connect ECONNREFUSED), and wasn't back 0 s later",
  );
  expect([culprit, resent]).toEqual([undefined, []]);
});

test("one in whose place another goes on answering is lost, with the time since when", async () => {
  const proxyPage = "the target's balancer answered 503";
  const { outages } = aTarget({ looksUntilBack: Number.POSITIVE_INFINITY, patienceMs: 0, proxyPage });
  expect((await outages.wait("GET /a")).lost).toMatch(
    /^the target's balancer answered 503 from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d UTC, and the target wasn't back by then$/,
  );
});

test("one in whose place another answered now and then is back once it answers again and again", async () => {
  const looks = [false, true, false, true, true, true, true];
  let looked = 0;
  const outages = new Outages<string>({
    silence: async () => {
      const isUp = looks[looked] ?? true;
      looked += 1;
      return isUp ? undefined : { why: "503", proxyPage: "the target's balancer answered 503" };
    },
    settled: async () => {},
    resend: async () => true,
    remembers: async () => true,
    describe: (request) => request,
    describeAnswered: (request) => request,
    answered: () => [],
    endedAfter: () => {},
    waiting: () => {},
    wentDown: () => {},
  });
  await outages.wait();
  expect(looked).toBe(looks.length);
});

test("one that is back as another is lost, whether something ended it or not", async () => {
  const forgetful = () => aTarget({ remembers: false }).outages;
  expect(await forgetful().wait("GET /a")).toMatchObject({
    suspects: ["GET /a"],
    lost: "the target stopped answering at GET /a; it was back with nothing of what it had known",
  });
  expect(await forgetful().wait("ends it")).toMatchObject({
    suspects: ["ends it"],
    culprit: "ends it",
    lost: "the target stopped answering at ends it, and again when that was sent alone; it was back with nothing of what it had known",
  });
});

test("one that stops again and again is told of each time, and left alone in the end", async () => {
  const { outages, notices } = aTarget();
  const ends: (string | undefined)[] = [];
  for (let stops = 0; stops < 30; stops += 1) ends.push((await outages.wait("ends it")).lost);
  expect(ends[0]).toBeUndefined();
  expect(ends.at(-1)).toMatch(/as it had 20 times before/);
  expect(notices.filter((line) => /, and was back/.test(line))).toHaveLength(20);
});
