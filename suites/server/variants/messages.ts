import { createHash } from "node:crypto";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { pause } from "../../core/clock.ts";
import {
  alterAddresses,
  alterAttemptRequests,
  alterPost,
  rememberFirst,
} from "../mutants/operators/webhooks.ts";
import { retryAfterSuccess } from "../mutants/webhooks/retries.ts";

/** OPEN-190: a message's id is specific to the endpoint, and differs from the envelope's. */
export const ownMessageIds = alterAttemptRequests(({ headers }) => ({
  headers(deps, dispatch, secret, now) {
    const digest = createHash("sha256").update(`${dispatch.event_id} ${dispatch.webhook_id}`);
    return headers(deps, { ...dispatch, event_id: `msg_${digest.digest("base64url")}` }, secret, now);
  },
}));

/** OPEN-167: a retry is signed with the secret of its first attempt. */
export function oldSecretsForRetries(deps: Dependencies): Dependencies {
  const first = rememberFirst<string>();
  return alterAttemptRequests(({ headers }) => ({
    headers: (all, dispatch, secret, now) => headers(all, dispatch, first(dispatch, secret), now),
  }))(deps);
}

/** RETRY-26: an event that was accepted at the first attempt is sent again, as after a crash. */
export const repeatsAcceptedEvents = retryAfterSuccess((failures) => failures === 0, 10);

/** The delay of a response while the machine stalls. A clock advance doesn't wait that long. */
const STALL_MS = 3_200;
/** One in this many attempts is delayed. */
const STALL_INTERVAL = 15;

/**
 * The machine stalls sometimes. If the clock is advanced meanwhile, an attempt times out although its
 * response was sent.
 */
export function stallsSometimes(deps: Dependencies): Dependencies {
  let sent = 0;
  return alterPost((post) => async (all, outgoing, signal) => {
    sent += 1;
    const isStalled = sent % STALL_INTERVAL === 0;
    const answer = await post(all, outgoing, signal);
    if (isStalled) await pause(STALL_MS);
    return answer;
  })(deps);
}

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

/** A URL library may decode an escaped slash in a query, where it is allowed (RFC 3986, 3.4). */
export const unescapesSlashes = alterAddresses((url) => {
  const [whole, query = ""] = url.split("?");
  return query === "" ? url : `${whole}?${query.replaceAll("%2F", "/")}`;
});
