import { expect, test } from "vitest";
import { readableTime } from "./readable-times.ts";

test.each([
  ["2026-11-26T18:10+03:00", "2026-11-26T18:10:00+03:00"],
  ["2026-11-26T18:10:05+0300", "2026-11-26T18:10:05+03:00"],
  ["2026-11-26T18:10:05+03", "2026-11-26T18:10:05+03:00"],
  ["2026-11-26 18:10:05+03:00", "2026-11-26T18:10:05+03:00"],
  ["2026-11-26t15:10:05z", "2026-11-26T15:10:05Z"],
  ["2026-11-26T18:10:05,25-03:30", "2026-11-26T18:10:05.25-03:30"],
])("%s is %s, whichever of them a service reads", (sent, read) => {
  expect(readableTime(sent)).toBe(read);
});

test.each(["2026-11-26T18:10:05", "26.11.2026 18:10", "tomorrow"])("%s is unchanged", (sent) => {
  expect(readableTime(sent)).toBe(sent);
});
