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
