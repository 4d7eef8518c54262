/** node:test: a test for each check. */
import { after, test } from "node:test";
import { defineTarget, timeLimitMs } from "../../index.ts";
import { chosen, service } from "./target.ts";

const target = defineTarget(service);
after(() => target.close());

for (const check of chosen) {
  test(check.id, { timeout: timeLimitMs(check) }, (context) => target.verify(check, context));
}
