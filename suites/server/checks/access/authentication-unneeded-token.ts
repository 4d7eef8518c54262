import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import { findTrackingKey } from "../../support/courier/tracking.ts";
import { createDelivery } from "../../support/orders/deliveries.ts";

/**
 * A token is valid for 1,800 s, but a server may accept the token a little longer (OPEN-184), so 120 s are
 * added.
 */
const PAST_EXPIRY_S = 1800 + 120;

/** Returns the requests to the endpoints that need no token, as a function of the Authorization header. */
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

const malformedToken = check({
  id: "authentication.malformed-token-where-none-is-needed",
  title: "the token endpoint, the health check and tracking respond to a malformed token as if none was sent",
  clauses: [clause["AUTH-22"]],
  isolation: "own-integrator",
  async run(context) {
    const withHeader = await requestsThatNeedNoToken(context);
    await context.each(withHeader("Bearer not-a-token"), async ([, send]) => {
      (await send()).expectStatus(200);
    });
  },
});

const expiredToken = check({
  id: "authentication.expired-token-where-none-is-needed",
  title: "the token endpoint, the health check and tracking respond to an expired token as if none was sent",
  clauses: [clause["AUTH-23"]],
  needs: ["clock"],
  virtualSeconds: PAST_EXPIRY_S,
  isolation: "own-integrator",
  async run(context) {
    const bearer = await context.token();
    const withHeader = await requestsThatNeedNoToken(context);
    await context.advanceClock(PAST_EXPIRY_S);
    const options = { token: bearer };
    const refused = await context.api.sendInvalid("listPaymentTypes", "an expired token", {}, options);
    if (refused.status !== 401) throw new CheckSkipped("the token hasn't expired");
    // If these endpoints checked the header, a client that always sends its token couldn't renew an expired
    // token.
    await context.each(withHeader(`Bearer ${bearer}`), async ([, send]) => {
      (await send()).expectStatus(200);
    });
  },
});

export const unneededTokenChecks: readonly Check[] = [malformedToken, expiredToken];
