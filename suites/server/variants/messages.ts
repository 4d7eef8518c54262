import { createHash } from "node:crypto";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { pause } from "../../core/clock.ts";
import { alterAttemptRequests, alterPost } from "../mutants/operators/webhooks.ts";

/** OPEN-190: a message's id is specific to the endpoint, and differs from the envelope's. */
export const ownMessageIds = alterAttemptRequests(({ headers }) => ({
  headers(deps, dispatch, secret, now) {
    const digest = createHash("sha256").update(`${dispatch.event_id} ${dispatch.webhook_id}`);
    return headers(deps, { ...dispatch, event_id: `msg_${digest.digest("base64url")}` }, secret, now);
  },
}));

const LATE_MS = 1000;

/** One in this many events is late. */
const LATE_INTERVAL = 3;

/** OPEN-198: every third event is sent a second late and twice, so that later events overtake it. */
export function lateAndTwice(deps: Dependencies): Dependencies {
  let sent = 0;
  return alterPost((post) => async (all, outgoing, signal) => {
    sent += 1;
    if (sent % LATE_INTERVAL === 0) await pause(LATE_MS);
    const answer = await post(all, outgoing, signal);
    await post(all, outgoing, signal);
    return answer;
  })(deps);
}

/** OPEN-198: offers are reported a second late, so that later events overtake them. */
export const lateOffers = alterPost((post) => async (all, outgoing, signal) => {
  if (outgoing.body.includes('"delivery.offered"')) await pause(LATE_MS);
  return post(all, outgoing, signal);
});
