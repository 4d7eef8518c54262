import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { NotTestable } from "../../../core/grading/failures/failure.ts";
import type { BaseContext } from "../../check.ts";
import { findTrackingKey } from "../../support/courier/tracking.ts";
import { createDelivery } from "../../support/orders/deliveries.ts";
import { type Check, check } from "../define.ts";

/**
 * A token is valid for 1,800 s (specification, "Authentication" 2). The tolerance is unspecified (OPEN-184).
 */
const OVER_S = 1800 + 120;

/** Requests that need no token, each sent with this header. */
async function requestsThatNeedNoToken(context: BaseContext) {
  const { anonymous, obtainToken } = context;
  const key = await findTrackingKey(anonymous, await createDelivery(context));
  return (authorization: string) =>
    casesFrom("endpoints that need no token", {
      "POST /oauth/token": () => obtainToken(undefined, { authorization }),
      "GET /healthz": () => anonymous.call("getHealth", {}, { authorization }),
      "GET /v1/public/tracking/{key}": () =>
        anonymous.call("getTracking", { path: { key } }, { authorization }),
    });
}

const malformed = check({
  id: "authentication.malformed-token-without-need",
  title:
    "the token endpoint, the health check and tracking return the same with a malformed token as without one",
  clauses: [clause["AUTH-22"]],
  mutants: ["unknown-token-refused-everywhere"],
  isolation: "own-integrator",
  async run(context) {
    const withHeader = await requestsThatNeedNoToken(context);
    await context.each(withHeader("Bearer not-a-token"), async ([, send]) => {
      (await send()).expectStatus(200);
    });
  },
});

const expired = check({
  id: "authentication.expired-token-without-need",
  title:
    "the token endpoint, the health check and tracking return the same with an expired token as without one",
  clauses: [clause["AUTH-23"]],
  needs: ["clock"],
  virtualSeconds: OVER_S,
  mutants: ["expired-token-refused-everywhere"],
  isolation: "own-integrator",
  async run(context) {
    const stale = await context.token();
    const withHeader = await requestsThatNeedNoToken(context);
    await context.advanceClock(OVER_S);
    const options = { token: stale };
    const refused = await context.api.sendInvalid("listPaymentTypes", "an expired token", {}, options);
    if (refused.status !== 401) throw new NotTestable("the token hasn't expired");
    // The API ignores the header here. Otherwise a client that always sends its token could not renew an
    // expired one.
    await context.each(withHeader(`Bearer ${stale}`), async ([, send]) => {
      (await send()).expectStatus(200);
    });
  },
});

/** Requests that need no token, but are sent with one. */
export const authenticationStaleChecks: readonly Check[] = [malformed, expired];
