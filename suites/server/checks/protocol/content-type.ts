import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases, someOf } from "../../../core/grading/expectations/each-element.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import {
  CHANGING,
  OPERATIONS_WITH_A_BODY,
  requestsWithABody,
} from "../../support/protocol/requests-with-a-body.ts";

/** Wrong content types of a JSON body, each with its clause. Null means no Content-Type header. */
const WRONG_TYPES = [
  ["a body declared as plain text", "text/plain", clause["GEN-2"]],
  ["a body declared as a form", "application/x-www-form-urlencoded", clause["GEN-3"]],
  ["a body without a Content-Type", null, clause["GEN-4"]],
  ["a body declared as text/json", "text/json", clause["GEN-2"]],
  // Its name begins like application/json, and ends in json.
  ["a body declared as a JSON Patch", "application/json-patch+json", clause["GEN-2"]],
] as const;

type WrongType = (typeof WRONG_TYPES)[number];

const wrongTypes = (types: readonly WrongType[] = WRONG_TYPES) =>
  cases("wrong content types", types, ([rule]) => rule);

const creation = check({
  id: "content-type.creation",
  title: "an order with Content-Type text, form or JSON Patch, or without one, gets 415, and creates nothing",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-6"]],
  async run({ api, attributeTo, order, recordCoverage, each }) {
    recordCoverage("operations-with-a-body", ["createDelivery"]);
    recordCoverage("operations-with-a-body-that-change", ["createDelivery"]);
    await each(wrongTypes(), async ([rule, contentType, typeClause]) => {
      attributeTo(typeClause);
      const body = await order();
      const refused = await api.sendInvalid(
        "createDelivery",
        rule,
        { body },
        { contentType, key: newIdempotencyKey() },
      );
      refused.expectStatus(415);
      attributeTo(clause["GEN-6"]);
      // Positive control: the same order is created if it is declared as JSON, so the order didn't exist
      // before.
      await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
    });
  },
});

const otherEndpoints = check({
  id: "content-type.other-endpoints",
  title:
    "stores, quotes, changes, cancellations and subscriptions with a wrong Content-Type, or without one, get 415",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-6"]],
  isolation: "own-integrator",
  async run(context) {
    const { api, attributeTo, recordCoverage, each } = context;
    const { inputs, effects, expectAccepted } = await requestsWithABody(context);
    const expectRefused = (types: readonly WrongType[]) => {
      const requests = types.flatMap((type) =>
        OPERATIONS_WITH_A_BODY.map((operation) => ({ operation, type })),
      );
      const nameOf = ({ operation, type: [rule] }: (typeof requests)[number]) => `${operation} with ${rule}`;
      return each(
        cases("requests", requests, nameOf),
        async ({ operation, type: [rule, contentType, typeClause] }) => {
          attributeTo(typeClause);
          recordCoverage("operations-with-a-body", [operation]);
          (await api.sendInvalid(operation, rule, inputs[operation], { contentType })).expectStatus(415);
        },
      );
    };
    const expectNoEffect = () => {
      attributeTo(clause["GEN-6"]);
      return each(someOf("operations-with-a-body-that-change", CHANGING), (operation) =>
        effects[operation](`after ${operation} with 415`),
      );
    };
    const [first, ...others] = WRONG_TYPES;
    await expectRefused([first]);
    // Asserts that the first request had no effect: after a cancellation, the server would refuse the others
    // for another reason.
    await expectNoEffect();
    await expectRefused(others);
    await expectNoEffect();
    await expectAccepted();
  },
});

const tokenEndpoint = check({
  id: "content-type.token-endpoint",
  title: "a token request with Content-Type form or text, or without one, gets 415",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-5"]],
  async run({ anonymous, attributeTo, recordCoverage, credentials, each, token }) {
    recordCoverage("operations-with-a-body", ["obtainToken"]);
    // Positive control: declared as JSON, this request has obtained a token. It is reused, because token
    // requests are scarce.
    await token();
    const body = { grant_type: "client_credentials", ...credentials };
    const [text, form, missing] = WRONG_TYPES;
    await each(wrongTypes([text, form, missing]), async ([rule, contentType, typeClause]) => {
      attributeTo(typeClause, clause["GEN-5"]);
      (await anonymous.sendInvalid("obtainToken", rule, { body }, { contentType })).expectStatus(415);
    });
  },
});

const charset = check({
  id: "content-type.charset",
  title: "application/json with a charset parameter is accepted like application/json",
  clauses: [clause["GEN-7"]],
  async run({ api, order }) {
    const contentType = "application/json; charset=utf-8";
    (await api.createDelivery(await order(), { contentType })).body(201);
  },
});

export const contentTypeChecks: readonly Check[] = [creation, otherEndpoints, tokenEndpoint, charset];
