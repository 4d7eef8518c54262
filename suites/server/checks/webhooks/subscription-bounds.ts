import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import type { Check } from "../../check.ts";
import {
  createInvalidSubscription,
  createSubscription,
  idsOf,
  isolation,
  waitUntilListed,
} from "../../support/webhooks/subscriptions.ts";
import { type FieldTable, groupedCheck, type Subject } from "../bounds/checks.ts";

/**
 * All fields of a new subscription. Whether the server refuses unknown event_types is unspecified (OPEN-161).
 */
export const subscriptionFields: FieldTable = {
  url: {
    rules: {
      required: { inCheckOf: clause["HOOK-15"] },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
      format: { inCheckOf: clause["HOOK-14"] },
      pattern: { inCheckOf: clause["HOOK-14"] },
    },
  },
  event_types: { rules: { type: "in-grouped-check" } },
  description: { rules: { type: "in-grouped-check", maxLength: { inCheckOf: clause["HOOK-18"] } } },
};

const subscription: Subject<Schemas["NewWebhook"]> = {
  operation: "createWebhook",
  table: subscriptionFields,
  isolation,
  sequential: true,
  async start(context) {
    const { api, webhookUrl } = context;
    const url = webhookUrl();
    return {
      body: { url, event_types: ["delivery.created"], description: "Mutfak" },
      refuse: (rule, body) => createInvalidSubscription(api, rule, body),
      // Nothing to do: `accept` would find a second subscription of this endpoint if a refused request had created it.
      expectUnchanged: async () => {},
      async accept(body) {
        const created = await createSubscription(context, body);
        const listed = (await waitUntilListed(api, created)).filter((entry) => entry.url === url);
        expectThat("the endpoint's subscriptions", idsOf(listed)).is([created.id]);
        return created;
      },
    };
  },
};

const types = groupedCheck(
  subscription,
  {
    id: "subscription-bounds.types",
    title: "a subscription with a field of a wrong type is refused with 400, and isn't listed",
    clauses: [clause["HOOK-38"]],
    violates: "bounds without their own check",
  },
  (response) => response.expectError(400),
);

export const subscriptionBoundsChecks: readonly Check[] = [types];
