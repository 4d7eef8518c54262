import { freshKey } from "../../session/api.ts";
import { expectSole } from "../../support/assertions.ts";
import { TOKEN_REFUSALS } from "../../support/error-codes.ts";
import { type Check, check } from "../define.ts";

const closed = check({
  id: "authentication.closed-credential",
  title: "the token of a credential that was closed answers 401",
  clauses: ["AUTH-17"],
  needs: ["close"],
  mutants: ["closed-credential-still-works"],
  async run({ api, token, closeIntegrator }) {
    const one = await token();
    (await api.call("listPaymentTypes", {}, { token: one })).hasStatus(200);
    await closeIntegrator();
    const refused = await api.violate("listPaymentTypes", "a closed credential", {}, { token: one });
    refused.refused(401, ...TOKEN_REFUSALS);
  },
});

const closedCode = check({
  id: "authentication.closed-credential-code",
  title: "the code for a closed credential's token is OTURUM_GECERSIZ",
  clauses: ["AUTH-18"],
  needs: ["close"],
  mutants: ["closed-credential-is-malformed"],
  async run({ api, token, closeIntegrator }) {
    const one = await token();
    (await api.call("listPaymentTypes", {}, { token: one })).hasStatus(200);
    await closeIntegrator();
    const refused = await api.violate("listPaymentTypes", "a closed credential", {}, { token: one });
    refused.refused(401, "OTURUM_GECERSIZ");
  },
});

const closedTokens = check({
  id: "authentication.closed-credential-tokens",
  title: "a closed credential gets no new token: the token endpoint answers 401",
  clauses: ["AUTH-19"],
  needs: ["close"],
  mutants: ["closed-credential-gets-a-token"],
  async run({ token, closeIntegrator, obtainToken }) {
    await token();
    await closeIntegrator();
    (await obtainToken()).refused(401);
  },
});

const otherCredential = check({
  id: "authentication.other-credential",
  title: "a credential that an endpoint isn't meant for answers 403 YETKI_YOK, and nothing comes of it",
  clauses: ["AUTH-20", "ERR-15"],
  needs: ["other-credential"],
  mutants: ["other-credential-accepted", "other-credential-lists-webhooks", "other-credential-answers-401"],
  async run({ api, order, otherToken }) {
    const body = await order();
    const token = await otherToken();
    for (const operation of ["listPaymentTypes", "listStores", "listWebhooks", "listDeliveries"] as const) {
      const read = await api.violate(operation, "a credential of another kind", {}, { token });
      read.refused(403, "YETKI_YOK");
    }
    const key = freshKey();
    const created = await api.violate(
      "createDelivery",
      "a credential of another kind",
      { body },
      { token, key },
    );
    created.refused(403, "YETKI_YOK");
    (await api.call("listPaymentTypes")).hasStatus(200);
    await expectSole(api, (await api.createDelivery(body)).body(201));
  },
});

/** What a credential that was closed, or isn't meant for an endpoint, can do. */
export const authenticationCredentials: readonly Check[] = [
  closed,
  closedCode,
  closedTokens,
  otherCredential,
];
