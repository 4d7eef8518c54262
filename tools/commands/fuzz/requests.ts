/** Requests of all operations: valid ones, ones with a single fault, and random ones. */
import fc from "fast-check";
import { allOperations } from "../../../suites/core/contract/document.ts";
import { type ValueChoices, valuesOf } from "../../../suites/core/contract/values.ts";
import { type Bound, boundsOf } from "../../../suites/server/checks/bounds/bounds.ts";
import { choicesWith } from "./choices.ts";
import type { FuzzOperation } from "./document.ts";
import { nearlyFitting, numerals, wild } from "./faulty-values.ts";
import { KnownValue, type ValuePool } from "./known.ts";

/** A request that may contain placeholders (`known.ts`). */
export interface FuzzRequest {
  /** Undefined for a path or method that isn't in the document. */
  readonly operation: FuzzOperation | undefined;
  readonly method: string;
  /** Path segments, which are percent-encoded when sent; or the raw path. */
  readonly path: readonly unknown[] | string;
  readonly query: readonly (readonly [string, unknown])[];
  readonly headers: Readonly<Record<string, unknown>>;
  /** Strings and bytes are sent unchanged, other values as JSON. Undefined for no body. */
  readonly body: unknown;
  /** The integrator whose token is sent. */
  readonly token: "own" | "other" | "none" | "malformed";
}

const known = (pool: ValuePool) => fc.nat(9).map((index) => new KnownValue(pool, index));
const mostly = (usual: fc.Arbitrary<unknown>, rest: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: rest });
const near = (degrees: number) => fc.double({ min: degrees - 0.03, max: degrees + 0.03, noNaN: true });
const latitude = mostly(near(41.0082), fc.double({ min: -90, max: 90, noNaN: true }));
const longitude = mostly(near(28.9784), fc.double({ min: -180, max: 180, noNaN: true }));
const anyKind = fc.constantFrom(
  "delivery.created",
  "delivery.courier_location",
  "delivery.updated",
  "webhook.test",
  "x",
);

/** Generators for fields and parameters whose schemas alone would produce useless values, by path or name. */
const leading: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "store.external_store_id": mostly(known("stores"), fc.string()),
  external_store_id: mostly(known("stores"), fc.string({ maxLength: 80 })),
  pairing_code: mostly(known("codes"), fc.string()),
  external_ref: mostly(fc.string({ minLength: 1, maxLength: 40 }), known("references")),
  "payment.type": mostly(fc.constantFrom("NAKIT", "KREDI_KARTI", "ONLINE"), fc.string()),
  collected_type: mostly(fc.constantFrom("NAKIT", "KREDI_KARTI"), fc.string()),
  "dropoff.lat": latitude,
  "dropoff.lng": longitude,
  "address.lat": latitude,
  "address.lng": longitude,
  "location.lat": latitude,
  "location.lng": longitude,
  "customer.phone": mostly(fc.constantFrom("0532 555 01 23", "+902125550199", "444 0 123"), fc.string()),
  since: mostly(known("cursors"), fc.string()),
  status: fc.constantFrom("QUEUED", "RECEIVED,QUEUED", "CANCELLED,DELIVERED", "x", "active", "suspended"),
  "event_types.*": anyKind,
  url: mostly(fc.constant("https://hooks.test/x"), fc.webUrl({ validSchemes: ["https"] })),
  origin: fc.constant("https://hooks.test"),
  ca_pem: fc.string(),
  client_id: known("clients"),
  client_secret: known("secrets"),
  // Long enough for tokens, schedules and retries to expire, and short enough to be processed quickly.
  seconds: fc.integer({ min: 1, max: 100_000 }),
  "Idempotency-Key": mostly(fc.stringMatching(/^[!-~]{8,20}$/), known("keys")),
  store_id: known("storeIds"),
  delivery_id: known("deliveries"),
  proofId: known("proofs"),
  key: known("trackingKeys"),
};

function choicesFor({ path: route }: FuzzOperation): ValueChoices {
  const ids = known(route.startsWith("/v1/webhooks") ? "webhooks" : "deliveries");
  return choicesWith((path) => (path === "id" ? ids : leading[path]));
}

/** The bounds that a body can exceed. None for the control interface. */
const boundsOfBody = ({ id, isControl }: FuzzOperation): readonly Bound[] =>
  allOperations
    .filter((one) => one.id === id && !isControl)
    .flatMap((one) => boundsOf(one.id))
    .filter(({ illegal }) => illegal !== undefined);

