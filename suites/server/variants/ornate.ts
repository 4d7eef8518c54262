import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { wallClock } from "../../core/clock.ts";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { isObject } from "../../core/json.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import { withEnvelopes } from "../mutants/operators/envelopes.ts";
import { alterAttemptHeaders } from "../mutants/operators/webhooks.ts";
import type { Rewrite } from "./proxy.ts";
import { headersWithPadding, inSequence, wrapLists } from "./response-rewrites.ts";
import type { Variant } from "./variant.ts";

/** UUIDs of version 7 (RFC 9562, 5.7). */
const uuidOfVersion7 = (): string => {
  const random = randomUUID();
  const time = wallClock().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
};

const part = (value: object | Buffer): string =>
  Buffer.from(value instanceof Buffer ? value : JSON.stringify(value)).toString("base64url");

/** A JSON Web Token with claims, as many services issue. */
const webToken = (): string =>
  [{ alg: "RS256", typ: "JWT" }, { iss: "kurye", scope: ["teslimat"] }, randomBytes(256)].map(part).join(".");

const otherIds = (deps: Dependencies): Dependencies => ({
  ...deps,
  ids: {
    ...deps.ids,
    uuid: uuidOfVersion7,
    token: webToken,
    pairingCode: () => String(randomInt(10 ** 11, 10 ** 12)),
    pin: () => String(randomInt(10 ** 6)).padStart(6, "0"),
    clientSecret: () => `${randomBytes(24).toString("hex")}🔑`,
    trackingKey: () => randomBytes(16).toString("base64"),
  },
});

/** Tracking keys in base64 with padding are percent-encoded in the URL. */
const encodedTrackingKeys = alterDelivery(({ tracking_url }) => ({
  tracking_url: tracking_url?.replace(/(?<=\/t\/).+/, encodeURIComponent),
}));

/** Events are indented, with members in reverse order and a final line break. */
const indentedEvents = withEnvelopes(() => ({
  encode: (envelope) =>
    `${JSON.stringify(Object.fromEntries(Object.entries(envelope).reverse()), null, "\t")}\r\n`,
}));

/** OPEN-78: the default event types are shown as null. */
const nullForDefaultKinds = (deps: Dependencies): Dependencies => ({
  ...deps,
  views: {
    ...deps.views,
    webhook: (webhook) => ({
      ...deps.views.webhook(webhook),
      ...(webhook.event_types.length === DEFAULT_KINDS.length && { event_types: null }),
    }),
  },
});

/** Each attempt has a second signature after two spaces, by another method. */
const secondSignature = alterAttemptHeaders((headers) => ({
  "webhook-signature": `${headers["webhook-signature"]}  v1a,${randomBytes(64).toString("base64")}`,
}));

/** Errors are also problem details (RFC 9457). Each error has details, possibly an empty object. */
const problemDetails: Rewrite = (response) => {
  const { json, status } = response;
  if (!isObject(json) || !isObject(json.error)) return;
  response.headers["content-type"] = "application/problem+json; charset=utf-8";
  const error = { details: {}, ...json.error };
  response.json = { type: "about:blank", title: "Hata", status, instance: null, error };
};

/** Additional response headers. */
const moreHeaders: Rewrite = ({ headers, status, path }) => {
  Object.assign(headers, {
    "set-cookie": "lb=a1; Path=/; HttpOnly",
    etag: 'W/"1"',
    vary: "Accept, Authorization",
    "cache-control": "no-store",
    "x-request-id": randomUUID(),
    "ratelimit-policy": '"default";q=1200;w=60',
    ...(status === 201 && { location: `${path}/new` }),
  });
};

let reads = 0;

/** Lists without a specified order are rotated each time. */
const rotated = (items: unknown): unknown => {
  reads += 1;
  if (!Array.isArray(items)) return { items };
  const at = reads % Math.max(1, items.length);
  return { items: [...items.slice(at), ...items.slice(0, at)] };
};

const escaped = (letter: string): string =>
  [...letter.split("")]
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join("");

const FLOAT = /(?<=[:[,]\s*)(-?)(\d+)\.(\d+)(?=\s*[,\]}\n])/g;

/** Indented JSON, with decimals in exponent notation and escaped non-ASCII letters. */
const unusualJson: Rewrite = (response) => {
  if (response.json === undefined) return;
  const text = JSON.stringify(response.json, null, 2)
    .replaceAll(/[^\x20-\x7e\n]/gu, escaped)
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((piece, at) =>
      at % 2 === 1
        ? piece
        : piece.replaceAll(FLOAT, (_, sign, whole, rest) => `${sign}${Number(whole + rest)}E-${rest.length}`),
    )
    .join("");
  response.json = undefined;
  response.bytes = Buffer.from(`\n${text}\n`);
};

/** A service behind a gateway, whose framework uses unusual but legal notations. */
export const ornate: Variant = {
  choices: { "OPEN-78": "the default event types are shown as null" },
  otherDifferences: [
    "UUIDs have version 7, tokens have three parts separated by dots, and pairing codes and PINs have more digits",
    "a client_secret ends in an emoji, and a tracking key is base64, percent-encoded in the URL",
    "each attempt has a signature of another version after two spaces",
    "the JSON of events is indented, with members in reverse order",
    "errors are problem details (RFC 9457) in addition to the service's error body",
    "each response has additional headers, such as set-cookie, etag and location, and header values end in spaces",
    "stores, subscriptions and payment types are listed in another order each time",
    "JSON is indented, decimals are in exponent notation, and non-ASCII letters are escaped with capital digits",
  ],
  mutate: compose(otherIds, encodedTrackingKeys, indentedEvents, nullForDefaultKinds, secondSignature),
  rewrite: inSequence(wrapLists(rotated), problemDetails, moreHeaders, unusualJson, headersWithPadding),
};
