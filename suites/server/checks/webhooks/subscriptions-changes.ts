import { clause } from "../../../../openapi/generated/clauses.ts";
import { ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type Check, check } from "../../check.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { expectFields } from "../../support/assertions.ts";
import { withLastCharacterChanged } from "../../support/look-alikes.ts";
import {
  activeSubscriptions,
  createSubscription,
  idsOf,
  isolation,
  listSubscriptions,
  SECRET,
  waitUntilListed,
} from "../../support/webhooks/subscriptions.ts";

/** The base64 part of a secret. Reports redact it like the whole secret. */
const secretKeyText = (secret: unknown): string =>
  typeof secret === "string" ? secret.replace(/^whsec_/, "") : "";

const list = check({
  id: "subscriptions.list",
  smokeTestOf: "listWebhooks",
  title:
    "the list shows every active subscription of the integrator with its own url, description and event_types, and no secret",
  clauses: [clause["HOOK-22"], clause["HOOK-23"], clause["HOOK-3"], clause["HOOK-4"], clause["HOOK-5"]],
  isolation,
  async run(context) {
    const [first, last] = [
      await createSubscription(context, { description: "Mutfak", event_types: ["delivery.created"] }),
      await createSubscription(context, { description: "Kasa", event_types: ["delivery.cancelled"] }),
    ];
    context.attributeTo(clause["HOOK-22"]);
    const entries = await waitUntilListed(context.api, last);
    expectThat("the listed subscriptions", idsOf(entries)).includes(first.id);
    expectThat("the listed subscriptions", idsOf(entries)).includes(last.id);
    for (const { id, url, description, event_types } of [first, last]) {
      const entry = entries.find((listed) => listed.id === id);
      const where = `of the subscription ${id} in a list of several`;
      attributeFailures([clause["HOOK-3"]], () => expectThat({ field: "url", where }, entry?.url).is(url));
      attributeFailures([clause["HOOK-4"]], () =>
        expectThat({ field: "description", where }, entry?.description).is(description),
      );
      attributeFailures([clause["HOOK-5"]], () =>
        expectThat({ field: "event_types", where }, [entry?.event_types].flat()).is([event_types].flat()),
      );
    }
    const withSecret = entries.filter(({ secret = null }) => secret !== null);
    const listText = JSON.stringify(entries);
    attributeFailures([clause["HOOK-23"]], () => {
      expectThat("entries with a secret", withSecret).isEmpty();
      for (const { secret } of [first, last]) {
        expectThat("the list of subscriptions", listText).satisfies(
          "a list without the key of any secret",
          !listText.includes(secretKeyText(secret)),
        );
      }
    });
  },
});

const deletion = check({
  id: "subscriptions.deletion",
  smokeTestOf: "deleteWebhook",
  title: "deleting a subscription returns 204, and it isn't active any more",
  clauses: [clause["HOOK-24"], clause["HOOK-25"]],
  isolation,
  async run(context) {
    const { api } = context;
    const [kept, deleted] = [await createSubscription(context), await createSubscription(context)];
    expectThat(
      "the active subscriptions before the deletion",
      idsOf(activeSubscriptions(await waitUntilListed(api, deleted), { statusOf: deleted })),
    ).includes(deleted.id);
    context.attributeTo(clause["HOOK-24"]);
    (await api.call("deleteWebhook", { path: { id: deleted.id } })).expectStatus(204);
    context.attributeTo(clause["HOOK-25"]);
    const next = await createSubscription(context);
    const active = idsOf(activeSubscriptions(await waitUntilListed(api, next), { statusOf: next }));
    expectThat("the active subscriptions after the deletion", active).includes(kept.id);
    expectThat("the active subscriptions after the deletion", active).doesNotInclude(deleted.id);
  },
});

const registeredAgain = check({
  id: "subscriptions.registered-again",
  title:
    "a URL that is registered again after its deletion has the description and event_types of the new request",
  clauses: [clause["HOOK-4"], clause["HOOK-5"]],
  isolation,
  async run(context) {
    const { api, attributeTo } = context;
    const earlier = { description: "İlk kayıt", event_types: ["delivery.created"] };
    const { id, url } = await createSubscription(context, earlier);
    (await api.call("deleteWebhook", { path: { id } })).expectStatus(204);
    const request = { url, description: "İkinci kayıt", event_types: ["delivery.cancelled"] };
    const created = await createSubscription(context, request);
    const entries = await waitUntilListed(api, created);
    const shown = {
      "in the response": created,
      "in the list": entries.find((entry) => entry.id === created.id) ?? {},
    };
    for (const [where, { description, event_types }] of Object.entries(shown)) {
      attributeTo(clause["HOOK-4"]);
      expectThat({ field: "description", where }, description).is(request.description);
      attributeTo(clause["HOOK-5"]);
      expectThat({ field: "event_types", where }, [event_types].flat()).is(request.event_types);
    }
  },
});

