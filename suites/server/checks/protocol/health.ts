import { clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";

/** A date in any order, with any separator and with the month in digits or letters (OPEN-233). */
const DATE =
  /(19|20)\d\d[-./]?\d{1,2}[-./]?\d{1,2}|\d{1,2}[-./ ]+(\d{1,2}|\p{L}+)[-./, ]+(19|20)\d\d|\p{L}+ \d{1,2},? (19|20)\d\d/u;

const ok = check({
  id: "health.ok",
  smokeTestOf: "getHealth",
  title: "GET /healthz returns 200 without credentials, and ok is true",
  clauses: [clause["HEALTH-1"], clause["HEALTH-2"], clause["AUTH-9"], clause["VER-3"]],
  async run({ anonymous, attributeTo }) {
    attributeTo(clause["HEALTH-1"], clause["AUTH-9"], clause["VER-3"]);
    const health = (await anonymous.call("getHealth")).body(200);
    attributeTo(clause["HEALTH-2"]);
    expectThat("ok", health.ok).is(true);
  },
});

const parts = check({
  id: "health.parts",
  title: "the health check reports the state of the database and of Redis, each as a string",
  clauses: [clause["HEALTH-3"], clause["HEALTH-4"]],
  async run({ anonymous, attributeTo }) {
    const health = (await anonymous.call("getHealth")).body(200);
    attributeTo(clause["HEALTH-3"]);
    expectThat("db", health.db).satisfies("text", typeof health.db === "string");
    attributeTo(clause["HEALTH-4"]);
    expectThat("redis", health.redis).satisfies("text", typeof health.redis === "string");
  },
});

const version = check({
  id: "health.version",
  title: "the health check reports the version as a date string",
  clauses: [clause["VER-4"]],
  async run({ anonymous }) {
    const health = (await anonymous.call("getHealth")).body(200);
    expectThat("version", health.version).matches(DATE);
  },
});

export const healthChecks: readonly Check[] = [ok, parts, version];