/** A parameter's value; usually valid. */
function parameter(
  operation: FuzzOperation,
  { name, schema }: FuzzOperation["parameters"][number],
): fc.Arbitrary<unknown> {
  const fits = valuesOf(schema, operation.document.resolve, choicesFor(operation), name);
  const { type } = schema;
  const isNumber = type === "integer" || type === "number";
  return fc.oneof(
    { weight: 20, arbitrary: fits },
    { weight: 1, arbitrary: wild },
    { weight: isNumber ? 10 : 0, arbitrary: numerals },
  );
}

function parametersIn(
  operation: FuzzOperation,
  place: FuzzOperation["parameters"][number]["place"],
): fc.Arbitrary<Record<string, unknown>> {
  const parameters = operation.parameters.filter((it) => it.place === place);
  const required = parameters.filter((it) => it.required).map(({ name }) => name);
  const values = Object.fromEntries(parameters.map((it) => [it.name, parameter(operation, it)]));
  return fc.record(values, { requiredKeys: required, noNullPrototype: true });
}

function bodyFor(operation: FuzzOperation): fc.Arbitrary<unknown> {
  const { body, document } = operation;
  if (body === undefined) return fc.constant(undefined);
  if (!body.types.includes("application/json")) return photo;
  const fits = valuesOf(body.schema, document.resolve, choicesFor(operation));
  return fc.oneof(
    { weight: 16, arbitrary: fits },
    { weight: 5, arbitrary: nearlyFitting(fits, boundsOfBody(operation)) },
    { weight: 1, arbitrary: wild },
    { weight: 1, arbitrary: fc.oneof(fc.string(), fc.uint8Array({ maxLength: 200 })) },
  );
}

/** The first bytes of a picture, or random bytes. */
const photo = fc
  .tuple(fc.constantFrom("ffd8ffe0", "89504e470d0a1a0a", "52494646", ""), fc.uint8Array({ maxLength: 100 }))
  .map(([magic, rest]) => new Uint8Array(Buffer.concat([Buffer.from(magic, "hex"), rest])));

const types = fc.oneof(
  { weight: 20, arbitrary: fc.constant("usual") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("text/plain", "application/json; charset=latin1", "a,b", "application/JSON;"),
  },
);

const tokens: fc.Arbitrary<FuzzRequest["token"]> = fc.oneof(
  { weight: 20, arbitrary: fc.constant("own" as const) },
  { weight: 1, arbitrary: fc.constantFrom("other" as const, "none" as const, "malformed" as const) },
);

/** Sometimes adds parameters that aren't in the document. */
const furtherQuery = fc.oneof(
  { weight: 15, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.tuple(fc.constantFrom("x", "limit", "limit[]", "__proto__", "from", "access_token"), wild),
      { maxLength: 3 },
    ),
  },
);

function requestOf(operation: FuzzOperation): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      path: parametersIn(operation, "path"),
      query: parametersIn(operation, "query"),
      further: furtherQuery,
      headers: parametersIn(operation, "header"),
      body: bodyFor(operation),
      type: types,
      token: tokens,
    })
    .map(({ path, query, further, headers, body, type, token }) => ({
      operation,
      method: operation.method,
      path: operation.path
        .split("/")
        .slice(1)
        .map((segment) => (segment.startsWith("{") ? path[segment.slice(1, -1)] : segment)),
      query: [...Object.entries(query), ...further],
      headers: { ...headers, ...typeOf(operation, type) },
      body,
      token,
    }));
}

function typeOf({ body }: FuzzOperation, type: string): Record<string, string> {
  if (body === undefined) return {};
  return { "content-type": type === "usual" ? (body.types[0] ?? "") : type };
}

/** A path or method that the document doesn't have. */
const unknown: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"),
    path: fc.oneof(
      fc.constantFrom(
        "/v1",
        "/v1/",
        "//",
        "/%00",
        "/%zz",
        "/v1/deliveries/%2e%2e/x",

        "/oauth/token/",
      ),
      fc.webPath().map((path) => `/x${path}`),
    ),
    body: fc.oneof(fc.constant(undefined), wild),
    token: tokens,
  })
  .map((it) => ({ ...it, operation: undefined, query: [], headers: { "content-type": "application/json" } }));

/** Relative frequencies. Defaults to 1. Operations that others depend on come more often. */
const weights: Readonly<Record<string, number>> = {
  createDelivery: 8,
  updateDelivery: 6,
  actAsCourier: 6,
  getDelivery: 3,
  listDeliveries: 3,
  cancelDelivery: 2,
  registerStore: 2,
  createQuote: 2,
};

/** A request of any operation except those with ids in `excluded`. */
export function anyRequest(
  operations: readonly FuzzOperation[],
  excluded: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const offered = operations.filter(({ id }) => !excluded.includes(id));
  return fc.oneof(
    ...offered.map((operation) => ({ weight: weights[operation.id] ?? 1, arbitrary: requestOf(operation) })),
    { weight: 1, arbitrary: unknown },
  );
}
