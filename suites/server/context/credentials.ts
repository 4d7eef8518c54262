import { pathSegment } from "../../core/http/path-segment.ts";
import type { Capabilities } from "../capabilities.ts";
import { type ContextParts, controlFor, noteControl } from "./parts.ts";

type CredentialCapabilities = Capabilities["other-credential"] &
  Capabilities["credit"] &
  Capabilities["close"];

/** Actions of the control interface on the integrator's credential, and a credential of another kind. */
export function credentialContext(parts: ContextParts): CredentialCapabilities {
  const { session, identity, recorder } = parts;
  const { client_id } = identity.credentials;
  return {
    otherToken: async () => {
      const credentials = await controlFor(parts, "other-credential").createIntegrator("other");
      const response = await identity.anonymous(recorder.exchange).call("obtainToken", {
        body: { grant_type: "client_credentials", ...credentials },
      });
      const { access_token } = response.body(200);
      session.redact.learn(access_token);
      return access_token;
    },
    creditConsumed: () => controlFor(parts, "credit").readCredit(client_id),
    closeIntegrator: async () => {
      identity.isRetired = true;
      const path = `/integrators/${pathSegment(client_id)}/close`;
      noteControl(parts, { method: "POST", path });
      await controlFor(parts, "close").closeIntegrator(client_id);
    },
  };
}
