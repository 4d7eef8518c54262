import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { type Check, check } from "../../check.ts";
import { TOKEN_REFUSALS } from "../../support/protocol/error-codes.ts";
import { privateRequests } from "../../support/protocol/private-requests.ts";
import { waitForRefusal } from "../../support/protocol/refused-tokens.ts";

const closedToken = check({
  id: "authentication.closed-credential",
  title: "requests with any token of a closed credential get 401 at every endpoint",
  clauses: [clause["AUTH-17"]],
  needs: ["close"],
  async run(context) {
    const { api, anotherToken, each, token, closeIntegrator } = context;
    const { sendAll } = await privateRequests(context);
    const older = await token();
    const bearer = await anotherToken();
    (await api.call("listPaymentTypes", {}, { token: bearer })).expectStatus(200);
    await closeIntegrator();
    await each(
      casesFrom("tokens", { "the newest": bearer, "an older one": older }),
      async ([, one]) => {
        const send = () =>
          api.sendInvalid("listPaymentTypes", "a closed credential's token", {}, { token: one });
        (await waitForRefusal(send, context)).expectError(401, ...TOKEN_REFUSALS);
      },
      { concurrency: 2 },
    );
    await sendAll(api, "a closed credential's token", { token: bearer }, (response, resourceExists) => {
      if (resourceExists) response.expectError(401, ...TOKEN_REFUSALS);
      else response.expectError([401, 404]);
    });
  },
});

const closedCode = check({
  id: "authentication.closed-credential-code",
  title: "a closed credential gets no new token, and requests with its token get the code OTURUM_GECERSIZ",
  clauses: [clause["AUTH-18"], clause["AUTH-19"]],
  needs: ["close"],
  async run(context) {
    const { api, attributeTo, token, closeIntegrator, obtainToken } = context;
    const bearer = await token();
    (await api.call("listPaymentTypes", {}, { token: bearer })).expectStatus(200);
    await closeIntegrator();
    attributeTo(clause["AUTH-19"]);
    (await waitForRefusal(() => obtainToken(), context)).expectError(401);
    attributeTo(clause["AUTH-18"]);
    const send = () =>
      api.sendInvalid("listPaymentTypes", "a closed credential's token", {}, { token: bearer });
    (await waitForRefusal(send, context)).expectError(401, "OTURUM_GECERSIZ");
  },
});

const otherCredential = check({
  id: "authentication.other-credential",
  title: "requests with a credential of another kind get 403 YETKI_YOK and have no effect",
  clauses: [clause["AUTH-20"], clause["ERR-15"]],
  needs: ["other-credential"],
  isolation: "own-integrator",
  async run(context) {
    const { api, otherToken } = context;
    const { sendAll, expectNoEffect } = await privateRequests(context);
    const token = await otherToken();
    await sendAll(api, "a credential of another kind", { token }, (response, resourceExists) => {
      if (resourceExists) response.expectError(403, "YETKI_YOK");
      else response.expectError([403, 404]);
    });
    await expectNoEffect("requests with another kind of credential");
  },
});

export const authenticationCredentialsChecks: readonly Check[] = [closedToken, closedCode, otherCredential];
