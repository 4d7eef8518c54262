import {
  type ApiDocument,
  type DocumentedOperation,
  type Media,
  type Parameter,
  resolved,
} from "../api-document.ts";
import { type Item, type Pair, type Request, script } from "./format.ts";
import { keptIn } from "./variables.ts";

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
function withVariables(example: unknown, field = ""): unknown {
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

/** A parameter's value; undefined for a parameter that keeps its example or has no value. */
function parameterValue(path: string, name: string): string | undefined {
  if (name === "id") return path.startsWith("/v1/webhooks/") ? "{{webhook_id}}" : "{{delivery_id}}";
  return PARAMETERS[name];
}

/** The variables that a response sets, by operation. */
const KEPT_BY: Readonly<Record<string, readonly string[]>> = {
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

/** At most five subscriptions may be active, so only one example is sent. */
const ONE_EXAMPLE = ["createWebhook"];

interface Example {
  /** Undefined for an operation with a single example. */
  readonly name: string | undefined;
  readonly value: unknown;
}

function examplesOf({ components }: ApiDocument, { example, examples = {} }: Media): readonly Example[] {
  if (example !== undefined) return [{ name: undefined, value: example }];
  return Object.entries(examples).map(([key, given]) => {
    const { summary, value } = resolved(components.examples, given);
    return { name: summary ?? key, value };
  });
}

/** An operation's requests: one for each example of its body. */
export function itemsOf(document: ApiDocument, place: DocumentedOperation): readonly Item[] {
  const { operation } = place;
  const body = operation.requestBody && resolved(document.components.requestBodies, operation.requestBody);
  const media = body?.content?.["application/json"];
  const item = (name: string, request: Request): Item => ({
    name,
    event: scriptsOf(place),
    request,
    response: [],
  });
  if (media === undefined) return [item(operation.summary, requestOf(place))];
  const examples = examplesOf(document, media);
  const sent = ONE_EXAMPLE.includes(operation.operationId) ? examples.slice(0, 1) : examples;
  return sent.map(({ name, value }) =>
    item(name === undefined || sent.length === 1 ? operation.summary : `${operation.summary}: ${name}`, {
      ...requestOf(place),
      header: [...requestOf(place).header, { key: "Content-Type", value: "application/json" }],
      body: {
        mode: "raw",
        raw: JSON.stringify(withVariables(value), null, 2),
        options: { raw: { language: "json" } },
      },
    }),
  );
}

/** The request without a body. */
function requestOf({ operation, method, path, parameters }: DocumentedOperation): Request {
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const given = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const pair = (parameter: Parameter) => pairOf(path, parameter);
  return {
    method,
    description: [operation.summary, operation.description ?? ""].join("\n\n").trim(),
    ...(operation.security?.length === 0 && { auth: { type: "noauth" } }),
    header: given("header").map(pair),
    url: {
      raw: `{{base_url}}/${segments.join("/")}`,
      host: ["{{base_url}}"],
      path: segments,
      query: given("query").map((parameter) => ({ ...pair(parameter), disabled: true })),
      variable: given("path").map(pair),
    },
  };
}

function pairOf(path: string, { name = "", description = "", example }: Parameter): Pair {
  const value = parameterValue(path, name) ?? String(example ?? "");
  return { key: name, value, description: description.trim() };
}

/** Before the request: skips it if a variable is missing. After it: tests the status and sets variables. */
function scriptsOf(place: DocumentedOperation): Item["event"] {
  const { operation } = place;
  const needed = requestOf(place).url.variable.flatMap(({ value }) => keptIn(value));
  const skip = needed.map(
    (name) =>
      `if (!pm.collectionVariables.get("${name}") && !pm.environment.get("${name}")) pm.execution.skipRequest();`,
  );
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith("2"));
  const isSuccess = `() => pm.expect(pm.response.code).to.be.oneOf([${successes.join(", ")}])`;
  return [
    ...(skip.length === 0 ? [] : [script("prerequest", ...skip)]),
    script(
      "test",
      `pm.test("the status is one that the document lists", ${isSuccess});`,
      ...(KEPT_BY[operation.operationId] ?? []),
    ),
  ];
}
