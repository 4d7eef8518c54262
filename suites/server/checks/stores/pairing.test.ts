import { expect, test } from "vitest";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { runMutant } from "../../mutants/run-mutant.ts";
import { checks } from "../index.ts";

type Pairing = Dependencies["pairing"];

/** Runs checks on a server that refuses pairing codes by this rule, and returns the outcomes. */
async function outcomesWith(
  refusal: (original: Pairing["refusal"]) => Pairing["refusal"],
  ...ids: readonly string[]
) {
  const outcomes = await runMutant(
    {
      fault: "pairing codes are refused",
      mutate: (deps) => ({ ...deps, pairing: { refusal: refusal(deps.pairing.refusal) } }),
    },
    checks.filter(({ id }) => ids.includes(id)),
  );
  return ids.map((id) => outcomes.get(id));
}

test("a check is not verified if the control interface issues codes that have already expired", async () => {
  const expiredAtIssue =
    (original: Pairing["refusal"]): Pairing["refusal"] =>
    (code, ageMs) =>
      original(code, code.expires_in_ms === null ? ageMs : Number.POSITIVE_INFINITY);
  const [expired, first] = await outcomesWith(
    expiredAtIssue,
    "pairing.expired-code",
    "stores.first-registration",
  );
  expect(expired).toMatchObject({
    status: "not_verified",
    message: expect.stringMatching(
      /^a pairing code that the control interface issued to expire in 60 s was refused after \d+\.\d s: expires_in must be measured on the integrator's clock/,
    ),
  });
  expect(first?.status).toBe("passed");
});

test("a service that refuses valid codes fails the registration check", async () => {
  const [first] = await outcomesWith(() => () => "ESLEME_KODU_GECERSIZ", "stores.first-registration");
  expect(first).toMatchObject({
    status: "failed",
    message: expect.stringContaining("expected status 201, got 400 ESLEME_KODU_GECERSIZ"),
  });
});
