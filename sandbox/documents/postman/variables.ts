/** The collection's variables: the user's values, and values from earlier responses. */
import type { Pair } from "./format.ts";

const GIVEN: readonly Pair[] = [
  {
    key: "base_url",
    value: "http://127.0.0.1:8080",
    description: "Base URL of the service; initially the sandbox's",
  },
  { key: "client_id", value: "", description: "Your client_id. The sandbox prints one when it starts" },
  { key: "client_secret", value: "" },
  {
    key: "pairing_code",
    value: "",
    description: "An unused pairing code, for the first registration of the restaurant",
  },
  { key: "external_store_id", value: "kadikoy-01", description: "Your identifier of the restaurant" },
  {
    key: "webhook_url",
    value: "https://inbox.sandbox.test/postman",
    description: "The https URL that events are sent to",
  },
];

const KEPT: readonly Pair[] = [
  { key: "access_token", value: "", description: "Set by the token request" },
  { key: "delivery_id", value: "", description: "The id of the latest created delivery" },
  { key: "external_ref", value: "", description: "The order number of the latest created delivery" },
  {
    key: "tracking_key",
    value: "",
    description: "The last part of the tracking_url of the latest created delivery",
  },
  { key: "proof_id", value: "", description: "Set by the list of a delivery's proofs" },
  { key: "webhook_id", value: "", description: "Set by the creation of a subscription" },
];

const TIMES: readonly Pair[] = [
  { key: "in_half_an_hour", value: "", description: "Set before each request" },
  { key: "tomorrow", value: "", description: "Set before each request" },
];

export const VARIABLES: readonly Pair[] = [...GIVEN, ...KEPT, ...TIMES];

/** The variables in a text that come from earlier responses. */
export const keptIn = (text: string): readonly string[] =>
  KEPT.flatMap(({ key }) => (text.includes(`{{${key}}}`) ? [key] : []));
