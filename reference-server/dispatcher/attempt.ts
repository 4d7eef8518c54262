/** A delivery attempt of an event, from its outbox row to the HTTP request. */

import type { AttemptRequests } from "../dependencies.ts";
import { trustIn } from "../events/receiver-trust.ts";

export const attemptRequests: AttemptRequests = {
  request(deps, dispatch, now) {
    // The current secret. A retry after a rotation is signed with the new one.
    const secret = deps.secretEncryption.decrypt(dispatch.secret, dispatch.webhook_id);
    return {
      method: "POST",
      url: dispatch.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "courier-dispatch-webhooks/1",
        ...deps.attemptRequests.headers(deps, dispatch, secret, now),
      },
      body: dispatch.body,
      webhookId: dispatch.webhook_id,
      trust: trustIn(deps, dispatch),
    };
  },

  headers(deps, { event_id, body }, secret, now) {
    const timestamp = String(Math.floor(now / 1000));
    return {
      "webhook-id": event_id,
      "webhook-timestamp": timestamp,
      "webhook-signature": deps.signer.sign(deps.signer, secret, event_id, timestamp, body),
    };
  },
};
