import { createHash } from "node:crypto";
import type { Parts } from "../../../reference-server/parts.ts";
import { pause } from "../../core/clock.ts";
import {
  alterAddresses,
  alterAttemptRequests,
  alterPost,
  rememberFirst,
} from "../mutants/operators/webhooks.ts";
import { forgetting } from "../mutants/webhooks/retries.ts";

/** OPEN-190: a message's id is the address's own, and not the envelope's. */
export const ownMessageIds = alterAttemptRequests(({ headers }) => ({
  headers(parts, dispatch, secret, now) {
    const digest = createHash("sha256").update(`${dispatch.event_id} ${dispatch.webhook_id}`);
    return headers(parts, { ...dispatch, event_id: `msg_${digest.digest("base64url")}` }, secret, now);
  },
}));

/** OPEN-167: a retry is signed with the secret of its first attempt. */
export function oldSecretsForRetries(parts: Parts): Parts {
  const first = rememberFirst<string>();
  return alterAttemptRequests(({ headers }) => ({
    headers: (all, dispatch, secret, now) => headers(all, dispatch, first(dispatch, secret), now),
  }))(parts);
}

/** RETRY-26: an event accepted at the first attempt comes once more, as after a crash that lost the acceptance. */
export const forgottenOnce = forgetting((failures) => failures === 0, 10);

/** How long an answer is under way while the machine stalls: longer than an advance of the clock waits for it. */
const HELD_UP_MS = 3_200;
/** One of this many attempts is delayed. */
const HELD_UP_ONE_OF = 15;

/** The machine stalls now and then, so that an answered attempt counts as silent if the clock is moved. */
export function heldUpNowAndThen(parts: Parts): Parts {
  let sent = 0;
  return alterPost((post) => async (all, outgoing, signal) => {
    sent += 1;
    const isHeldUp = sent % HELD_UP_ONE_OF === 0;
    const answer = await post(all, outgoing, signal);
    if (isHeldUp) await pause(HELD_UP_MS);
    return answer;
  })(parts);
}

const LATE_MS = 1000;

/** One of this many events is late. */
const LATE_ONE_OF = 3;

/** OPEN-198: every third event comes a second late, so that later ones overtake it, and each comes twice. */
export function unruly(parts: Parts): Parts {
  let sent = 0;
  return alterPost((post) => async (all, outgoing, signal) => {
    sent += 1;
    if (sent % LATE_ONE_OF === 0) await pause(LATE_MS);
    const answer = await post(all, outgoing, signal);
    await post(all, outgoing, signal);
    return answer;
  })(parts);
}

/** A program that parses addresses writes a slash in a query as it is, which it may be there (RFC 3986, 3.4). */
export const slashesAsTheyAre = alterAddresses((url) => {
  const [whole, query = ""] = url.split("?");
  return query === "" ? url : `${whole}?${query.replaceAll("%2F", "/")}`;
});
