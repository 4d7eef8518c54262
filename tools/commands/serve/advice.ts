import type { Advice } from "../../../sandbox/operator/advice.ts";
import { phrases } from "../../../sandbox/simulator/scripts.ts";

/** The advice in one line. */
export function adviceLine(advice: Advice): string {
  switch (advice.about) {
    case "script": {
      const known = Object.values(phrases).map(([english]) => english);
      return `note: ${advice.externalRef} asks for "sim: ${advice.phrase}", which is unknown, so it is simulated as an ordinary delivery. Known: ${known.join(", ")}`;
    }
    case "certificate": {
      const { origin, fault, ca } = advice;
      const own = ca === undefined ? "" : `, and ${ca} by trustReceiver`;
      return `note: webhooks to ${origin} fail: its certificate's CA isn't trusted (${fault}). Trusted are this machine's CAs${own}; trustReceiver { origin, ca_pem } adds its CA for this address, NODE_EXTRA_CA_CERTS for all`;
    }
    case "private address":
      return `note: webhooks to ${advice.origin} fail: its name resolves to a private address. --forward-to sends events to this machine, and trustReceiver { origin } lets them go there`;
  }
}
