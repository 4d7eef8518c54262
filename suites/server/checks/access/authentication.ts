import { clause } from "../../../../openapi/generated/clauses.ts";
import type { PrivateOperationId } from "../../../core/contract/document.ts";
import { inUnits } from "../../../core/durations.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { TOKEN_REFUSALS } from "../../support/protocol/error-codes.ts";
import { privateRequests } from "../../support/protocol/private-requests.ts";
import { authenticationCredentialsChecks } from "./authentication-credentials.ts";
import { unneededTokenChecks } from "./authentication-unneeded-token.ts";

/**
 * The lifetime of a token (specification, "Authentication" 2). A server may accept a token a little longer
 * (OPEN-184), but not for less than this time.
 */
const VALIDITY_S = 1800;
const BEFORE_EXPIRY_S = 10;
const PAST_EXPIRY_S = 120;
/**
 * Some targets advance their clock so slowly that the token expires during the advance. Each further try
 * advances the clock less.
 */
const MAX_TRIES = 3;
/**
 * The age of the existing token when the check requests a new token. A target may return the existing token
 * with its remaining lifetime (OPEN-100).
 */
const EXISTING_TOKEN_AGE_S = 600;

/** Asserts a 401 with a code for a refused token. If the resource doesn't exist, a 404 is accepted too. */
const expectUnauthorised = (response: ApiResponse<PrivateOperationId>, resourceExists: boolean): void => {
  if (resourceExists) response.expectError(401, ...TOKEN_REFUSALS);
  else response.expectError([401, 404]);
};

/** Replaces the token's character at this fraction of the token's length. */
function withCharacterReplaced(token: string, fraction: number): string {
  const index = Math.floor(token.length * fraction);
  return `${token.slice(0, index)}${token[index] === "A" ? "B" : "A"}${token.slice(index + 1)}`;
}

/**
 * Asserts that a request with a valid token succeeds.
 * @param token the token in words, for a refusal, which doesn't show the token
 */
function expectAccepted(response: ApiResponse<"listPaymentTypes">, token: string): void {
  if (response.status !== 200) throw response.failureOfStatus(200, token);
}

const withoutToken = check({
  id: "authentication.without-token",
  title:
    "every endpoint that requires a token returns 401 without one and with an invented one, and the request has no effect",
  clauses: [clause["AUTH-6"], clause["AUTH-7"], clause["AUTH-11"], clause["AUTH-15"]],
  isolation: "own-integrator",
  async run(context) {
    const { api, anonymous } = context;
    const { deliveryId: id, webhookId, sendAll, expectNoEffect } = await privateRequests(context);
    context.attributeTo(clause["AUTH-6"], clause["AUTH-11"]);
    await sendAll(anonymous, "no token", { token: null }, expectUnauthorised);
    context.attributeTo(clause["AUTH-15"], clause["AUTH-7"]);
    const authorization = "Bearer not-a-token";
    await sendAll(api, "an invented token", { authorization }, expectUnauthorised);
    context.attributeTo(clause["AUTH-7"]);
    await expectNoEffect("requests without a token or with an invented one");
    // Positive control: with a token the same requests succeed.
    (await api.updateDelivery(id, { notes: "second" })).expectSuccess();
    (await api.cancelDelivery(id)).expectSuccess();
    const path = { id: webhookId };
    (await api.call("testWebhook", { path })).expectSuccess();
    (await api.call("rotateWebhookSecret", { path })).expectSuccess();
    (await api.call("deleteWebhook", { path })).expectSuccess();
  },
});

const missingCode = check({
  id: "authentication.missing-token-code",
  title: "the code for a missing token is KIMLIK_YOK",
  clauses: [clause["AUTH-12"]],
  async run({ api }) {
    const refused = await api.sendInvalid("listPaymentTypes", "no token", {}, { token: null });
    refused.expectError(401, "KIMLIK_YOK");
    (await api.call("listPaymentTypes")).expectSuccess();
  },
});

const malformed = check({
  id: "authentication.malformed-token",
  title: "requests with an invented, shortened, altered or lengthened token, or with another scheme, get 401",
  clauses: [clause["AUTH-15"]],
  async run({ api, each, token }) {
    const real = await token();
    const headers = {
      "an invented token": "Bearer not-a-token",
      "a token with one character changed": `Bearer ${withCharacterReplaced(real, 1 / 2)}`,
      "a token with a late character changed": `Bearer ${withCharacterReplaced(real, 3 / 4)}`,
      "half a token": `Bearer ${real.slice(0, Math.floor(real.length / 2))}`,
      "a token with an additional character": `Bearer ${real}!`,
      "a scheme other than Bearer": `Basic ${Buffer.from("user:password").toString("base64")}`,
      "a valid token with another scheme": `X-Bearer ${real}`,
    };
    await each(casesFrom("malformed tokens", headers), async ([rule, authorization]) => {
      // Positive control before each case: the token is valid.
      (await api.call("listPaymentTypes", {}, { token: real })).expectStatus(200);
      const refused = await api.sendInvalid("listPaymentTypes", rule, {}, { authorization });
      refused.expectError(401, ...TOKEN_REFUSALS);
    });
  },
});

const malformedCode = check({
  id: "authentication.malformed-token-code",
  title: "the code for a malformed token is GECERSIZ",
  clauses: [clause["AUTH-16"]],
  async run({ api }) {
    const authorization = "Bearer not-a-token";
    const refused = await api.sendInvalid("listPaymentTypes", "an invented token", {}, { authorization });
    refused.expectError(401, "GECERSIZ");
    (await api.call("listPaymentTypes")).expectSuccess();
  },
});

