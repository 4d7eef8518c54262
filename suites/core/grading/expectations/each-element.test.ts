import { expect, test } from "vitest";
import { Redactor } from "../../text/redact.ts";
import { explainFailure } from "../failures/explain-failure.ts";
import { CheckFailure, CheckSkipped, EndsTarget, NoResponse } from "../failures/failure.ts";
import { forbiddenObservation } from "../failures/mismatch.ts";
import { cases, elementsOfFailure, forEachCase, judgeEachCase } from "./each-element.ts";

const group = cases("statuses", [1, 2, 3, 4, 5]);
const failAt =
  (...bad: readonly number[]) =>
  (one: number) => {
    if (bad.includes(one)) throw new CheckFailure(forbiddenObservation(`${one} isn't right`));
  };

const exchange = {
  operation: "getHealth",
  method: "GET",
  url: "http://127.0.0.1/healthz",
  requestHeaders: {},
  requestBody: undefined,
  response: undefined,
  violates: undefined,
  startedAt: 0,
  durationMs: 0,
  failure: "silence",
} as const;

async function thrownBy(work: () => Promise<void>): Promise<Error> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

test("every case is tested, also after one has failed, and the first failure is thrown", async () => {
  const error = await thrownBy(() => forEachCase(group, failAt(2, 4)));
  expect(error.message).toBe("2 isn't right");
  expect(elementsOfFailure(error)?.at).toBe("2 of 5 statuses: 2, 4; passed: 1, 3, 5");
  expect(explainFailure(error, new Redactor(), () => ({ exchanges: [] }))).toMatchObject({
    at: "2 of 5 statuses: 2, 4; passed: 1, 3, 5",
  });
});

test("nothing is thrown if all cases pass, and each case is reported as reached", async () => {
  const reached: string[] = [];
  await forEachCase(group, failAt(), { concurrency: 2 }, { reached: (name) => reached.push(name) });
  expect(reached).toEqual(["1", "2", "3", "4", "5"]);
});

test("a missing response ends the loop, and the remaining cases weren't reached", async () => {
  const silent = (one: number) => {
    if (one === 3) throw new NoResponse(exchange);
    failAt(1)(one);
  };
  const error = await thrownBy(() => forEachCase(group, silent));
  expect(error.message).toBe("1 isn't right");
  expect(elementsOfFailure(error)?.at).toBe("2 of 5 statuses: 1, 3; passed: 2; not reached: 4, 5");
});

test("a failure that all cases share ends the loop", async () => {
  const examined: number[] = [];
  const examine = (one: number) => {
    examined.push(one);
    failAt(2, 4)(one);
  };
  const error = await thrownBy(() => forEachCase(group, examine, {}, { endsAll: () => true }));
  expect(examined).toEqual([1, 2]);
  expect(elementsOfFailure(error)?.at).toBe("1 of 5 statuses: 2; passed: 1; not reached: 3, 4, 5");
});

test("a request that stops the target is reported, whatever failed before it", async () => {
  const ending = (one: number) => {
    if (one === 3) throw new EndsTarget(exchange);
    failAt(1)(one);
  };
  expect(await thrownBy(() => forEachCase(group, ending))).toBeInstanceOf(EndsTarget);
});

test("a missing prerequisite ends the loop, and hides no earlier failure", async () => {
  const lacking = (one: number) => {
    if (one === 3) throw new CheckSkipped("there is no courier");
  };
  expect(await thrownBy(() => forEachCase(group, lacking))).toBeInstanceOf(CheckSkipped);
  const error = await thrownBy(() =>
    forEachCase(group, (one) => {
      lacking(one);
      failAt(2)(one);
    }),
  );
  expect(elementsOfFailure(error)?.at).toBe("1 of 5 statuses: 2; passed: 1; not reached: 3, 4, 5");
});

test("batches continue until all cases of a batch fail", async () => {
  const rounds: (readonly number[])[] = [];
  const before = async (round: readonly number[]) => {
    rounds.push(round);
  };
  const error = await thrownBy(() => forEachCase(group, failAt(1, 3, 4), { concurrency: 2, before }));
  expect(rounds).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(elementsOfFailure(error)?.at).toBe("3 of 5 statuses: 1, 3, 4; passed: 2; not reached: 5");
});

test("the observer is notified of a failure before the next case begins", async () => {
  const notified: string[] = [];
  const work = forEachCase(
    group,
    failAt(2),
    {},
    { reached: (name) => notified.push(name), failed: ({ message }) => notified.push(message) },
  );
  await thrownBy(() => work);
  expect(notified).toEqual(["1", "2", "2 isn't right", "3", "4", "5"]);
});

test("recorded cases are judged in the same way", async () => {
  const error = await thrownBy(async () => judgeEachCase(group, failAt(5)));
  expect(elementsOfFailure(error)?.at).toBe("1 of 5 statuses: 5; passed: 1, 2, 3, 4");
});
