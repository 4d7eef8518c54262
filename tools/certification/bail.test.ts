import { expect, test } from "vitest";
import { serverSuite } from "../../suites/server/suite.ts";
import { Bail } from "./bail.ts";

const { checks } = serverSuite();
const idsOf = (level: string) => checks.filter(({ severity }) => severity === level).map(({ id }) => id);
const [first = "", second = ""] = idsOf("MUST");
const [should = ""] = idsOf("SHOULD");

test("a run ends after the given number of MUST failures, each counted once", () => {
  const bail = new Bail(checks, { bail: 2, strict: false });
  for (const id of [first, first, should]) bail.ended(id, "failed");
  expect(bail.reason).toBeUndefined();
  bail.ended(second, "failed");
  expect(bail.signal.aborted).toBe(true);
  expect(bail.reason).toBe("Ended by --bail after 2 failures");
});

test("a failure that wasn't confirmed no longer counts", () => {
  const bail = new Bail(checks, { bail: 2, strict: false });
  bail.ended(first, "failed");
  bail.ended(first, "inconsistent");
  bail.ended(second, "failed");
  expect(bail.reason).toBeUndefined();
});

test("with --strict a SHOULD failure counts too, and without --bail failures don't end a run", () => {
  const strict = new Bail(checks, { bail: 1, strict: true });
  strict.ended(should, "failed");
  expect(strict.reason).toBe("Ended by --bail after 1 failure");
  const unlimited = new Bail(checks, { strict: false });
  for (const id of idsOf("MUST")) unlimited.ended(id, "failed");
  expect(unlimited.reason).toBeUndefined();
});
