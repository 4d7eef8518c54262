/**
 * A dispatch service built in four steps, for docs/certify-a-server.md. Don't copy it: it accepts invalid requests, and
 * keeps its data in memory.
 *
 *     STEP=1 CLIENT_SECRET=a-long-random-text node examples/service/service.ts
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

const { STEP = "4", PORT = "0", CLIENT_ID = "pos-1", CLIENT_SECRET = "" } = process.env;
/** The step: 1 tokens, 2 stores and payment types, 3 deliveries, 4 cancellation. */
const step = Number(STEP);

type Json = Record<string, unknown>;
const error = (status: number, code: string, message: string) =>
  ({ status, json: { error: { code, message } } }) as const;
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

const tokens = new Set<string>();
const stores = new Map<string, Json>();
const deliveries = new Map<string, Json>();
const byKey = new Map<string, { readonly body: string; readonly delivery: Json }>();
const usedCodes = new Set<unknown>();
const company = { id: randomUUID(), name: "Deneme Kurye" };
const paymentTypes = [{ no: 1, kod: "NAKIT", ad: "Nakit", sinif: "nakit" }];

interface Call {
  readonly request: IncomingMessage;
  readonly text: string;
  readonly body: Json;
  readonly query: URLSearchParams;
  readonly name: string;
}
type Answer = { readonly status: number; readonly json: unknown };
type Route = readonly [since: number, method: string, path: RegExp, answer: (call: Call) => Answer];

const notFound = error(404, "BULUNAMADI", "Kayıt bulunamadı.");
const invalid = error(400, "DOGRULAMA", "Gönderilen veri geçersiz.");

function registerStore({ body }: Call): Answer {
  const { external_store_id: name, pairing_code: code, address } = body;
  if (!isText(name) || name.length > 80 || !isText(body.name) || !isObject(address)) return invalid;
  const known = stores.get(name);
  if (!known && (!isText(code) || usedCodes.has(code))) {
    return error(400, "ESLEME_KODU_GECERSIZ", "Eşleme kodu geçersiz.");
  }
  if (!known) usedCodes.add(code);
  const now = new Date().toISOString();
  const store = {
    ...{ id: known?.id ?? randomUUID(), external_store_id: name, name: body.name, phone: body.phone ?? null },
    ...{ address_text: address.text, lat: address.lat ?? null, lng: address.lng ?? null, status: "ACTIVE" },
    ...{ courier_company: company, created_at: known?.created_at ?? now, updated_at: now },
  };
  stores.set(name, store);
  return { status: known ? 200 : 201, json: store };
}

function createDelivery({ body, text, request }: Call): Answer {
  const key = request.headers["idempotency-key"];
  if (!isText(key) || key.length < 8 || key.length > 128) return invalid;
  const first = byKey.get(key);
  if (first?.body === text) return { status: 200, json: first.delivery };
  if (first) return error(409, "IDEMPOTENCY_CAKISMA", "Bu anahtar başka bir istekle kullanıldı.");
  const { external_ref, store: of, dropoff, payment, customer } = body;
  if (!isText(external_ref) || !isObject(of) || !isObject(dropoff) || !isObject(payment)) return invalid;
  const store = stores.get(String(of.external_store_id));
  if (!store) return error(404, "MAGAZA_YOK", "Mağaza bulunamadı.");
  if (!paymentTypes.some(({ kod }) => kod === payment.type)) return invalid;
  const now = new Date().toISOString();
  const nothing = Object.fromEntries(
    "courier fee distance_m road_km eta_pickup_at eta_dropoff_at assigned_at picked_up_at delivered_at cancelled_at returned_at failure_reason cancel_reason unassigned_alert_at loss delivery_pin"
      .split(" ")
      .map((field) => [field, null]),
  );
  const id = randomUUID();
  const delivery = {
    ...{ ...nothing, id, external_ref, store_id: store.id, version: 1, payment, items: body.items ?? [] },
    status: dropoff.lat === undefined ? "RECEIVED" : "QUEUED",
    dropoff: { district: null, city: null, neighborhood: null, candidates: null, ...dropoff },
    customer: customer ?? null,
    ...{
      notes: body.notes ?? null,
      scheduled_for: body.scheduled_for ?? null,
      ready_at: body.ready_at ?? null,
    },
    ...{
      package_count: body.package_count ?? 1,
      prepaid: payment.prepaid ?? false,
      test: body.test ?? false,
    },
    ...{ origin_channel: body.origin_channel ?? null, pin_required: body.require_pin ?? false },
    ...{ tracking_url: `https://track.example/${id}`, created_at: now, updated_at: now },
  };
  deliveries.set(id, delivery);
  byKey.set(key, { body: text, delivery });
  return { status: 201, json: delivery };
}

