import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { textMember } from "../../core/json.ts";
import type { ClientCheck } from "../check.ts";
import { TIME_MEMBERS, TIME_PARAMETERS } from "../session/readable-times.ts";
import type { RecordedRequest } from "../session/request.ts";

/** Matches an offset. An unencoded plus sign may arrive as a space, which another check reports. */
const ZONE_PATTERN = /(?:[zZ]|[+ -]\d{2}(?::?\d{2})?)$/;
const TIME_PATTERN = /\d{2}:\d{2}/;

/** Every time in a request, with the name of its member or parameter. */
const timesIn = (request: RecordedRequest): readonly (readonly [string, string])[] => [
  ...TIME_MEMBERS.flatMap((name) => {
    const value = textMember(request.json, name);
    return value === undefined ? [] : [[name, value] as const];
  }),
  ...TIME_PARAMETERS.flatMap((name) => request.query.getAll(name).map((value) => [name, value] as const)),
];

/**
 * A body without its times, because the allowed ISO 8601 forms are unspecified (OPEN-7), and another check
 * judges offsets.
 */
export function withoutTimes(json: unknown): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  return Object.fromEntries(
    Object.entries(json).filter(([name]) => !TIME_MEMBERS.some((member) => member === name)),
  );
}

export const timesChecks: readonly ClientCheck[] = [
  {
    id: "times.zoned",
    title: "every time that the client sends carries an offset or Z",
    clauses: [clause["CLIENT-3"]],
    scenarios: [],
    judge(evidence) {
      const sent = evidence.requests.flatMap((one) => timesIn(one).map((time) => ({ one, time })));
      if (sent.length === 0) {
        throw new CheckSkipped(
          "the client sent no time: send an order with ready_at or scheduled_for (or declare --without timestamps)",
        );
      }
      for (const { one, time } of sent) {
        const [name, value] = time;
        evidence
          .expectThat(name, value, [one])
          .satisfies(
            "a time that ends in Z or an offset",
            !TIME_PATTERN.test(value) || ZONE_PATTERN.test(value.trim()),
          );
      }
      return [`${sent.length} time values`];
    },
  },
];
