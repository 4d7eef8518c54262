import { MatchersV3 } from "@pact-foundation/pact";
import type createClient from "openapi-fetch";
import type { paths } from "../../../openapi/generated/courier-dispatch.ts";

const { boolean, eachLike, fromProviderState, integer, like, regex, string, uuid } = MatchersV3;

/** The point of sale's API client, typed by the document. */
type PointOfSale = ReturnType<typeof createClient<paths>>;

/**
 * A request of the point of sale, and the parts of the response that it uses. Other parts aren't expected, so
 * that no conforming service fails.
 */
interface HttpExpectation {
  readonly description: string;
  /** The provider state, which `npm run pact` sets up through the control interface. */
  readonly given: StateName;
  readonly method: string;
  readonly path: MatchersV3.Matcher<string> | string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, MatchersV3.Matcher<string> | string>>;
  readonly body?: unknown;
  /** `success` for an operation whose 2xx status is unspecified. */
  readonly status: number | "success";
  readonly answer?: unknown;
  send(pointOfSale: PointOfSale): Promise<{ readonly response: Response }>;
}

export type StateName =
  | "an integrator"
  | "a pairing code"
  | "a linked store"
  | "a delivery"
  | "a delivery that the courier has";

export const TOKEN = "token-of-the-point-of-sale";
const AUTHORIZATION = regex(/^Bearer \S+$/, `Bearer ${TOKEN}`);

const STORE_ID = "moda-1";
const DELIVERY_ID = "6f1c2f4e-5f0b-4d8e-9a53-2b8c0de4a111";
const PHONE = "05321234567";
const POINT = { lat: 41.0092, lng: 28.9794 };
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value of the provider state, with an example for the contract. */
const stateValue = <V>(name: string, example: V) => fromProviderState(`\${${name}}`, example);
const deliveryPath = (rest = "") =>
  fromProviderState(`/v1/deliveries/\${delivery_id}${rest}`, `/v1/deliveries/${DELIVERY_ID}${rest}`);

const storeReference = { external_store_id: stateValue("external_store_id", STORE_ID) };
const dropoffPoint = {
  lat: stateValue("lat", POINT.lat),
  lng: stateValue("lng", POINT.lng),
};
const pathOfDelivery = deliveryPath();

/** The fields of a delivery that the point of sale reads. */
const delivery = {
  id: uuid(DELIVERY_ID),
  external_ref: string("order-1"),
  status: string("QUEUED"),
  version: integer(1),
  tracking_url: string("https://dispatch.example/t/abc"),
  updated_at: regex(UTC, "2026-01-01T10:00:00.000Z"),
};

const refusal = (code: string) => ({ error: { code, message: string("Kurye paketi aldı") } });

