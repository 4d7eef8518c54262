/** A delivery attempt of an event, from its outbox row to the HTTP request. */
import { trustIn } from "../events/receiver-trust.ts";
import type { AttemptRequests } from "../parts.ts";

export const attemptRequests: AttemptRequests = {
  request(parts, dispatch, now) {
    // The current secret. A retry after a rotation is signed with the new one.
    const secret = parts.secretEncryption.decrypt(dispatch.secret, dispatch.webhook_id);
    return {
      method: "POST",
      url: dispatch.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "courier-dispatch-webhooks/1",
        ...parts.attemptRequests.headers(parts, dispatch, secret, now),
      },
      body: dispatch.body,
      webhookId: dispatch.webhook_id,
      trust: trustIn(parts, dispatch),
    };
  },

  headers(parts, { event_id, body }, secret, now) {
    const timestamp = String(Math.floor(now / 1000));
    return {
      "webhook-id": event_id,
      "webhook-timestamp": timestamp,
      "webhook-signature": parts.signer.sign(parts.signer, secret, event_id, timestamp, body),
    };
  },
};
