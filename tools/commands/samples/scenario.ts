/** The source of the samples: a reference server simulates some deliveries and sends their webhooks. */

import { createHash } from "node:crypto";
import type { Client } from "openapi-fetch";
import type { paths as ControlPaths, components } from "../../../openapi/generated/control.ts";
import type { paths } from "../../../openapi/generated/courier-dispatch.ts";
import { type RunningServer, startReferenceServer } from "../../../reference-server/embedded.ts";
import { ALL_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { member, parseJson, textMember } from "../../../suites/core/json.ts";
import { apiClient, bodyOf } from "../api-client.ts";
import type { SentEvent } from "./sample.ts";

/** The origin of the webhooks. No request leaves the process. */
const HOOKS_ORIGIN = "https://pos.test";
const TRACKING_KEY_CHARS = 22;

interface SeededServer {
  readonly server: RunningServer;
  /** The bodies of all webhooks sent so far. */
  readonly sent: readonly string[];
}

/**
 * A reference server with a fixed clock and seeded ids, so that it sends the same events each time.
 * @param startsAt the clock's start, as Unix time in milliseconds. Only the control interface advances the clock
 */
async function startSeededServer(startsAt: number, seed: string): Promise<SeededServer> {
  const sent: string[] = [];
  let drawn = 0;
  const digest = () => createHash("sha256").update(`${seed} ${drawn++}`).digest();
  const server = await startReferenceServer({
    publicUrl: "https://dispatch.test",
    trustedOrigins: [HOOKS_ORIGIN],
    mutate: (deps) => ({
      ...deps,
      clock: { ...deps.clock, now: () => startsAt },
      ids: {
        ...deps.ids,
        uuid: () => uuidFrom(digest()),
        trackingKey: () => digest().toString("base64url").slice(0, TRACKING_KEY_CHARS),
        pin: () => String(digest().readUInt16BE() % 10_000).padStart(4, "0"),
      },
      transport: {
        ...deps.transport,
        async post(_deps, { body }) {
          sent.push(body);
          return { status: 204, location: undefined };
        },
      },
    }),
  });
  return { server, sent };
}

/** A version 4 UUID made of these bytes. */
function uuidFrom(bytes: Buffer): string {
  const hex = [...bytes.subarray(0, 16)]
    .map((byte, index) => (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte))
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

type Move = components["schemas"]["CourierMove"];

/**
 * The orders, named by what happens to them. If several have the same type of event, the sample is about the
 * first.
 */
const DELIVERED = "A-1001";
const CANCELLED = "A-1002";
const FAILED = "A-1003";
const RETURNED = "A-1004";

const STORE = "moda";
const RESTAURANT = { lat: 40.9843, lng: 29.0256 };
const COURIER_POSITION = { lat: 40.9772, lng: 29.0413, heading: 95 };
const CUSTOMER = { lat: 40.9702, lng: 29.0571 };
const COURIER = { name: "Mehmet Kaya", phone: "+905335550199", plate: "34 ABC 123" };

/** The courier actions, each with the minutes since the previous action. A token expires after thirty minutes. */
const MOVES: readonly { readonly after: number; readonly move: Move; readonly of: readonly string[] }[] = [
  { after: 1, move: { action: "offered", courier: COURIER }, of: [DELIVERED, FAILED, RETURNED] },
  { after: 1, move: { action: "assigned", courier: COURIER }, of: [DELIVERED, FAILED, RETURNED] },
  { after: 5, move: { action: "at_pickup", location: RESTAURANT }, of: [DELIVERED, FAILED, RETURNED] },
  { after: 4, move: { action: "picked_up" }, of: [DELIVERED, FAILED, RETURNED] },
  { after: 1, move: { action: "en_route" }, of: [DELIVERED, FAILED, RETURNED] },
  { after: 4, move: { action: "courier_location", location: COURIER_POSITION }, of: [DELIVERED] },
  { after: 5, move: { action: "arrived", location: CUSTOMER }, of: [DELIVERED, FAILED, RETURNED] },
  { after: 1, move: { action: "delivered", collected_type: "NAKIT" }, of: [DELIVERED] },
  { after: 0, move: { action: "failed", reason: "Adreste kimse yok" }, of: [FAILED] },
  { after: 0, move: { action: "returning", reason: "Müşteri siparişi kabul etmedi" }, of: [RETURNED] },
  { after: 4, move: { action: "returned", location: RESTAURANT }, of: [RETURNED] },
];
const MINUTE_S = 60;
/** The time from the last event to `endsAt`. */
const MARGIN_S = 1;
const DURATION_S = MOVES.reduce((sum, { after }) => sum + after * MINUTE_S, MARGIN_S);

/**
 * Simulates the deliveries.
 * @param endsAt Unix time in milliseconds
 * @param seed determines all ids
 * @returns an event of each type, in the document's order
 */
export async function playScenario(endsAt: number, seed: string): Promise<readonly SentEvent[]> {
  const { server, sent } = await startSeededServer(endsAt - DURATION_S * 1000, seed);
  try {
    await play(server);
  } finally {
    await server.close();
  }
  const events = sent.map(eventOf).toSorted((a, b) => a.sortKey.localeCompare(b.sortKey));
  return ALL_KINDS.map((kind) => {
    const event = events.find(({ type }) => type === kind);
    if (event === undefined) throw new Error(`the simulation sends no ${kind}`);
    return event;
  });
}

/** A sent event. `sortKey` sorts events of a type by order, then by version. */
function eventOf(body: string): SentEvent & { readonly sortKey: string } {
  const event = parseJson(body);
  const version = String(member(event, "data", "version") ?? "").padStart(9, "0");
  return {
    id: textMember(event, "id") ?? "",
    type: textMember(event, "type") ?? "",
    body,
    sortKey: `${textMember(event, "data", "external_ref") ?? ""} ${version}`,
  };
}

async function play(server: RunningServer): Promise<void> {
  const control = apiClient<ControlPaths>(server.controlUrl, server.controlToken ?? "");
  const identity = bodyOf(await control.POST("/integrators", { body: {} }));
  const grant = { grant_type: "client_credentials", ...identity } as const;
  const { access_token } = bodyOf(
    await apiClient<paths>(server.url, "").POST("/oauth/token", { body: grant }),
  );
  const api = apiClient<paths>(server.url, access_token);
  const pass = async (seconds: number) => {
    if (seconds === 0) return;
    const path = { client_id: identity.client_id };
    bodyOf(
      await control.POST("/integrators/{client_id}/clock/advance", { params: { path }, body: { seconds } }),
    );
  };

  const pairing = bodyOf(await control.POST("/pairing-codes", { body: { courier_company: "Hızlı Kurye" } }));
  await openStore(api, pairing.pairing_code);
  const subscription = { url: `${HOOKS_ORIGIN}/hooks`, event_types: [...ALL_KINDS] };
  const webhook = bodyOf(await api.POST("/v1/webhooks", { body: subscription }));
  const ids = new Map<string, string>();
  for (const order of [DELIVERED, CANCELLED, FAILED, RETURNED])
    ids.set(order, await openDelivery(api, order));
  const path = (order: string) => ({ params: { path: { id: ids.get(order) ?? "" } } });
  const notes = "Kapıyı çalmayın, arayın";
  bodyOf(await api.PATCH("/v1/deliveries/{id}", { ...path(DELIVERED), body: { notes } }));
  const reason = "Müşteri vazgeçti";
  bodyOf(await api.POST("/v1/deliveries/{id}/cancel", { ...path(CANCELLED), body: { reason } }));

  for (const { after, move, of } of MOVES) {
    await pass(after * MINUTE_S);
    for (const order of of) {
      const params = { path: { delivery_id: ids.get(order) ?? "" } };
      const { response } = await control.POST("/deliveries/{delivery_id}/courier", { params, body: move });
      if (!response.ok) throw new Error(`${move.action} of ${order} returned ${response.status}`);
    }
  }
  bodyOf(await api.POST("/v1/webhooks/{id}/test", { params: { path: { id: webhook.id } } }));
  await pass(MARGIN_S);
}

async function openStore(api: Client<paths>, pairing_code: string): Promise<void> {
  const address = { text: "Moda Caddesi 12, Kadıköy", ...RESTAURANT };
  const store = { external_store_id: STORE, pairing_code, name: "Moda Mutfak", address };
  bodyOf(await api.POST("/v1/stores", { body: { ...store, phone: "0216 555 01 01" } }));
}

async function openDelivery(api: Client<paths>, external_ref: string): Promise<string> {
  const order = {
    external_ref,
    store: { external_store_id: STORE },
    customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23", note: "Zil çalışmıyor" },
    dropoff: { text: "Bağdat Caddesi 220, Kadıköy", directions: "Kat 3, daire 7", ...CUSTOMER },
    payment: { type: "NAKIT", amount_due: 245.5, subtotal: 265.5, discount: 20 },
    items: [
      { name: "Lahmacun", quantity: 3, total: 180 },
      { name: "Baklava (kg)", quantity: 0.375, total: 65.5 },
    ],
    require_pin: true,
    notes: "Sıcak tutulsun",
    origin_channel: "POS",
  };
  const header = { "Idempotency-Key": `order-${external_ref}` };
  return bodyOf(await api.POST("/v1/deliveries", { params: { header }, body: order })).id;
}
