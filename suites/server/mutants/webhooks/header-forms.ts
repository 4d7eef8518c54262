import type { Dispatch } from "../../../../reference-server/records/outbox.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterAttemptHeaders, alterAttemptRequests } from "../operators/webhooks.ts";

/** Sends these attempts with milliseconds as decimals of webhook-timestamp. */
const writeDecimals = (isAffected: (dispatch: Dispatch) => boolean): Mutate =>
  alterAttemptRequests(({ headers }) => ({
    headers(deps, dispatch, secret, now) {
      if (!isAffected(dispatch)) return headers(deps, dispatch, secret, now);
      const { event_id, body } = dispatch;
      const timestamp = (now / 1000).toFixed(3);
      return {
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": deps.signer.sign(deps.signer, secret, event_id, timestamp, body),
      };
    },
  }));

const COURIER_KINDS = new Set(
  elementsOf("courier-actions-until-delivery").map((action) => `delivery.${action}`),
);

export const headerFormsMutants: Mutants = {
  "timestamps-of-retries-have-decimals": {
    fault: "webhook-timestamp of a retry has decimals",
    breaks: [{ clause: "EVENT-51" }],
    mutate: writeDecimals(({ failures }) => failures > 0),
  },
  "timestamps-have-decimals-from-the-fifth-attempt-on": {
    fault: "webhook-timestamp has decimals from the fifth attempt on",
    breaks: [{ clause: "EVENT-51" }],
    caughtBy: ["retries.schedule"],
    mutate: writeDecimals(({ failures }) => failures > 3),
  },
  "unknown-signature-version-of-a-retry-with-equals-sign": {
    fault: "a retry has a signature of another version, followed by an equals sign instead of a comma",
    breaks: [{ clause: "EVENT-51" }],
    caughtBy: ["retries.second-attempts"],
    mutate: alterAttemptHeaders(({ "webhook-signature": signature = "" }, { failures }) =>
      failures > 0 ? { "webhook-signature": `${signature} v2=old` } : {},
    ),
  },
  "timestamps-of-courier-events-have-decimals": {
    fault: "webhook-timestamp has decimals on the events of courier actions",
    breaks: [{ clause: "EVENT-52" }],
    mutate: writeDecimals(({ type }) => COURIER_KINDS.has(type)),
  },
};
