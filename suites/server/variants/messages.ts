import { createHash } from "node:crypto";
import type { Parts } from "../../../reference-server/parts.ts";
import { pause } from "../../core/clock.ts";
import { alterAttemptRequests, rememberFirst } from "../mutants/operators/webhooks.ts";
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

/** RETRY-26: what was taken at the first attempt comes once more, as after a crash before that was kept. */
export const forgottenOnce = forgetting((failures) => failures === 0, 10);

const LATE_MS = 1000;

/** Of so many events one is late. */
const LATE_ONE_OF = 3;

/** OPEN-198: every third event comes a second late, so that later ones overtake it, and each comes twice. */
export function unruly(parts: Parts): Parts {
  let sent = 0;
  return {
    ...parts,
    transport: {
      ...parts.transport,
      async post(all, outgoing, signal) {
        sent += 1;
        if (sent % LATE_ONE_OF === 0) await pause(LATE_MS);
        const answer = await parts.transport.post(all, outgoing, signal);
        await parts.transport.post(all, outgoing, signal);
        return answer;
      },
    },
  };
}
