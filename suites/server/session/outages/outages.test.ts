import { expect, test } from "vitest";
import { type OutageDependencies, Outages } from "./outages.ts";

/** A target that has stopped, and is back after `pollsUntilBack` polls. */
function aTarget({
  pollsUntilBack = 1,
  hasData = true,
  returnTimeoutMs = 60_000,
  answered = [],
  proxyPage,
}: {
  answered?: readonly string[];
  proxyPage?: string;
  pollsUntilBack?: number;
  hasData?: boolean;
  returnTimeoutMs?: number;
} = {}) {
  const waits: string[] = [];
  const notices: string[] = [];
  const stopped: string[] = [];
  let away = pollsUntilBack;
  const deps: OutageDependencies<string> = {
    silence: async () => {
      away -= 1;
      return away >= 0 ? { why: "connect ECONNREFUSED", ...(proxyPage && { proxyPage }) } : undefined;
    },
    settled: async () => {},
    hasData: async () => hasData,
    describe: (request) => request,
    answered: () => answered,
    stoppedAfter: (requests) => void stopped.push(...requests),
    describeAnswered: (request) => `${request} with 201`,
    waiting: (why) => void waits.push(why),
    outageEnded: (line) => {
      notices.push(line);
      away = pollsUntilBack;
    },
    returnTimeoutMs,
  };
  return { outages: new Outages(deps), waits, notices, stopped };
}

test("pending requests wait for the target together, and the run continues", async () => {
  const { outages, waits } = aTarget();
  const waited = ["GET /a", "POST /b"].map((request) => outages.wait(request));
  for (const outage of await Promise.all(waited)) {
    expect(outage).toEqual({ suspects: ["GET /a", "POST /b"], answered: [] });
  }
  expect(outages.count).toBe(1);
  expect(outages.current).toBeUndefined();
  expect(waits).toEqual(["waiting 60 s at most: the target stopped responding, and may come back"]);
});

test("requests that were answered right before are reported as possible causes", async () => {
  const { outages, notices, stopped } = aTarget({ answered: ["GET /b", "GET /c"] });
  expect(await outages.wait("GET /a")).toEqual({ suspects: ["GET /a"], answered: ["GET /b", "GET /c"] });
  expect(stopped).toEqual(["GET /b", "GET /c"]);
  expect(notices).toEqual([
    expect.stringMatching(
      /^the target stopped responding at GET \/a, after it had responded to GET \/b with 201, and was back \d+\.\d s later$/,
    ),
  ]);
});

test("a target that isn't back in time is given up, and the pending requests are named", async () => {
  const { outages, stopped } = aTarget({ pollsUntilBack: Number.POSITIVE_INFINITY, returnTimeoutMs: 0 });
  const [{ lost }] = await Promise.all([outages.wait("GET /a"), outages.wait("POST /b")]);
  expect(lost).toBe(
    "the target stopped responding at GET /a, while another request was under way (connect ECONNREFUSED), and wasn't back 0 s later",
  );
  expect(stopped).toEqual([]);
});

test("a target is given up if a proxy keeps responding instead, and the message says since when", async () => {
  const proxyPage = "the target's load balancer responded with 503";
  const { outages } = aTarget({ pollsUntilBack: Number.POSITIVE_INFINITY, returnTimeoutMs: 0, proxyPage });
  expect((await outages.wait("GET /a")).lost).toMatch(
    /^the target's load balancer responded with 503 from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d UTC, and the target wasn't back by then$/,
  );
});

test("a target behind an intermittent proxy is back after consecutive responses of its own", async () => {
  const states = [false, true, false, true, true, true, true];
  let polls = 0;
  const outages = new Outages<string>({
    silence: async () => {
      const isUp = states[polls] ?? true;
      polls += 1;
      return isUp ? undefined : { why: "503", proxyPage: "the target's load balancer responded with 503" };
    },
    settled: async () => {},
    hasData: async () => true,
    describe: (request) => request,
    describeAnswered: (request) => request,
    answered: () => [],
    stoppedAfter: () => {},
    waiting: () => {},
    outageEnded: () => {},
  });
  await outages.wait();
  expect(polls).toBe(states.length);
});

test("a target that is back without its data is given up", async () => {
  const { outages, stopped } = aTarget({ hasData: false, answered: ["GET /b"] });
  expect(await outages.wait("GET /a")).toMatchObject({
    suspects: ["GET /a"],
    hasLostData: true,
    lost: "the target stopped responding at GET /a, after it had responded to GET /b with 201; it came back without its data",
  });
  expect(stopped).toEqual(["GET /b"]);
});

test("a target that stops repeatedly is reported each time, and finally given up", async () => {
  const { outages, notices } = aTarget();
  const ends: (string | undefined)[] = [];
  for (let stops = 0; stops < 30; stops += 1) ends.push((await outages.wait("GET /a")).lost);
  expect(ends[0]).toBeUndefined();
  expect(ends.at(-1)).toMatch(/as it had 20 times before/);
  expect(notices.filter((line) => /, and was back/.test(line))).toHaveLength(20);
});
