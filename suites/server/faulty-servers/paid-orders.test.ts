import { expect, test } from "vitest";
import { DomainError } from "../../../reference-server/errors.ts";
import { checks } from "../checks/index.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";
import { runMutant } from "../mutants/run-mutant.ts";

const withoutPaidOrders = replaceOperation("createDelivery", (call, original) => {
  if (call.body.payment.prepaid === true) throw new DomainError("DOGRULAMA");
  return original(call);
});

test("a server that takes no paid order fails where it is about them, and not at what refuses orders for something else", async () => {
  const tried = checks.filter(({ id }) =>
    ["creation.prepaid", "creation.unknown-store", "creation.repeated-reference"].includes(id),
  );
  const outcomes = await runMutant({ fault: "no paid order is taken", mutate: withoutPaidOrders }, tried);
  expect(Object.fromEntries([...outcomes].map(([id, { status }]) => [id, status]))).toEqual({
    "creation.prepaid": "failed",
    "creation.unknown-store": "passed",
    "creation.repeated-reference": "passed",
  });
});
