import { expect, test } from "vitest";
import { clientLessons } from "./client/guidance.ts";
import { clientSuite } from "./client/suite.ts";
import { receiverLessons } from "./receiver/guidance.ts";
import { receiverSuite } from "./receiver/suite.ts";
import { serverLessons } from "./server/guidance.ts";
import { serverSuite } from "./server/suite.ts";

const groupOf = (id: string) => id.split(".")[0] ?? "";

test.each([
  ["server", serverSuite(), serverLessons],
  ["receiver", receiverSuite(), receiverLessons],
  ["client", clientSuite(), clientLessons],
] as const)(
  "every group of checks on a %s has its lesson, and every lesson its group",
  (_, suite, lessons) => {
    const groups = new Set(suite.checks.map(({ id }) => groupOf(id)));
    expect(Object.keys(lessons).toSorted()).toEqual([...groups].toSorted());
  },
);
