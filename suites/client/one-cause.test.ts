/**
 * Failures with one cause in the client describe the cause in the same words, so that the report shows one
 * cause.
 */
import { expect, test } from "vitest";
import { mutantNamed } from "../core/mutation/catching.ts";
import { clientChecks } from "./checks/index.ts";
import { clientMutants } from "./mutants/index.ts";
import { runClientMutant } from "./mutants/run-mutant.ts";

/** Runs the checks with these ids on a mutant, and returns their failures. */
async function failuresOf(mutant: string, ids: RegExp) {
  const checks = clientChecks.filter(({ id }) => ids.test(id));
  const outcomes = await runClientMutant(mutantNamed(mutant, clientMutants), checks, { confirms: false });
  return [...outcomes].filter(([, { status }]) => status === "failed");
}

test("if a client gets a token for each request, all failures name this cause", async () => {
  const failures = await failuresOf("token-per-request", /^(tokens|refusals)\./);
  expect(failures.map(([id, { fault }]) => [id, fault])).toEqual(
    ["tokens.reused", "refusals.unauthorised", "refusals.other-calls-unauthorised"].map((id) => [
      id,
      "the client gets a new token for each request",
    ]),
  );
});

test("getting too many tokens after a 401 isn't reported as a token for each request", async () => {
  const failures = await failuresOf("two-tokens-on-401", /^(tokens|refusals)\./);
  expect(failures.map(([, { fault }]) => fault)).not.toContain(
    "the client gets a new token for each request",
  );
  expect(failures.map(([id]) => id)).toContain("refusals.unauthorised");
});

test.each([
  ["gives-up-on-lost-cursor", "400 IMLEC_GECERSIZ"],
  ["gives-up-pages", "connection reset before the request reaches the service"],
] as const)(
  "the message about a list that isn't read to its end names what stopped %s",
  async (mutant, met) => {
    const failures = await failuresOf(mutant, /^catch-up\.to-the-end$/);
    expect(failures.map(([, { message }]) => message)).toEqual([
      `expected a page with has_more: false, got nothing: the client stopped before the end of the list, after ${met}`,
    ]);
  },
);
