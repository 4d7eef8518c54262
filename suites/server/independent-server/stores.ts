import { randomUUID } from "node:crypto";
import { type Answer, notFound, Refusal } from "./answers.ts";
import { type Json, minute, now, utc } from "./formats.ts";
import {
  inCountry,
  internationalPhone,
  isServed,
  longestRoad,
  measure,
  pointOf,
  readCoordinates,
} from "./places.ts";
import { BodyReader } from "./request-body.ts";
import type { Call, PairingCode, Store } from "./state.ts";

// Responses have members in an unusual order, undocumented members, and no members without a value.

const statusWords = { active: "ACTIVE", suspended: "ASKIDA", closed: "KAPALI" };

const storeView = (store: Store): Json => ({
  updated_at: utc(store.updatedAt),
  created_at: utc(store.createdAt),
  courier_company: { name: store.company.name, id: store.company.id, tier: "B" },
  lng: store.point?.lng,
  lat: store.point?.lat,
  address_text: store.address,
  phone: store.phone,
  name: store.name,
  status: statusWords[store.state],
  external_store_id: store.externalId,
  id: store.id,
  timezone: "Europe/Istanbul",
});

const areaView = (store: Store): Json => ({
  active: store.state === "active",
  radius_m: store.radius,
  center: store.point && { lng: store.point.lng, lat: store.point.lat },
  name: store.name,
  external_store_id: store.externalId,
  store_id: store.id,
  shape: "circle",
});

/** Uses the code up, even if the registration is refused for another reason. */
function redeem({ state, caller }: Call, code: string): PairingCode {
  const found = state.codes.get(code);
  if (found === undefined || found.usedBy !== undefined || found.until <= now()) {
    throw new Refusal(400, "ESLEME_KODU_GECERSIZ");
  }
  found.usedBy = caller;
  const bound = state.boundTo.get(found.restaurant);
  if (bound !== undefined && bound !== caller) throw new Refusal(409, "BASKA_POS");
  return found;
}

export function registerStore(call: Call): Answer {
  const { caller, state } = call;
  const body = BodyReader.ofBytes(call.raw);
  const externalId = body.word("external_store_id", 80);
  const code = body.text("pairing_code");
  const before = caller.stores.get(externalId);
  if (before === undefined && code === undefined) throw new Refusal(400, "ESLEME_KODU_GEREKLI");
  const isRepeated = before !== undefined && code !== undefined && state.codes.get(code)?.usedBy === caller;
  const pairing = code === undefined || isRepeated ? undefined : redeem(call, code);

  body.only("external_store_id pairing_code name phone address");
  const address = body.part("address").only("text lat lng");
  const phone = body.text("phone");
  const current = now();
  const data = {
    name: body.word("name"),
    address: address.word("text"),
    phone: phone && internationalPhone(phone),
    point: pointOf(readCoordinates(address)),
    updatedAt: current,
  };
  if (before !== undefined) Object.assign(before, data);
  const store: Store = before ?? {
    ...data,
    id: randomUUID(),
    externalId,
    company: { id: "", name: "" },
    restaurant: "",
    state: "active",
    radius: 8000,
    longestRoad: 12,
    couriers: 0,
    price: undefined,
    createdAt: current,
  };
  if (pairing !== undefined) {
    store.company = pairing.company;
    store.restaurant = pairing.restaurant;
    state.boundTo.set(pairing.restaurant, caller);
  }
  caller.stores.set(externalId, store);
  return { status: before === undefined ? 201 : 200, body: storeView(store) };
}

/** An array without a wrapper, latest first. */
export const listStores = ({ caller }: Call): Answer => ({
  status: 200,
  body: [...caller.stores.values()].reverse().map(storeView),
});

export function getStore({ caller, params }: Call): Answer {
  const store = caller.stores.get(params[0] ?? "");
  if (store === undefined) throw notFound();
  return { status: 200, body: storeView(store) };
}

export const listAreas = ({ caller }: Call): Answer => ({
  status: 200,
  body: {
    count: caller.stores.size,
    items: [...caller.stores.values()].filter(({ point }) => point !== undefined).map(areaView),
  },
});

function quoteReason(store: Store, lat: number, lng: number): string | undefined {
  if (store.state !== "active") return "MAGAZA_PASIF";
  if (store.point === undefined) return "MAGAZA_KONUMSUZ";
  if (!inCountry({ lat, lng })) return "KONUM_GECERSIZ";
  return isServed(store, measure(store, { lat, lng })) ? undefined : "HIZMET_DISI";
}

export function createQuote({ caller, raw }: Call): Answer {
  const body = BodyReader.ofBytes(raw).only("store dropoff ready_at scheduled_for");
  const externalId = body.part("store").only("external_store_id").word("external_store_id");
  const dropoff = body.part("dropoff").only("lat lng");
  const lat = dropoff.required("lat", dropoff.number("lat"));
  const lng = dropoff.required("lng", dropoff.number("lng"));
  const start = body.instant("scheduled_for") ?? body.instant("ready_at") ?? now();
  const store = caller.stores.get(externalId);
  if (store === undefined) throw notFound();
  const reason = quoteReason(store, lat, lng);
  const current = now();
  caller.quoted.push({ store, point: { lat, lng }, at: current });
  const measured = inCountry({ lat, lng }) ? measure(store, { lat, lng }) : undefined;
  const shared = {
    expires_at: utc(current + 1.5 * minute),
    couriers_on_shift: store.couriers,
    max_km: longestRoad(store),
    road_km: measured?.road,
    distance_m: measured?.distance,
    serviceable: reason === undefined,
  };
  if (reason !== undefined) return { status: 201, body: { ...shared, reason } };
  const eta = {
    eta_dropoff_at: utc(start + 25 * minute),
    eta_pickup_at: utc(start + 10 * minute),
    fee: measured?.fee,
  };
  return { status: 201, body: { ...eta, ...shared, model: "q3" } };
}
