/** vitest: a test for each check. */
import { afterAll, test } from "vitest";
import { defineTarget, timeLimitMs } from "../../index.ts";
import { chosen, service } from "./target.ts";

const target = defineTarget(service);
afterAll(() => target.close());

for (const check of chosen) {
  test(check.id, { timeout: timeLimitMs(check) }, (context) => target.verify(check, context));
}