export const httpExpectations: readonly HttpExpectation[] = [
  {
    description: "credentials for a token",
    given: "an integrator",
    method: "POST",
    path: "/oauth/token",
    body: {
      grant_type: "client_credentials",
      client_id: stateValue("client_id", "pos-1"),
      client_secret: stateValue("client_secret", "secret-of-pos-1"),
    },
    status: 200,
    answer: { access_token: string(TOKEN), token_type: "Bearer", expires_in: integer(1800) },
    send: (pointOfSale) =>
      pointOfSale.POST("/oauth/token", {
        body: { grant_type: "client_credentials", client_id: "pos-1", client_secret: "secret-of-pos-1" },
      }),
  },
  {
    description: "a restaurant's first registration",
    given: "a pairing code",
    method: "POST",
    path: "/v1/stores",
    headers: { Authorization: AUTHORIZATION },
    body: {
      external_store_id: stateValue("external_store_id", STORE_ID),
      pairing_code: stateValue("pairing_code", "A1B2C3"),
      name: "Moda Mutfak",
      address: { text: "Moda Caddesi 10, Kadıköy", ...dropoffPoint },
    },
    status: 201,
    answer: {
      id: uuid(),
      external_store_id: string(STORE_ID),
      status: string("ACTIVE"),
      courier_company: { id: uuid(), name: string("Hızlı Kurye") },
    },
    send: (pointOfSale) =>
      pointOfSale.POST("/v1/stores", {
        body: {
          external_store_id: STORE_ID,
          pairing_code: "A1B2C3",
          name: "Moda Mutfak",
          address: { text: "Moda Caddesi 10, Kadıköy", ...POINT },
        },
      }),
  },
  {
    description: "a quote for an address nearby",
    given: "a linked store",
    method: "POST",
    path: "/v1/quotes",
    headers: { Authorization: AUTHORIZATION },
    body: { store: storeReference, dropoff: dropoffPoint },
    status: 200,
    answer: { serviceable: boolean(true), distance_m: integer(120), couriers_on_shift: integer(3) },
    send: (pointOfSale) =>
      pointOfSale.POST("/v1/quotes", {
        body: { store: { external_store_id: STORE_ID }, dropoff: POINT },
      }),
  },
  {
    description: "an order with coordinates",
    given: "a linked store",
    method: "POST",
    path: "/v1/deliveries",
    headers: {
      Authorization: AUTHORIZATION,
      "Idempotency-Key": stateValue("idempotency_key", "key-of-order-1"),
    },
    body: {
      external_ref: stateValue("external_ref", "order-1"),
      store: storeReference,
      customer: { name: "Ayşe", phone: PHONE },
      dropoff: { text: "Moda Caddesi 12, Kadıköy", ...dropoffPoint },
      payment: { type: stateValue("payment_type", "NAKIT"), amount_due: 249.9 },
      items: [{ name: "Mercimek çorbası", quantity: 1.5, total: 249.9 }],
    },
    status: 201,
    answer: { ...delivery, status: "QUEUED" },
    send: (pointOfSale) =>
      pointOfSale.POST("/v1/deliveries", {
        params: { header: { "Idempotency-Key": "key-of-order-1" } },
        body: {
          external_ref: "order-1",
          store: { external_store_id: STORE_ID },
          customer: { name: "Ayşe", phone: PHONE },
          dropoff: { text: "Moda Caddesi 12, Kadıköy", ...POINT },
          payment: { type: "NAKIT", amount_due: 249.9 },
          items: [{ name: "Mercimek çorbası", quantity: 1.5, total: 249.9 }],
        },
      }),
  },
  {
    description: "a read of a delivery",
    given: "a delivery",
    method: "GET",
    path: pathOfDelivery,
    headers: { Authorization: AUTHORIZATION },
    status: 200,
    answer: delivery,
    send: (pointOfSale) => pointOfSale.GET("/v1/deliveries/{id}", { params: { path: { id: DELIVERY_ID } } }),
  },
  {
    description: "a change of the note",
    given: "a delivery",
    method: "PATCH",
    path: pathOfDelivery,
    headers: { Authorization: AUTHORIZATION },
    body: { notes: "Zile basmayın" },
    status: "success",
    send: (pointOfSale) =>
      pointOfSale.PATCH("/v1/deliveries/{id}", {
        params: { path: { id: DELIVERY_ID } },
        body: { notes: "Zile basmayın" },
      }),
  },
  {
    description: "a cancellation in time",
    given: "a delivery",
    method: "POST",
    path: deliveryPath("/cancel"),
    headers: { Authorization: AUTHORIZATION },
    body: { reason: "Müşteri vazgeçti" },
    status: "success",
    send: (pointOfSale) =>
      pointOfSale.POST("/v1/deliveries/{id}/cancel", {
        params: { path: { id: DELIVERY_ID } },
        body: { reason: "Müşteri vazgeçti" },
      }),
  },
  {
    description: "a cancellation that comes too late",
    given: "a delivery that the courier has",
    method: "POST",
    path: deliveryPath("/cancel"),
    headers: { Authorization: AUTHORIZATION },
    body: { reason: "Müşteri vazgeçti" },
    status: 409,
    answer: refusal("KURYE_ALDI"),
    send: (pointOfSale) =>
      pointOfSale.POST("/v1/deliveries/{id}/cancel", {
        params: { path: { id: DELIVERY_ID } },
        body: { reason: "Müşteri vazgeçti" },
      }),
  },
  {
    description: "a page of changed deliveries",
    given: "a delivery",
    method: "GET",
    path: "/v1/deliveries",
    query: { limit: "10" },
    headers: { Authorization: AUTHORIZATION },
    status: 200,
    answer: { items: eachLike(delivery), has_more: boolean(false) },
    send: (pointOfSale) => pointOfSale.GET("/v1/deliveries", { params: { query: { limit: 10 } } }),
  },
  {
    description: "an unknown cursor",
    given: "an integrator",
    method: "GET",
    path: "/v1/deliveries",
    query: { since: "no-cursor" },
    headers: { Authorization: AUTHORIZATION },
    status: 400,
    answer: refusal("IMLEC_GECERSIZ"),
    send: (pointOfSale) => pointOfSale.GET("/v1/deliveries", { params: { query: { since: "no-cursor" } } }),
  },
  {
    description: "an endpoint for webhooks",
    given: "an integrator",
    method: "POST",
    path: "/v1/webhooks",
    headers: { Authorization: AUTHORIZATION },
    body: { url: stateValue("webhook_url", "https://pos.example/hooks") },
    status: 201,
    answer: { id: uuid(), secret: regex(/^whsec_[A-Za-z0-9+/=]+$/, "whsec_c2VjcmV0") },
    send: (pointOfSale) => pointOfSale.POST("/v1/webhooks", { body: { url: "https://pos.example/hooks" } }),
  },
];

/** An event that the point of sale handles. `npm run pact` reads its type from the description. */
interface MessageExpectation {
  readonly description: string;
  readonly contents: unknown;
}

const envelope = (type: string, data: unknown) => ({
  id: uuid(),
  type,
  timestamp: regex(UTC, "2026-01-01T10:00:00.000Z"),
  data,
});

export const messageExpectations: readonly MessageExpectation[] = [
  { description: "a delivery.created event", contents: envelope("delivery.created", like(delivery)) },
  { description: "a delivery.assigned event", contents: envelope("delivery.assigned", like(delivery)) },
  { description: "a delivery.delivered event", contents: envelope("delivery.delivered", like(delivery)) },
  { description: "a delivery.cancelled event", contents: envelope("delivery.cancelled", like(delivery)) },
  { description: "a webhook.test event", contents: envelope("webhook.test", null) },
];
