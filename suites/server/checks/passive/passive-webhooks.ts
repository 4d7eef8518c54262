import { clause } from "../../../../openapi/generated/clauses.ts";
import { namedSchemaError } from "../../../core/contract/document.ts";
import { isSuccess } from "../../../core/responses.ts";
import { membersWhere } from "../../../core/text/member-paths.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { schemaFaultOf } from "../../evidence/schema-failure.ts";
import { faultInResponse, onResponse } from "./responses.ts";
import { entriesOf, membersShown, showsResource } from "./shown-resources.ts";

/** Fills in missing members, so that their absence isn't reported here: another clause covers absence. */
const DEFAULT_MEMBERS = {
  id: "00000000-0000-4000-8000-000000000000",
  url: "https://example.com/",
  status: "ACTIVE",
  created_at: "2030-01-01T00:00:00Z",
};

const schema = passiveCheck({
  id: "passive.subscription-schema",
  title: "every subscription in a response matches its schema",
  clauses: [clause["HOOK-1"]],
  applies: onResponse(
    (response, { operation }) => isSuccess(response) && showsResource(operation, "Webhook"),
  ),
  coverage: {
    sets: ["members-of-a-subscription", "never-null-members-of-a-subscription"],
    elements: membersShown,
  },
  fault: faultInResponse(({ json }, { operation }) =>
    entriesOf(operation, json)
      .map((entry) => namedSchemaError("Webhook", { ...DEFAULT_MEMBERS, ...entry }))
      .filter((fault) => fault !== undefined)
      .map((fault) => `a subscription in the response to ${operation}: ${fault}`)
      .at(0),
  ),
  commonCause: schemaFaultOf,
});

/** Operations whose responses contain a secret. */
const SECRET_OPERATIONS = ["createWebhook", "rotateWebhookSecret"];
const SECRET = /whsec_[A-Za-z0-9+/_-]{8,}/;

const secrets = passiveCheck({
  id: "passive.webhook-secrets",
  title: "only the responses to creation and rotation contain a webhook secret",
  clauses: [clause["HOOK-11"]],
  applies: onResponse((_, { operation }) => !SECRET_OPERATIONS.includes(operation)),
  fault: faultInResponse(({ text }, { operation }) =>
    SECRET.test(text) ? `the response to ${operation} contains a webhook secret` : undefined,
  ),
  faultyMembers: ({ response }) =>
    membersWhere(response?.json, (value) => typeof value === "string" && SECRET.test(value)),
});

export const passiveWebhooksChecks: readonly PassiveCheck[] = [schema, secrets];
