import { randomBytes, randomUUID } from "node:crypto";
import { type Answer, notFound, Refusal } from "./answers.ts";
import { tokenOf } from "./authentication.ts";
import { now, second } from "./formats.ts";
import { BodyReader } from "./request-body.ts";
import type { Company, Integrator, Price, ServerState, Store } from "./state.ts";

const controlOperations =
  "describeControl createIntegrator issueToken closeIntegrator readCredit issuePairingCode configureStore trustReceiver";

function createIntegrator(state: ServerState, body: BodyReader): Answer {
  const kind = body.text("kind") ?? "integrator";
  if (kind !== "integrator" && kind !== "other") throw body.invalid("kind", "integrator veya other");
  const integrator: Integrator = {
    clientId: `pos:${randomUUID()}`,
    secret: randomBytes(32).toString("base64"),
    kind,
    closed: false,
    token: undefined,
    stores: new Map(),
    deliveries: new Map(),
    hooks: new Map(),
    quoted: [],
    answered: new Map(),
  };
  state.integrators.set(integrator.clientId, integrator);
  return { status: 201, body: { client_secret: integrator.secret, client_id: integrator.clientId } };
}

function integratorOf(state: ServerState, clientId: string): Integrator {
  const found = state.integrators.get(clientId);
  if (found === undefined) throw notFound();
  return found;
}

function issueToken(state: ServerState, integrator: Integrator): Answer {
  if (integrator.closed) throw new Refusal(409, "KAPALI");
  return { status: 201, body: tokenOf(state, integrator) };
}

/** Credit is charged when a delivery is created, and refunded when it is cancelled. */
const readCredit = ({ deliveries }: Integrator): Answer => ({
  status: 200,
  body: {
    consumed: [...deliveries.values()].filter(({ test, status }) => !test && status !== "IPTAL").length,
  },
});

function companyOf(state: ServerState, name: string): Company {
  const company = state.companies.get(name) ?? { id: randomUUID(), name };
  state.companies.set(name, company);
  return company;
}

function issuePairingCode(state: ServerState, body: BodyReader): Answer {
  const company = companyOf(state, body.text("courier_company") ?? "Boğaz Kurye");
  const restaurant = body.text("restaurant") ?? randomUUID();
  const lifetime = body.number("expires_in", 0) ?? 3600;
  const code = `eşleme ${randomBytes(9).toString("base64")}`;
  state.codes.set(code, { company, restaurant, until: now() + lifetime * second, usedBy: undefined });
  return { status: 201, body: { courier_company: { ...company }, pairing_code: code } };
}

function readPrice(price: BodyReader): Price | undefined {
  if (price.names().length === 0) return undefined;
  return {
    base: price.required("base", price.number("base", 0)),
    per_km: price.required("per_km", price.number("per_km", 0)),
    currency: price.text("currency") ?? "TRY",
    vat_included: price.flag("vat_included") ?? false,
  };
}

function readState(body: BodyReader, before: Store["state"]): Store["state"] {
  const word = body.text("status") ?? before;
  if (word === "active" || word === "suspended" || word === "closed") return word;
  throw body.invalid("status", "active, suspended veya closed");
}

function configureStore(state: ServerState, id: string, body: BodyReader): Answer {
  const stores = [...state.integrators.values()].flatMap((integrator) => [...integrator.stores.values()]);
  const store = stores.find((candidate) => candidate.id === id);
  if (store === undefined) throw notFound();
  const settings = {
    state: readState(body, store.state),
    radius: body.number("radius_m", 0) ?? store.radius,
    longestRoad: body.number("max_road_km", 0) ?? store.longestRoad,
    couriers: body.integer("couriers_on_shift", 0, 10_000) ?? store.couriers,
    price: body.has("price") ? readPrice(body.part("price")) : store.price,
  };
  Object.assign(store, settings, { updatedAt: now() });
  return { status: 204 };
}

function trustReceiver(state: ServerState, body: BodyReader): Answer {
  const url = URL.parse(body.word("origin"));
  if (url === null) throw body.invalid("origin", "adres bekleniyor");
  state.trusted.set(url.origin, body.text("ca_pem", 100_000));
  return { status: 204 };
}

/** The control interface without couriers, photos and clocks. */
export function control(state: ServerState, method: string, path: string, raw: Buffer): Answer {
  const body = BodyReader.ofBytes(raw);
  const [head, name = "", tail] = path.split("/").filter(Boolean).map(decodeURIComponent);
  switch ([method, head, tail].filter(Boolean).join(" ")) {
    case "GET":
      return {
        status: 200,
        body: { clock: "real", operations: controlOperations.split(" "), version: "0.9", service: "second" },
      };
    case "POST integrators":
      return createIntegrator(state, body);
    case "POST integrators token":
      return issueToken(state, integratorOf(state, name));
    case "POST integrators close":
      integratorOf(state, name).closed = true;
      return { status: 204 };
    case "GET integrators credit":
      return readCredit(integratorOf(state, name));
    case "POST pairing-codes":
      return issuePairingCode(state, body);
    case "PATCH stores":
      return configureStore(state, name, body);
    case "POST trusted-receivers":
      return trustReceiver(state, body);
    default:
      throw new Refusal(404, "BULUNAMADI");
  }
}
