import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Check } from "../../check.ts";
import { type FieldTable, groupedCheck, type Subject } from "../bounds/checks.ts";

/** All fields of a token request. */
export const tokenFields: FieldTable = {
  grant_type: {
    rules: {
      required: { inCheckOf: clause["TOKEN-8"] },
      "non-null": { unspecified: "OPEN-97" },
      type: "in-grouped-check",
      const: { inCheckOf: clause["TOKEN-8"] },
    },
  },
  client_id: {
    rules: {
      required: { inCheckOf: clause["TOKEN-9"] },
      "non-null": { unspecified: "OPEN-97" },
      type: "in-grouped-check",
    },
  },
  client_secret: {
    rules: {
      required: { inCheckOf: clause["TOKEN-9"] },
      "non-null": { unspecified: "OPEN-97" },
      type: "in-grouped-check",
    },
  },
};

const request: Subject<Schemas["TokenRequest"]> = {
  operation: "obtainToken",
  table: tokenFields,
  async start({ anonymous, credentials, token }) {
    return {
      body: { grant_type: "client_credentials", ...credentials },
      refuse: (rule, body) => anonymous.sendInvalid("obtainToken", rule, { body }),
      // A refused token request has no effect that another request could show.
      expectUnchanged: async () => {},
      // Reuses the integrator's token, which was obtained with the same body.
      accept: () => token(),
    };
  },
};

const types = groupedCheck(
  request,
  {
    id: "token-bounds.types",
    title: "a token request with a field that isn't a string is refused with 400 or 401",
    clauses: [clause["TOKEN-10"]],
    violates: "bounds without their own check",
  },
  (response) => response.expectStatus(400, 401),
);

export const tokenBoundsChecks: readonly Check[] = [types];
