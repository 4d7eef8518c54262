import { expect, test } from "vitest";
import { isActive } from "../check.ts";
import { checks } from "../checks/index.ts";
import { runMutant } from "../mutants/run-mutant.ts";

/** The server as it is. */
const right = { fault: "none", mutate: <Dependencies>(deps: Dependencies): Dependencies => deps };

const groups = Map.groupBy(checks.filter(isActive), ({ id }) => id.split(".")[0] ?? "");

// A report says of each failure how it is repeated alone, and a mutant is tried with the checks that name it alone: what
// other checks have set up isn't there then.
test.each([...groups])("%s: each check passes in a run of its own", async (_, group) => {
  for (const check of group) {
    const { status, message } = (await runMutant(right, [check])).get(check.id) ?? {};
    expect({ status, message }, check.id).toEqual({ status: "passed", message: undefined });
  }
});