/** A high number, because only the rate limit may restrict the number of uses of a token. */
const CONCURRENT_USES = 25;

const anyNumberOfUses = check({
  id: "authentication.any-number-of-uses",
  title: "a token can be used repeatedly during its lifetime",
  clauses: [clause["AUTH-4"]],
  async run({ api, token }) {
    const bearer = await token();
    const uses = Array.from({ length: CONCURRENT_USES }, () =>
      api.call("listPaymentTypes", {}, { token: bearer }),
    );
    for (const response of await Promise.all(uses)) response.expectStatus(200);
  },
});

const olderToken = check({
  id: "authentication.older-token",
  title: "a new token doesn't invalidate an older one of the same credentials",
  clauses: [clause["AUTH-5"]],
  isolation: "own-integrator",
  async run({ api, token, anotherToken }) {
    const older = await token();
    const [second, third] = [await anotherToken(), await anotherToken()];
    for (const [name, one] of Object.entries({ second, third, first: older })) {
      const response = await api.call("listPaymentTypes", {}, { token: one });
      expectAccepted(response, `the ${name} of three tokens, of which none is 30 minutes old`);
    }
  },
});

/**
 * Asserts that a token works until shortly before its end.
 * @param existing the token that was issued {@link EXISTING_TOKEN_AGE_S} before
 * @returns the token, the seconds before its end at which it was used, whether the result is conclusive, and a function
 * that describes the token's age
 */
async function useToTheEnd({ api, obtainToken, advanceClock, now }: ContextFor<"clock">, existing: string) {
  let remainingS = BEFORE_EXPIRY_S;
  for (let tries = 1; ; tries += 1) {
    const issued = await obtainToken();
    const { access_token: token, expires_in } = issued.body(200);
    const requestedAt = now() - issued.exchange.durationMs;
    // An existing token that the target returned again may have almost no lifetime left.
    const advancedS = Math.max(1, expires_in - remainingS);
    await advanceClock(advancedS);
    const response = await api.call("listPaymentTypes", {}, { token });
    // The time on the integrator's clock, or real time if the control interface can't advance that clock.
    const passedS = (now() - requestedAt) / 1000;
    const isConclusive = response.status !== 401 || passedS < expires_in - 1;
    const again = token === existing ? `, and also ${inUnits(EXISTING_TOKEN_AGE_S)} before that` : "";
    if (isConclusive)
      expectAccepted(
        response,
        `the token was returned ${Math.floor(passedS)} seconds ago with expires_in ${expires_in}${again}`,
      );
    const usedAt = now();
    const secondsSince = (instant: number) => Math.floor((now() - instant) / 1000);
    const age = () =>
      `issued ${secondsSince(requestedAt)} seconds ago with expires_in ${expires_in}, and last used ${secondsSince(usedAt)} seconds ago`;
    if (isConclusive || tries === MAX_TRIES) return { token, remainingS, isConclusive, age };
    // The next try advances less, because a slow advance uses up the token's lifetime.
    remainingS = BEFORE_EXPIRY_S + Math.ceil(passedS - advancedS);
  }
}

const lifetime = check({
  id: "authentication.lifetime",
  title:
    "a token is valid until shortly before the end of its 30 minutes, and gets 401 at every endpoint after them",
  clauses: [clause["AUTH-1"], clause["AUTH-2"], clause["AUTH-13"]],
  needs: ["clock"],
  virtualSeconds: EXISTING_TOKEN_AGE_S + VALIDITY_S + PAST_EXPIRY_S,
  async run(context) {
    const { api, obtainToken, advanceClock } = context;
    const existing = (await obtainToken()).body(200).access_token;
    await advanceClock(EXISTING_TOKEN_AGE_S);
    context.attributeTo(clause["AUTH-1"]);
    const { token, remainingS, isConclusive, age } = await useToTheEnd(context, existing);
    await advanceClock(PAST_EXPIRY_S + remainingS);
    const { sendAll, expectNoEffect } = await privateRequests(context);
    context.attributeTo(clause["AUTH-2"], clause["AUTH-13"]);
    await sendAll(api, `an expired token, ${age()}`, { token }, expectUnauthorised);
    context.attributeTo(clause["AUTH-2"]);
    await expectNoEffect("requests with an expired token");
    if (!isConclusive)
      throw new CheckSkipped(
        "the target's clock advanced so slowly that no token was used during its lifetime",
      );
  },
});

const expiredCode = check({
  id: "authentication.expired-token-code",
  title: "the code for an expired token is SURESI_DOLDU",
  clauses: [clause["AUTH-14"]],
  needs: ["clock"],
  virtualSeconds: VALIDITY_S + PAST_EXPIRY_S,
  async run({ api, obtainToken, advanceClock }) {
    const { access_token: token, expires_in } = (await obtainToken()).body(200);
    (await api.call("listPaymentTypes", {}, { token })).expectStatus(200);
    await advanceClock(expires_in + PAST_EXPIRY_S);
    const expired = await api.sendInvalid("listPaymentTypes", "an expired token", {}, { token });
    expired.expectError(401, "SURESI_DOLDU");
  },
});

export const authenticationChecks: readonly Check[] = [
  ...unneededTokenChecks,
  withoutToken,
  missingCode,
  malformed,
  malformedCode,
  anyNumberOfUses,
  olderToken,
  lifetime,
  expiredCode,
  ...authenticationCredentialsChecks,
];
