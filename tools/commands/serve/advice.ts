import type { Advice } from "../../../sandbox/operator/advice.ts";
import { phrases } from "../../../sandbox/simulator/scripts.ts";

/** The advice in one line. */
export function adviceLine(advice: Advice): string {
  switch (advice.about) {
    case "script": {
      const known = Object.values(phrases).map(([english]) => english);
      return `note: ${advice.externalRef} asks for "sim: ${advice.phrase}", which there isn't; it goes the ordinary way. There are: ${known.join(", ")}`;
    }
    case "certificate": {
      const { origin, fault, ca } = advice;
      const own = ca === undefined ? "" : `, and ${ca} by trustReceiver`;
      return `note: webhooks to ${origin} fail, its certificate is of a CA that isn't trusted (${fault}). Trusted are this machine's${own}; trustReceiver { origin, ca_pem } adds its CA for this address, NODE_EXTRA_CA_CERTS for all`;
    }
    case "private address":
      return `note: webhooks to ${advice.origin} fail, its name leads to a private address: --forward-to sends events to this machine, and trustReceiver { origin } lets them go there`;
  }
}
