import { poll } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { member } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { BaseContext } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { type Entry, subscriptionsOf } from "../../session/lists/list-entries.ts";
import { LIST_LAG_MS } from "../../session/lists/list-readings.ts";

type NewSubscription = Schemas["WebhookWithSecret"];

/**
 * An integrator has few endpoints, so a check of the list or of their number has exclusive use of the
 * integrator.
 */
export const isolation = "own-integrator";

/** `whsec_` and base64 in either alphabet, with or without padding (OPEN-77). */
export const SECRET = /^whsec_[A-Za-z0-9+/_-]+={0,2}$/;

/** Tests the id of a body that hasn't been validated yet. */
const hasId = ({ id }: { readonly id?: unknown }): boolean => typeof id === "string";

/**
 * Subscribes a new endpoint.
 * @throws CheckFailure if the response has no subscription
 */
export const createSubscription = async (
  { registerWebhook }: Pick<BaseContext, "registerWebhook">,
  fields?: Partial<Schemas["NewWebhook"]>,
): Promise<NewSubscription> => {
  return subscriptionIn(await registerWebhook(fields));
};

/** @throws CheckFailure if the response has no subscription */
export function subscriptionIn(response: ApiResponse<"createWebhook">): NewSubscription {
  const created = response.body(201);
  if (hasId(created)) return created;
  throw response.failure({
    subject: "id in the response to createWebhook",
    relation: "to be",
    expected: described("text that isn't blank"),
    actual: member(created, "id"),
  });
}

/** The integrator's listed subscriptions, possibly with closed ones (OPEN-75). */
export const listSubscriptions = async (api: Api): Promise<readonly Entry[]> =>
  subscriptionsOf((await api.call("listWebhooks")).expectSuccess());

export const idsOf = (entries: readonly Entry[]): readonly unknown[] => entries.map(({ id }) => id);

/** The list once it satisfies the condition, otherwise the last list read. */
async function waitForList(
  api: Api,
  matches: (entries: readonly Entry[]) => boolean,
): Promise<readonly Entry[]> {
  const matching = await poll(async () => {
    const entries = await listSubscriptions(api);
    return matches(entries) ? entries : undefined;
  }, LIST_POLLING);
  return matching ?? listSubscriptions(api);
}

/** Waits until the list contains a subscription, and so all earlier ones. */
export const waitUntilListed = (api: Api, { id }: Pick<NewSubscription, "id">): Promise<readonly Entry[]> =>
  waitForList(api, (entries) => idsOf(entries).includes(id));

/** How to poll a list: the target may process a webhook's response later, and a list may lag (OPEN-146). */
export const LIST_POLLING = { within: LIST_LAG_MS, every: 200 };

/** The listed subscription; undefined if it isn't listed. */
export const shownSubscription = async (api: Api, id: string): Promise<Entry | undefined> =>
  (await listSubscriptions(api)).find((subscription) => subscription.id === id);

/** True if an endpoint is closed now or soon: not listed, or not `ACTIVE` (OPEN-75). */
export async function isClosedSoon(api: Api, id: string): Promise<boolean> {
  const isClosed = async () => (await shownSubscription(api, id))?.status !== "ACTIVE";
  return (await poll(async () => ((await isClosed()) ? true : undefined), LIST_POLLING)) ?? false;
}

/** A subscription with the type of the event that its endpoint returned 410 to. */
type Gone = readonly [kind: EventKind, subscription: { readonly id: string }];

/**
 * Asserts that an endpoint is closed.
 * @param kind the type of the event that got the 410
 */
export const expectClosedByGone = (api: Api, id: string, kind: EventKind): Promise<void> =>
  expectAllClosedByGone(api, [[kind, { id }]]);

/** Asserts that endpoints are closed: not listed, or not `ACTIVE` (OPEN-75). One list shows them all. */
export async function expectAllClosedByGone(api: Api, gone: readonly Gone[]): Promise<void> {
  const activeAmong = (entries: readonly Entry[]) =>
    gone.filter(([, { id }]) => entries.find((entry) => entry.id === id)?.status === "ACTIVE");
  const entries = await waitForList(api, (listed) => activeAmong(listed).length === 0);
  const [open] = activeAmong(entries);
  if (!open) return;
  const [kind, { id }] = open;
  throw new CheckFailure({
    subject: `status of the subscription ${id}, whose endpoint returned 410 to ${kind}`,
    relation: "not to be",
    expected: "ACTIVE",
    actual: "ACTIVE",
  });
}

/**
 * The listed subscriptions with the status of a new one, because the names of other statuses are unspecified
 * (OPEN-75).
 */
export const activeSubscriptions = (
  entries: readonly Entry[],
  { statusOf }: { readonly statusOf: Pick<NewSubscription, "status"> },
): readonly Entry[] => entries.filter(({ status }) => status === statusOf.status);

/** Asserts that a list read after a sixth endpoint was refused doesn't contain it. */
export const expectRefusedUnlisted = (entries: readonly Entry[], url: string): void =>
  expectThat(
    "the listed endpoints after a sixth was refused",
    entries.map((entry) => entry.url),
  ).doesNotInclude(url);

/** Sends a subscription that must be refused, and deletes it at once if the target accepts it. */
export async function createInvalidSubscription(
  api: Api,
  rule: string,
  body: object,
): Promise<ApiResponse<"createWebhook">> {
  const response = await api.sendInvalid("createWebhook", rule, { body });
  if (response.hasContentOf(201)) await api.call("deleteWebhook", { path: { id: response.body(201).id } });
  return response;
}