function cancelDelivery({ name, body }: Call): Answer {
  const delivery = deliveries.get(name.split("/")[0] ?? "");
  if (!delivery) return notFound;
  if (!isText(body.reason)) return invalid;
  if (delivery.status === "CANCELLED") return error(409, "SON_DURUM", "Teslimat sonlanmış.");
  const now = new Date().toISOString();
  const change = { status: "CANCELLED", cancel_reason: body.reason, cancelled_at: now, updated_at: now };
  Object.assign(delivery, change, { version: Number(delivery.version) + 1 });
  return { status: 200, json: delivery };
}

const found = (record: Json | undefined): Answer => (record ? { status: 200, json: record } : notFound);

const routes: readonly Route[] = [
  [
    1,
    "GET",
    /^\/healthz$/,
    () => ({ status: 200, json: { ok: true, db: "ok", redis: "ok", version: "2026-01-15" } }),
  ],
  [2, "GET", /^\/v1\/payment-types$/, () => ({ status: 200, json: { items: paymentTypes } })],
  [2, "POST", /^\/v1\/stores$/, registerStore],
  [2, "GET", /^\/v1\/stores$/, () => ({ status: 200, json: { items: [...stores.values()] } })],
  [2, "GET", /^\/v1\/stores\/(.+)$/, ({ name }) => found(stores.get(name))],
  [3, "POST", /^\/v1\/deliveries$/, createDelivery],
  [3, "GET", /^\/v1\/deliveries\/([^/]+)$/, ({ name }) => found(deliveries.get(name))],
  [4, "POST", /^\/v1\/deliveries\/([^/]+)\/cancel$/, cancelDelivery],
];

function issueToken({ body }: Call): Answer {
  const isKnown =
    body.client_id === CLIENT_ID && body.client_secret === CLIENT_SECRET && CLIENT_SECRET !== "";
  if (body.grant_type !== "client_credentials") return invalid;
  if (!isKnown) return error(401, "invalid_client", "İstemci bilgileri hatalı.");
  const access_token = randomUUID();
  tokens.add(access_token);
  return { status: 200, json: { access_token, token_type: "Bearer", expires_in: 1800 } };
}

function answer(call: Omit<Call, "name">, method: string, path: string): Answer {
  if (method === "POST" && path === "/oauth/token") return issueToken({ ...call, name: "" });
  const route = routes.find(([since, of, at]) => step >= since && of === method && at.test(path));
  if (!route) return notFound;
  const [, scheme, token = ""] = /^(\w+) (.+)$/.exec(call.request.headers.authorization ?? "") ?? [];
  if (path !== "/healthz" && scheme === undefined) return error(401, "KIMLIK_YOK", "Kimlik gerekli.");
  if (path !== "/healthz" && !tokens.has(token)) return error(401, "GECERSIZ", "Kimlik geçersiz.");
  return route[3]({ ...call, name: decodeURIComponent(route[2].exec(path)?.[1] ?? "") });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body = parsed(text);
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const { status, json } = isObject(body)
    ? answer({ request, text, body, query }, request.method ?? "", pathname)
    : invalid;
  const limits = { "x-ratelimit-limit": 1200, "x-ratelimit-remaining": 1199, "x-ratelimit-reset": 60 };
  response.writeHead(status, { "content-type": "application/json", ...limits }).end(JSON.stringify(json));
});
server.listen(Number(PORT), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
