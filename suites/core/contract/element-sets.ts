import type { operations } from "../../../openapi/generated/courier-dispatch.ts";
import {
  allOperations,
  type OperationId,
  operationById,
  type PrivateOperationId,
  privateOperations,
  serviceApi,
} from "./document.ts";
import { DEFAULT_KINDS } from "./event-kinds.ts";
import { placesOfTheCountry } from "./places-of-the-country.ts";
import { fieldsOf, timesInResponses, typedMembersOf, visiblyNeverNullMembersOf } from "./resource-fields.ts";

/** The set over which a clause is quantified: its elements by name, in a stable order. */
export interface ElementSet<Element extends string = string> {
  /** Names the elements in the plural: `operations with a body`. */
  readonly label: string;
  readonly elements: readonly Element[];
}

const setOf = <const Element extends string>(
  label: string,
  elements: readonly Element[],
): ElementSet<Element> => ({ label, elements });

/** The ids of the operations that satisfy a condition, in the document's order. */
const operationsThat = <Id extends OperationId>(
  label: string,
  belongs: (id: OperationId) => id is Id,
): ElementSet<Id> => setOf(label, allOperations.map(({ id }) => id).filter(belongs));

type WithBody = {
  [Id in OperationId]: operations[Id] extends { readonly requestBody: object } ? Id : never;
}[OperationId];

const hasBody = (id: OperationId): id is WithBody =>
  serviceApi.lookUp(`${operationById(id).pointer}/requestBody`) !== undefined;

/**
 * Operations whose effect later responses show. The effect of secret rotations and test events only shows in
 * webhooks. Quotes and tokens have no effect.
 */
const CHANGING = [
  "registerStore",
  "createDelivery",
  "updateDelivery",
  "cancelDelivery",
  "createWebhook",
  "deleteWebhook",
] as const satisfies readonly PrivateOperationId[];

/** getProof has its own clauses: its response isn't JSON, and there is no photo without a courier. */
const isWithoutPhoto = <Id extends OperationId>(id: Id): id is Exclude<Id, "getProof"> => id !== "getProof";

type ListFilter = Exclude<
  keyof NonNullable<operations["listDeliveries"]["parameters"]["query"]>,
  "since" | "limit"
>;

/** The filter parameters of the list of deliveries: all except since and limit, which are for paging. */
export const LIST_FILTERS = [
  "status",
  "from",
  "created_from",
  "created_to",
  "external_ref",
  "external_store_id",
] as const satisfies readonly ListFilter[];

const TIME_FILTERS: readonly ListFilter[] = ["from", "created_from", "created_to"];
/** Whether external_ref and a time can be combined as filters is unspecified (OPEN-134). */
const isOpenPair = (one: ListFilter, other: ListFilter): boolean =>
  (one === "external_ref" && TIME_FILTERS.includes(other)) ||
  (other === "external_ref" && TIME_FILTERS.includes(one));

/** Pairs of list filters, except those whose combination is unspecified. */
export const FILTER_PAIRS: readonly (readonly [ListFilter, ListFilter])[] = LIST_FILTERS.flatMap(
  (one, place) =>
    LIST_FILTERS.slice(place + 1)
      .filter((other) => !isOpenPair(one, other))
      .map((other) => [one, other] as const),
);

export const nameOfPair = ([one, other]: readonly [ListFilter, ListFilter]) => `${one}-and-${other}` as const;

/** The fields that a PATCH may contain. The customer's fields are listed individually. */
const CHANGEABLE = [
  ...fieldsOf("DeliveryChange").filter((field) => field !== "customer"),
  ...fieldsOf("CustomerChange").map((field) => `customer.${field}` as const),
];

/** The kinds of calls that clients make. Each kind stands for one or more operations. */
const CALLS = ["order", "token", "store", "quote", "change", "cancellation", "page"] as const;

/** Empty, because the target lists the elements. The check supplies them. */
const LISTED_BY_THE_TARGET: readonly string[] = [];

/**
 * HTTP statuses (RFC 9110 section 15, RFC 6585, RFC 7725) by the required reaction of a webhook's sender. 410
 * closes the endpoint.
 */
