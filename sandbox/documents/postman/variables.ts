/** The collection's variables: the user's values, and values from earlier responses. */
import type { Pair } from "./format.ts";

const GIVEN: readonly Pair[] = [
  {
    key: "base_url",
    value: "http://127.0.0.1:8080",
    description: "Address of the service; the sandbox's here",
  },
  { key: "client_id", value: "", description: "Your credentials: the sandbox prints some when it starts" },
  { key: "client_secret", value: "" },
  {
    key: "pairing_code",
    value: "",
    description: "An unused one, for the first registration of the restaurant",
  },
  { key: "external_store_id", value: "kadikoy-01", description: "Your own identifier of the restaurant" },
  { key: "webhook_url", value: "https://inbox.sandbox.test/postman", description: "Where events go; https" },
];

const KEPT: readonly Pair[] = [
  { key: "access_token", value: "", description: "Kept by the token request" },
  { key: "delivery_id", value: "", description: "Kept by each creation of a delivery" },
  { key: "external_ref", value: "", description: "That delivery's order number" },
  { key: "tracking_key", value: "", description: "The end of its tracking_url" },
  { key: "proof_id", value: "", description: "Kept by the list of a delivery's proofs" },
  { key: "webhook_id", value: "", description: "Kept by the creation of a subscription" },
];

const TIMES: readonly Pair[] = [
  { key: "in_half_an_hour", value: "", description: "Set before each request" },
  { key: "tomorrow", value: "", description: "Set before each request" },
];

export const VARIABLES: readonly Pair[] = [...GIVEN, ...KEPT, ...TIMES];

/** The variables in a text that come from earlier responses. */
export const keptIn = (text: string): readonly string[] =>
  KEPT.flatMap(({ key }) => (text.includes(`{{${key}}}`) ? [key] : []));

export const SET_TIMES: readonly string[] = [
  "const inMinutes = (minutes) => new Date(Date.now() + minutes * 60000).toISOString();",
  'pm.collectionVariables.set("in_half_an_hour", inMinutes(30));',
  'pm.collectionVariables.set("tomorrow", inMinutes(24 * 60));',
];

/** The variables that replace example values, by field name. `$guid` is new for each request. */
const VARIABLE_BY_FIELD: Readonly<Record<string, string>> = {
  client_id: "{{client_id}}",
  client_secret: "{{client_secret}}",
  pairing_code: "{{pairing_code}}",
  external_store_id: "{{external_store_id}}",
  external_ref: "{{$guid}}",
  ready_at: "{{in_half_an_hour}}",
  scheduled_for: "{{tomorrow}}",
  url: "{{webhook_url}}",
};

/** An example with variables. */
export function withVariables(example: unknown, field = ""): unknown {
  if (Array.isArray(example)) return example.map((entry) => withVariables(entry));
  if (typeof example === "object" && example !== null) {
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, withVariables(value, key)]),
    );
  }
  return typeof example === "string" ? (VARIABLE_BY_FIELD[field] ?? example) : example;
}

/** The values of path, query and header parameters by name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  "Idempotency-Key": "{{$guid}}",
  external_store_id: "{{external_store_id}}",
  external_ref: "{{external_ref}}",
  proofId: "{{proof_id}}",
  key: "{{tracking_key}}",
};

/** An operation's parameter value; undefined for its example or none. */
export function parameterValue(path: string, name: string): string | undefined {
  if (name === "id") return path.startsWith("/v1/webhooks/") ? "{{webhook_id}}" : "{{delivery_id}}";
  return PARAMETERS[name];
}

/** The values kept from a response, by operation. */
export const KEPT_BY: Readonly<Record<string, readonly string[]>> = {
  obtainToken: ['pm.collectionVariables.set("access_token", pm.response.json().access_token);'],
  createDelivery: [
    "const { id, external_ref, tracking_url } = pm.response.json();",
    'pm.collectionVariables.set("delivery_id", id);',
    'pm.collectionVariables.set("external_ref", external_ref);',
    'pm.collectionVariables.set("tracking_key", tracking_url.split("/").pop());',
  ],
  listProofs: [
    "const [proof] = pm.response.json().items;",
    'pm.collectionVariables.set("proof_id", proof ? proof.id : "");',
  ],
  createWebhook: ['pm.collectionVariables.set("webhook_id", pm.response.json().id);'],
};
