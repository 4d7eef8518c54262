import { DomainError } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { withBodyMembers } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterProperty, makeOptional, movePath } from "../operators/documents.ts";
import { replaceOperation } from "../operators/operations.ts";

const alterTokenResponse = (members: object) =>
  replaceOperation("obtainToken", async (call, original) => withBodyMembers(await original(call), members));

const acceptSimilarSecrets =
  (isSimilar: (sent: string, known: string) => boolean): Mutate =>
  (deps) => {
    const { ids, credentials } = deps;
    const issuedSecrets: string[] = [];
    return {
      ...deps,
      ids: {
        ...ids,
        clientSecret() {
          const secret = ids.clientSecret();
          issuedSecrets.push(secret);
          return secret;
        },
      },
      credentials: {
        ...credentials,
        matches: (sent, expectedHash) =>
          [sent, ...issuedSecrets.filter((secret) => isSimilar(sent, secret))].some((secret) =>
            credentials.matches(secret, expectedHash),
          ),
      },
    };
  };

export const tokenMutants: Mutants = {
  "token-type-in-lower-case": {
    fault: "token_type is `bearer`",
    breaks: [{ clause: "TOKEN-2" }],
    mutate: alterTokenResponse({ token_type: "bearer" }),
  },
  "expires-in-1799": {
    fault: "expires_in is 1799",
    breaks: [{ clause: "TOKEN-3" }],
    mutate: alterTokenResponse({ expires_in: 1799 }),
  },
  "expires-in-1801": {
    fault: "expires_in is 1801",
    breaks: [{ clause: "TOKEN-3" }],
    mutate: alterTokenResponse({ expires_in: 1801 }),
  },
  "expires-in-milliseconds": {
    fault: "expires_in is given in milliseconds",
    breaks: [{ clause: "TOKEN-3" }],
    mutate: alterTokenResponse({ expires_in: 1_800_000 }),
  },
  "token-endpoint-under-v1": {
    fault: "the token endpoint is served under /v1",
    breaks: [{ clause: "TOKEN-1" }, { clause: "AUTH-8" }, { clause: "VER-2" }],
    mutate: movePath("/oauth/token", "/v1/oauth/token"),
  },
  "second-token-is-rejected": {
    fault: "only an integrator's first token is stored",
    breaks: [{ clause: "TOKEN-4" }],
    mutate: (deps) => {
      const served = new Set<string>();
      return replaceOperation("obtainToken", async (call, original) => {
        const reply = await original(call);
        const { client_id } = call.body;
        const isFirst = !served.has(client_id);
        served.add(client_id);
        return isFirst ? reply : withBodyMembers(reply, { access_token: deps.ids.uuid() });
      })(deps);
    },
  },
  "any-secret-accepted": {
    fault: "any client_secret is accepted",
    breaks: [
      { clause: "TOKEN-5", case: "a client_secret with an additional character" },
      { clause: "TOKEN-5", case: "a client_secret without its last character" },
      { clause: "TOKEN-5", case: "a client_secret in the other letter case" },
    ],
    caughtBy: ["tokens.wrong-credentials"],
    mutate: (deps) => ({
      ...deps,
      credentials: {
        ...deps.credentials,
        matches: (_, expectedHash) => expectedHash !== "",
      },
    }),
  },
  "secret-in-any-case": {
    fault: "a client_secret is compared without case",
    breaks: [{ clause: "TOKEN-5", case: "a client_secret in the other letter case" }],
    caughtBy: ["tokens.wrong-credentials"],
    mutate: acceptSimilarSecrets((sent, known) => sent.toLowerCase() === known.toLowerCase()),
  },
  "secret-prefix-accepted": {
    fault: "a prefix of the client_secret is accepted",
    breaks: [{ clause: "TOKEN-5", case: "a client_secret without its last character" }],
    caughtBy: ["tokens.wrong-credentials"],
    mutate: acceptSimilarSecrets((sent, known) => known.startsWith(sent)),
  },
  "any-existing-secret-accepted": {
    fault: "the client_secret of any client is accepted",
    breaks: [{ clause: "TOKEN-5" }],
    caughtBy: ["tokens.other-clients-secret"],
    mutate: (deps) => {
      const knownHashes = new Set<string>();
      return {
        ...deps,
        credentials: {
          ...deps.credentials,
          hash: (secret) => {
            const hash = deps.credentials.hash(secret);
            knownHashes.add(hash);
            return hash;
          },
          matches: (secret, expectedHash) =>
            deps.credentials.matches(secret, expectedHash) || knownHashes.has(deps.credentials.hash(secret)),
        },
      };
    },
  },
  "unknown-client-answers-404": {
    fault: "an unknown client_id returns 404",
    breaks: [{ clause: "TOKEN-6", case: "an unknown client_id" }],
    mutate: replaceOperation("obtainToken", async (call, original) => {
      const { deps, body } = call;
      const known = await deps.records.integrators.findByClientId(deps.database, body.client_id);
      if (!known) throw new DomainError("BULUNAMADI");
      return original(call);
    }),
  },
  "token-error-in-oauth-format": {
    fault: "errors of the token endpoint have the OAuth 2.0 format, in which error is a string",
    breaks: [{ clause: "TOKEN-7" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        failure: (failure) =>
          failure.code === "invalid_client"
            ? { error: failure.code, error_description: failure.message }
            : deps.views.failure(failure),
      },
    }),
  },
  "any-grant-type": {
    fault: "any grant_type is accepted",
    breaks: breaking(["another grant type", "no grant type"], "TOKEN-8"),
    mutate: compose(
      makeOptional("TokenRequest", "grant_type"),
      alterProperty("TokenRequest", "grant_type", { const: undefined }),
    ),
  },
  "token-without-secret-answers-500": {
    fault: "a token request without a secret fails with 500",
    breaks: [{ clause: "TOKEN-9", case: "no client_secret" }],
    mutate: makeOptional("TokenRequest", "client_secret"),
  },
  "refresh-token-handed-out": {
    fault: "the token response contains a refresh token",
    breaks: [{ clause: "AUTH-3" }],
    mutate: alterTokenResponse({ refresh_token: "rt_5e0f" }),
  },
};
