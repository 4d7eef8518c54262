import { pathSegment } from "../../core/http/path-segment.ts";
import type { Capabilities } from "../capabilities.ts";
import { type ContextDependencies, controlFor, noteControl } from "./dependencies.ts";

type CredentialCapabilities = Capabilities["other-credential"] &
  Capabilities["credit"] &
  Capabilities["close"];

/** Actions of the control interface on the integrator's credential, and a credential of another kind. */
export function credentialContext(deps: ContextDependencies): CredentialCapabilities {
  const { session, identity, recorder } = deps;
  const { client_id } = identity.credentials;
  return {
    otherToken: async () => {
      const credentials = await controlFor(deps, "other-credential").createIntegrator("other");
      const response = await identity.anonymous(recorder.exchange).call("obtainToken", {
        body: { grant_type: "client_credentials", ...credentials },
      });
      const { access_token } = response.body(200);
      session.redact.learn(access_token);
      return access_token;
    },
    creditConsumed: () => controlFor(deps, "credit").readCredit(client_id),
    closeIntegrator: async () => {
      identity.isRetired = true;
      const path = `/integrators/${pathSegment(client_id)}/close`;
      noteControl(deps, { method: "POST", path });
      await controlFor(deps, "close").closeIntegrator(client_id);
    },
  };
}
