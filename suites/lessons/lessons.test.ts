import { expect, test } from "vitest";
import { serverSuite } from "../server-suite.ts";
import { serverLessons } from "./server.ts";

const groupOf = (id: string) => id.split(".")[0] ?? "";

test.each([["server", serverSuite(), serverLessons]] as const)(
  "every group of checks on a %s has its lesson, and every lesson its group",
  (_, suite, lessons) => {
    const groups = new Set(suite.checks.map(({ id }) => groupOf(id)));
    expect(Object.keys(lessons).toSorted()).toEqual([...groups].toSorted());
  },
);
