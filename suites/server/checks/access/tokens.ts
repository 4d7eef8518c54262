import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { withoutLastCharacter } from "../../support/look-alikes.ts";

/** The lifetime of a token (specification, "Authentication" 2). */
const VALIDITY_S = 1800;

const GRANT = "client_credentials";

const issued = check({
  id: "tokens.issued",
  smokeTestOf: "obtainToken",
  title: "/oauth/token exchanges client credentials for a Bearer token that is valid for 1800 s",
  clauses: [
    clause["TOKEN-1"],
    clause["TOKEN-2"],
    clause["TOKEN-3"],
    clause["TOKEN-4"],
    clause["AUTH-8"],
    clause["VER-2"],
  ],
  isolation: "own-integrator",
  async run({ api, attributeTo, token, obtainToken }) {
    attributeTo(clause["TOKEN-1"], clause["AUTH-8"], clause["VER-2"]);
    const earlier = await token();
    const { access_token, token_type, expires_in } = (await obtainToken()).body(200);
    expectThat("access_token", access_token).isText();
    attributeTo(clause["TOKEN-2"]);
    expectThat("token_type", token_type).is("Bearer");
    attributeTo(clause["TOKEN-3"]);
    // A target may return the earlier token with its remaining lifetime (OPEN-100).
    const isRemainingLifetime = Number.isInteger(expires_in) && expires_in > 0 && expires_in < VALIDITY_S;
    const expected = access_token === earlier && isRemainingLifetime ? expires_in : VALIDITY_S;
    expectThat("expires_in", expires_in).is(expected);
    attributeTo(clause["TOKEN-4"]);
    (await api.call("listPaymentTypes", {}, { token: access_token })).expectStatus(200);
  },
});

/** Swaps upper and lower case, or appends a character if the text has no letters. */
function otherCase(text: string): string {
  const letters = Array.from(text, (character) =>
    character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase(),
  );
  return letters.join("") === text ? `${text}X` : letters.join("");
}

const wrongCredentials = check({
  id: "tokens.wrong-credentials",
  title:
    "a token request with a wrong client_secret or an unknown client_id gets 401 invalid_client in the service's error format",
  clauses: [clause["TOKEN-5"], clause["TOKEN-6"], clause["TOKEN-7"]],
  async run({ anonymous, attributeTo, credentials, each, token }) {
    // Positive control: these credentials have obtained a token. It is reused, because token requests are
    // scarce.
    await token();
    const { client_id, client_secret } = credentials;
    await each(
      cases(
        "wrong credentials",
        [
          [
            "a client_secret with an additional character",
            { client_id, client_secret: `${client_secret}x` },
            clause["TOKEN-5"],
          ],
          [
            "a client_secret without its last character",
            { client_id, client_secret: withoutLastCharacter(client_secret) },
            clause["TOKEN-5"],
          ],
          [
            "a client_secret in the other letter case",
            { client_id, client_secret: otherCase(client_secret) },
            clause["TOKEN-5"],
          ],
          ["an unknown client_id", { client_id: `nobody-${drawnUuid()}`, client_secret }, clause["TOKEN-6"]],
        ] as const,
        ([rule]) => rule,
      ),
      async ([rule, wrong, credentialClause]) => {
        attributeTo(credentialClause);
        const refused = await anonymous.sendInvalid("obtainToken", rule, {
          body: { grant_type: GRANT, ...wrong },
        });
        // A body without a code isn't in the service's error format, which violates TOKEN-7.
        attributeTo(refused.expectError(401).code === "" ? clause["TOKEN-7"] : credentialClause);
        refused.expectError(401, "invalid_client");
      },
    );
  },
});

const otherClientsSecret = check({
  id: "tokens.other-clients-secret",
  title: "a token request with another client's client_secret gets 401 invalid_client",
  clauses: [clause["TOKEN-5"]],
  needs: ["second-integrator"],
  async run({ anonymous, credentials, token, other }) {
    // Positive control: each pair of credentials works.
    await token();
    (await other.api.call("listPaymentTypes")).expectStatus(200);
    const { client_id } = credentials;
    const refused = await anonymous.sendInvalid("obtainToken", "another client's client_secret", {
      body: { grant_type: GRANT, client_id, client_secret: other.credentials.client_secret },
    });
    refused.expectError(401, "invalid_client");
  },
});

const incomplete = check({
  id: "tokens.incomplete-request",
  title: "a token request with another grant type, or without a required field, is refused with 400 or 401",
  clauses: [clause["TOKEN-8"], clause["TOKEN-9"]],
  async run({ anonymous, attributeTo, credentials, each, token }) {
    // Positive control: these credentials have obtained a token. It is reused, because token requests are
    // scarce.
    await token();
    const { client_id, client_secret } = credentials;
    await each(
      cases(
        "token requests",
        [
          ["another grant type", { grant_type: "password", client_id, client_secret }, clause["TOKEN-8"]],
          ["no grant type", { client_id, client_secret }, clause["TOKEN-8"]],
          ["no client_id", { grant_type: GRANT, client_secret }, clause["TOKEN-9"]],
          ["no client_secret", { grant_type: GRANT, client_id }, clause["TOKEN-9"]],
        ] as const,
        ([rule]) => rule,
      ),
      async ([rule, body, violatedClause]) => {
        attributeTo(violatedClause);
        (await anonymous.sendInvalid("obtainToken", rule, { body })).expectStatus(400, 401);
      },
    );
  },
});

export const tokensChecks: readonly Check[] = [issued, wrongCredentials, otherClientsSecret, incomplete];
