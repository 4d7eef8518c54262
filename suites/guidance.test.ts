import { expect, test } from "vitest";
import { clientGuidance } from "./client/guidance.ts";
import { clientSuite } from "./client/suite.ts";
import { receiverGuidance } from "./receiver/guidance.ts";
import { receiverSuite } from "./receiver/suite.ts";
import { serverGuidance } from "./server/guidance.ts";
import { serverSuite } from "./server/suite.ts";

const groupOf = (id: string) => id.split(".")[0] ?? "";

test.each([
  ["server", serverSuite(), serverGuidance],
  ["receiver", receiverSuite(), receiverGuidance],
  ["client", clientSuite(), clientGuidance],
] as const)(
  "every group of checks on a %s has its guidance, and all guidance its group",
  (_, suite, guidance) => {
    const groups = new Set(suite.checks.map(({ id }) => groupOf(id)));
    expect(Object.keys(guidance).toSorted()).toEqual([...groups].toSorted());
  },
);