const rotation = check({
  id: "subscriptions.rotation",
  smokeTestOf: "rotateWebhookSecret",
  title: "each rotation gives a subscription a new secret and changes nothing else",
  clauses: [clause["HOOK-28"]],
  isolation,
  async run(context) {
    const { api } = context;
    const event_types = ["delivery.cancelled", "delivery.created"];
    const description = "Mutfak ekranı";
    const created = await createSubscription(context, { event_types, description });
    const response = await api.call("rotateWebhookSecret", { path: { id: created.id } });
    // Any 2xx status is allowed (OPEN-166). `body(200)` only selects the schema.
    const rotated = response.expectSuccess().body(200);
    const { id, url, status, created_at } = created;
    expectFields(rotated, { id, url, description, status, created_at }, "the subscription in the response");
    const where = "after the rotation, which keeps them";
    expectThat({ field: "event_types", where }, [rotated.event_types].flat().toSorted()).is(event_types);
    expectThat("secret", rotated.secret).matches(SECRET);
    expectThat("the key of the new secret", secretKeyText(rotated.secret)).isNot(
      secretKeyText(created.secret),
    );
    const [shown] = (await waitUntilListed(api, created)).filter(({ id }) => id === created.id);
    expectThat("status and url after the rotation", [shown?.status, shown?.url]).is([status, url]);
    expectThat("description after the rotation", shown?.description).is(description);
    expectThat({ field: "event_types", where }, [shown?.event_types].flat().toSorted()).is(event_types);
    const earlier = [created.secret, rotated.secret].map(secretKeyText);
    const again = (await api.call("rotateWebhookSecret", { path: { id } })).expectSuccess().body(200).secret;
    expectThat(
      { field: "secret", where: "in the response to a second rotation" },
      described("an earlier secret of the subscription"),
    ).satisfies("a new secret", !earlier.includes(secretKeyText(again)));
  },
});

const unknown = check({
  id: "subscriptions.unknown-id",
  title: "deleting, rotating or testing an unknown subscription returns 404",
  clauses: [clause["HOOK-37"], clause["ERR-16"]],
  isolation,
  async run(context) {
    const { api } = context;
    const { id } = await createSubscription(context);
    (await api.call("rotateWebhookSecret", { path: { id } })).expectSuccess();
    const unknownSubscription = { path: { id: withLastCharacterChanged(id) } };
    await context.each(ofSet("operations-on-a-subscription"), async (operation) => {
      context.attributeTo(clause["HOOK-37"]);
      const refused = await api.sendInvalid(operation, "an id of no subscription", unknownSubscription);
      refused.expectError(404);
      context.attributeTo(clause["ERR-16"]);
      refused.expectError(404, "BULUNAMADI", "MAGAZA_YOK");
    });
    (await api.call("deleteWebhook", { path: { id } })).expectSuccess();
  },
});

const otherIntegrators = check({
  id: "subscriptions.of-another",
  title: "another integrator's subscription isn't listed, and deleting, rotating or testing it returns 404",
  clauses: [clause["ISO-16"], clause["ISO-19"]],
  needs: ["second-integrator"],
  isolation,
  async run(context) {
    const { api, other } = context;
    const created = await createSubscription(context);
    expectThat("the first integrator's subscriptions", idsOf(await waitUntilListed(api, created))).includes(
      created.id,
    );
    const otherIds = idsOf(await listSubscriptions(other.api));
    attributeFailures([clause["ISO-16"]], () =>
      expectThat("the second integrator's subscriptions", otherIds).doesNotInclude(created.id),
    );
    const absent = drawnUuid();
    await context.each(ofSet("operations-on-a-subscription"), async (operation) => {
      const refusal = async (id: string) =>
        (await other.api.sendInvalid(operation, "a foreign or unknown id", { path: { id } })).expectError(404)
          .code;
      expectThat(
        `the error code of ${operation} for another integrator's subscription`,
        await refusal(created.id),
      ).is(await refusal(absent));
    });
    // Deleting the second integrator's subscription to the same URL must not delete the first integrator's.
    const { url } = created;
    const { id } = (await other.api.call("createWebhook", { body: { url } })).body(201);
    (await other.api.call("deleteWebhook", { path: { id } })).expectStatus(204);
    const next = await createSubscription(context);
    expectThat(
      "the first integrator's subscriptions",
      idsOf(activeSubscriptions(await waitUntilListed(api, next), { statusOf: next })),
    ).includes(created.id);
  },
});

export const subscriptionsChangesChecks: readonly Check[] = [
  list,
  deletion,
  registeredAgain,
  rotation,
  unknown,
  otherIntegrators,
];