const STATUSES = {
  // 299 has no standard meaning. Only its first digit says that the event was accepted.
  accepted: ["200", "201", "202", "203", "204", "205", "206", "299"],
  redirects: ["300", "301", "302", "303", "304", "307", "308"],
  clientErrors: [
    ...["400", "401", "402", "403", "404", "405", "406", "407", "408", "409"],
    ...["411", "412", "413", "414", "415", "416", "417", "421", "422", "426", "428", "429", "431", "451"],
  ],
  serverErrors: ["500", "501", "502", "503", "504", "505", "511"],
} as const;

/** The results of courier actions, in order, by names of our own: the status strings are open (OPEN-81). */
const COURIER_RESULTS = ["assigned", "at_pickup", "picked_up", "en_route", "arrived", "delivered"] as const;

/**
 * The sets of all clauses with `over`, by name. They come from the document, or from the specification's
 * lifecycle and tables.
 */
export const elementSets = {
  "operations-with-a-body": operationsThat("operations with a body", hasBody),
  "operations-with-a-body-and-a-token": setOf(
    "operations with a body, except the token endpoint",
    privateOperations.map(({ id }) => id).filter(hasBody),
  ),
  "operations-that-need-a-token": setOf(
    "operations that need a token, except getProof",
    privateOperations.map(({ id }) => id).filter(isWithoutPhoto),
  ),
  "operations-that-change": setOf("operations whose effect the API shows", CHANGING),
  "operations-with-a-body-that-change": setOf(
    "operations with a body whose effect the API shows",
    CHANGING.filter((id) => id !== "deleteWebhook"),
  ),
  "operations-on-a-delivery": setOf("operations on a delivery", [
    "getDelivery",
    "updateDelivery",
    "cancelDelivery",
  ]),
  "operations-on-a-subscription": setOf("operations on a subscription", [
    "deleteWebhook",
    "rotateWebhookSecret",
    "testWebhook",
  ]),
  "operations-that-name-a-store": setOf("operations that name a store", [
    "getStore",
    "createDelivery",
    "createQuote",
  ]),
  "states-without-a-courier": setOf("states without a courier", ["received", "queued", "cancelled"]),
  "states-with-a-courier": setOf("states with a courier", [...COURIER_RESULTS, "cancelled"]),
  "states-of-a-return": setOf("states during and after a return", ["returning", "returned"]),
  "default-event-kinds": setOf("event types of a subscription without a list", DEFAULT_KINDS),
  "fields-of-a-store": setOf("fields of a store", fieldsOf("Store")),
  "fields-of-a-delivery": setOf(
    "fields of a delivery, except loss",
    fieldsOf("Delivery").filter((field) => field !== "loss"),
  ),
  "fields-of-a-quote": setOf("fields of a quote", fieldsOf("Quote")),
  "fields-of-a-delivery-area": setOf("fields of a delivery area", fieldsOf("DeliveryArea")),
  "fields-of-a-proof": setOf("fields of a proof", fieldsOf("Proof")),
  "fields-of-a-subscription": setOf("fields of a subscription, except its secret", fieldsOf("Webhook")),
  "keys-of-a-courier": setOf("fields of a courier", fieldsOf("Courier")),
  "keys-of-a-dropoff": setOf("fields of a drop-off", fieldsOf("Dropoff")),
  "keys-of-a-fee": setOf("fields of a fee", fieldsOf("Fee")),
  "members-of-a-store": setOf("typed members of a store", typedMembersOf("Store")),
  "members-of-a-delivery": setOf("typed members of a delivery", typedMembersOf("Delivery")),
  "members-of-a-quote": setOf("typed members of a quote", typedMembersOf("Quote")),
  "members-of-a-delivery-area": setOf("typed members of a delivery area", typedMembersOf("DeliveryArea")),
  "members-of-a-proof": setOf("typed members of a proof", typedMembersOf("Proof")),
  "members-of-a-subscription": setOf("typed members of a subscription", typedMembersOf("Webhook")),
  "never-null-members-of-a-store": setOf(
    "members of a store that are never null",
    visiblyNeverNullMembersOf("Store"),
  ),
  "never-null-members-of-a-delivery": setOf(
    "members of a delivery that are never null",
    visiblyNeverNullMembersOf("Delivery"),
  ),
  "never-null-members-of-a-quote": setOf(
    "members of a quote that are never null",
    visiblyNeverNullMembersOf("Quote"),
  ),
  "never-null-members-of-a-delivery-area": setOf(
    "members of a delivery area that are never null",
    visiblyNeverNullMembersOf("DeliveryArea"),
  ),
  "never-null-members-of-a-proof": setOf(
    "members of a proof that are never null",
    visiblyNeverNullMembersOf("Proof"),
  ),
  "never-null-members-of-a-subscription": setOf(
    "members of a subscription that are never null",
    visiblyNeverNullMembersOf("Webhook"),
  ),
  "never-null-members-of-webhook-data": setOf(
    "members of a delivery that are never null in event data, except those of its fee",
    visiblyNeverNullMembersOf("Delivery").filter((member) => !member.startsWith("fee.")),
  ),
  "times-in-responses": setOf("times in responses", timesInResponses),
  "payment-codes": setOf("payment codes in the target's list", LISTED_BY_THE_TARGET),
  "filters-of-the-list": setOf("filters of the list of deliveries", LIST_FILTERS),
  "places-of-the-country": setOf("places in the country", placesOfTheCountry),
  "filter-pairs": setOf("pairs of list filters", FILTER_PAIRS.map(nameOfPair)),
  "changeable-fields": setOf("fields that a PATCH may contain", CHANGEABLE),
  "courier-actions-until-delivery": setOf("courier actions until delivery", COURIER_RESULTS),
  "event-kinds-without-a-courier": setOf("event types that need no courier", [
    "delivery.created",
    "delivery.queued",
    "delivery.updated",
    "delivery.cancelled",
    "webhook.test",
  ]),
  "success-statuses": setOf("success statuses", STATUSES.accepted),
  "redirect-statuses": setOf("redirect statuses", STATUSES.redirects),
  "client-error-statuses": setOf("client error statuses except 410", STATUSES.clientErrors),
  "server-error-statuses": setOf("server error statuses", STATUSES.serverErrors),
  "attempts-between-first-and-last": setOf("attempts between the first and the last", [
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
  ]),
  "listed-event-kinds": setOf("event types in the subscription", LISTED_BY_THE_TARGET),
  "changed-parts-of-a-body": setOf("changed parts of a signed body", [
    "version",
    "status",
    "package_count",
    "prepaid",
    "type",
    "notes",
  ]),
  "other-algorithms": setOf("algorithms other than HMAC-SHA256", [
    "sha1",
    "sha384",
    "sha512",
    "md5",
    "sha3-256",
  ]),
  "calls-of-a-client": setOf("calls of a client", CALLS),
  "calls-except-registration": setOf(
    "calls of a client, except the registration of a store",
    CALLS.filter((call) => call !== "store"),
  ),
  "calls-with-a-token": setOf(
    "calls of a client that need a token",
    CALLS.filter((call) => call !== "token"),
  ),
  "calls-with-final-refusals": setOf(
    "calls of a client that may be refused for good",
    CALLS.filter((call) => call !== "token" && call !== "page"),
  ),
  "retried-statuses": setOf("server error statuses that a client gets", ["500", "502", "503"]),
  "final-error-statuses": setOf("client error statuses that a client gets, except 401 and 422", [
    "400",
    "403",
    "404",
    "409",
    "410",
    "415",
  ]),
  "codes-of-a-refused-token": setOf("codes that refuse a token", [
    "KIMLIK_YOK",
    "SURESI_DOLDU",
    "GECERSIZ",
    "OTURUM_GECERSIZ",
  ]),
  limits: setOf("rate limits", ["integrator", "anonymous", "token", "tracking"]),
} satisfies Record<string, ElementSet>;

export type SetName = keyof typeof elementSets;
/** The names of a set's elements. */
export type ElementOf<Name extends SetName> = (typeof elementSets)[Name]["elements"][number];

export const elementsOf = <Name extends SetName>(name: Name): (typeof elementSets)[Name]["elements"] =>
  elementSets[name].elements;
