import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { DEFAULT_KINDS, LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { MAX_ACTIVE } from "../../session/subscriptions/free-slots.ts";
import { publicWebhookUrl } from "../../session/subscriptions/subscribe.ts";
import { expectEveryField, expectRefused } from "../../support/assertions.ts";
import { CLOCK_TOLERANCE_MS } from "../../support/orders/deliveries.ts";
import { expectNoEarlier, expectNoLater } from "../../support/shown-values.ts";
import {
  activeSubscriptions,
  createInvalidSubscription,
  createSubscription,
  expectRefusedUnlisted,
  idsOf,
  isolation,
  SECRET,
  subscriptionIn,
  waitUntilListed,
} from "../../support/webhooks/subscriptions.ts";

/** 200 characters (specification, "Limits"), but more bytes, because of Turkish letters (OPEN-30). */
const LONGEST_DESCRIPTION = "Mutfak ekranları için ".repeat(20).slice(0, 199).concat(".");

const creation = check({
  id: "subscriptions.creation",
  smokeTestOf: "createWebhook",
  title:
    "subscribing an https endpoint returns 201 with the requested subscription, a secret and no failures",
  clauses: [
    clause["HOOK-3"],
    clause["HOOK-4"],
    clause["HOOK-5"],
    clause["HOOK-7"],
    clause["HOOK-10"],
    clause["HOOK-12"],
    clause["HOOK-13"],
    clause["HOOK-42"],
  ],
  isolation,
  async run(context) {
    const request = {
      url: context.webhookUrl(),
      description: 'Mutfak/bar  🍲 "A" <1> & 2',
      event_types: ["delivery.delivered", LOCATION_KIND, "delivery.assigned"],
    };
    context.attributeTo(clause["HOOK-12"]);
    const response = await context.registerWebhook(request);
    const created = subscriptionIn(response);
    context.attributeTo(clause["HOOK-13"]);
    const subject = "secret in the response to createWebhook";
    expectThat(subject, created.secret).isText();
    expectThat(subject, created.secret).isNot("");
    context.attributeTo(clause["HOOK-10"]);
    expectThat("secret", created.secret).matches(SECRET);
    context.attributeTo(clause["HOOK-12"]);
    const entries = await waitUntilListed(context.api, created);
    for (const shown of [created, ...entries.filter(({ id }) => id === created.id)]) {
      context.attributeTo(clause["HOOK-3"]);
      expectThat("url", shown.url).is(request.url);
      context.attributeTo(clause["HOOK-4"]);
      expectThat("description", shown.description).is(request.description);
      context.attributeTo(clause["HOOK-5"]);
      expectThat("event_types", [shown.event_types].flat().toSorted()).is(request.event_types.toSorted());
      context.attributeTo(clause["HOOK-7"]);
      expectThat("failing_since", shown.failing_since ?? null).is(null);
      context.attributeTo(clause["HOOK-42"]);
      expectNoEarlier(shown.created_at, context.now() - CLOCK_TOLERANCE_MS, "created_at");
      expectNoLater(shown.created_at, context.now() + CLOCK_TOLERANCE_MS, "created_at");
    }
    context.attributeTo(clause["HOOK-5"]);
    const allKinds = [...DEFAULT_KINDS, LOCATION_KIND];
    const { event_types } = await createSubscription(context, { event_types: allKinds });
    expectThat("the event_types of a subscription to all types", [event_types].flat().toSorted()).is(
      allKinds.toSorted(),
    );
    // Asserted last, so that only HOOK-12 fails if the subscription is returned with a 2xx status other than 201.
    context.attributeTo(clause["HOOK-12"]);
    response.expectStatus(201);
  },
});

const allFields = check({
  id: "subscriptions.all-fields",
  title: "a new subscription has every field of the specification's table, and is ACTIVE",
  clauses: [clause["HOOK-2"], clause["HOOK-6"]],
  isolation,
  async run(context) {
    context.recordCoverage("fields-of-a-subscription", elementsOf("fields-of-a-subscription"));
    context.attributeTo(clause["HOOK-2"]);
    const created = await createSubscription(context, { description: "Kasa" });
    expectEveryField(created, "Webhook", "the subscription");
    context.attributeTo(clause["HOOK-6"]);
    expectThat("status", created.status).is("ACTIVE");
  },
});

const defaultKinds = check({
  id: "subscriptions.default-kinds",
  title: "a subscription without event types gets the fourteen default types, without courier positions",
  clauses: [clause["HOOK-16"], clause["HOOK-17"]],
  isolation,
  async run(context) {
    context.recordCoverage("default-event-kinds", elementsOf("default-event-kinds"));
    const { event_types } = await createSubscription(context);
    // The response may show null for the default (OPEN-78).
    const kinds = event_types ?? DEFAULT_KINDS;
    context.attributeTo(clause["HOOK-17"]);
    expectThat("event_types", kinds).doesNotInclude(LOCATION_KIND);
    context.attributeTo(clause["HOOK-16"]);
    expectThat("event_types", [...kinds].toSorted()).is([...DEFAULT_KINDS].toSorted());
  },
});

const description = check({
  id: "subscriptions.description-bounds",
  title: "a description of 200 characters is accepted and returned, and one of 201 is refused with 400",
  clauses: [clause["HOOK-18"], clause["LIMIT-25"]],
  isolation,
  async run(context) {
    const { api, webhookUrl } = context;
    context.attributeTo(clause["LIMIT-25"]);
    const created = await createSubscription(context, { description: LONGEST_DESCRIPTION });
    const [shown] = (await waitUntilListed(api, created)).filter(({ id }) => id === created.id);
    expectThat("description", shown?.description).is(LONGEST_DESCRIPTION);
    context.attributeTo(clause["HOOK-18"]);
    const url = webhookUrl();
    const tooLong = { url, description: `${LONGEST_DESCRIPTION}.` };
    (await createInvalidSubscription(api, "a description of 201 characters", tooLong)).expectError(400);
    const control = await createSubscription(context, { url, description: LONGEST_DESCRIPTION });
    const listed = (await waitUntilListed(api, control)).filter((entry) => entry.url === url);
    expectThat("the endpoint's subscriptions after a refused request and an accepted one", idsOf(listed)).is([
      control.id,
    ]);
  },
});

const httpsOnly = check({
  id: "subscriptions.https-only",
  title: "an endpoint that isn't https is refused, and nothing is subscribed",
  clauses: [clause["HOOK-14"]],
  isolation,
  async run(context) {
    const { api, webhookUrl } = context;
    const address = webhookUrl().replace(/^https:\/\//, "");
    // A server may refuse the test receiver's host for reasons other than the scheme (OPEN-163), but not this
    // URL's host.
    const publicHttpUrl = publicWebhookUrl().replace(/^https:/, "http:");
    const invalidUrls = {
      "http and a public host": publicHttpUrl,
      "http and the receiver's host": `http://${address}`,
      ftp: `ftp://${address}`,
      "no scheme": address,
    };
    await context.each(casesFrom("urls", invalidUrls), async ([, url]) => {
      expectRefused(await createInvalidSubscription(api, "a url that isn't https", { url }));
    });
    const control = await createSubscription(context, { url: `https://${address}` });
    const urls = (await waitUntilListed(api, control)).map(({ url }) => url);
    expectThat(
      "refused endpoints that are listed",
      Object.values(invalidUrls).filter((url) => urls.includes(url)),
    ).isEmpty();
  },
});

const urlRequired = check({
  id: "subscriptions.url-required",
  title: "a subscription without url is refused with 400",
  clauses: [clause["HOOK-15"]],
  isolation,
  async run(context) {
    const request = { description: "Kasa" };
    await createSubscription(context, request);
    (await createInvalidSubscription(context.api, "no url", request)).expectError(400);
  },
});

const limit = check({
  id: "subscriptions.five-active",
  testsLimitOf: "createWebhook",
  title: "five endpoints may be active; a sixth is refused with ABONELIK_SINIRI until one is deleted",
  clauses: [clause["LIMIT-14"], clause["HOOK-19"], clause["HOOK-20"], clause["HOOK-21"], clause["ERR-24"]],
  isolation,
  async run(context) {
    const { api, webhookUrl } = context;
    context.attributeTo(clause["LIMIT-14"]);
    const first = await createSubscription(context);
    // A rotation changes the secret of a subscription, and makes no second one.
    (await api.call("rotateWebhookSecret", { path: { id: first.id } })).expectSuccess();
    // A subscription that is refused for another reason doesn't count.
    const httpUrl = webhookUrl().replace(/^https:/, "http:");
    await createInvalidSubscription(api, "a url that isn't https", { url: httpUrl });
    // Subscriptions from before the check count towards the five.
    const activeCount = activeSubscriptions(await waitUntilListed(api, first), { statusOf: first }).length;
    for (let active = activeCount; active < MAX_ACTIVE; active += 1) await createSubscription(context);
    context.attributeTo(clause["HOOK-19"], clause["ERR-24"]);
    const sixth = webhookUrl();
    (await createInvalidSubscription(api, "a sixth active endpoint", { url: sixth })).expectError(
      409,
      "ABONELIK_SINIRI",
    );
    context.attributeTo(clause["HOOK-20"]);
    expectRefusedUnlisted(await waitUntilListed(api, first), sixth);
    context.attributeTo(clause["HOOK-21"]);
    (await api.call("deleteWebhook", { path: { id: first.id } })).expectSuccess();
    // A second deletion may be refused (OPEN-165), but makes no more room.
    await api.sendInvalid("deleteWebhook", "a deleted subscription", { path: { id: first.id } });
    const another = await createSubscription(context);
    context.attributeTo(clause["HOOK-20"]);
    expectRefusedUnlisted(await waitUntilListed(api, another), sixth);
    context.attributeTo(clause["HOOK-19"], clause["ERR-24"]);
    (await createInvalidSubscription(api, "a sixth active endpoint again", { url: sixth })).expectError(
      409,
      "ABONELIK_SINIRI",
    );
  },
});

const fiveEach = check({
  id: "subscriptions.five-each",
  title: "another integrator's endpoints don't count towards the limit of five",
  clauses: [clause["LIMIT-14"]],
  isolation,
  needs: ["second-integrator"],
  async run(context) {
    const { api, other, webhookUrl } = context;
    const foreign = (await other.api.call("createWebhook", { body: { url: webhookUrl() } })).body(201);
    try {
      const first = await createSubscription(context);
      const activeCount = activeSubscriptions(await waitUntilListed(api, first), { statusOf: first }).length;
      for (let active = activeCount; active < MAX_ACTIVE; active += 1) await createSubscription(context);
      const last = await waitUntilListed(api, first);
      expectThat("active endpoints", activeSubscriptions(last, { statusOf: first }).length).is(MAX_ACTIVE);
    } finally {
      await other.api.call("deleteWebhook", { path: { id: foreign.id } });
    }
  },
});

export const subscriptionsChecks: readonly Check[] = [
  creation,
  allFields,
  defaultKinds,
  description,
  httpsOnly,
  urlRequired,
  limit,
  fiveEach,
];
