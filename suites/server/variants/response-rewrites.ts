import { isObject } from "../../core/json.ts";
import type { PassingResponse, Rewrite } from "./proxy.ts";

type Members = Record<string, unknown>;

/** Rebuilds a JSON value, applying `change` to each object from the inside out. */
export function mapObjects(value: unknown, change: (members: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapObjects(entry, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapObjects(member, change)])),
  );
}

/** Rebuilds a JSON value, applying `change` to each string. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, change)]));
}

const MILLISECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3})Z$/;

/** OPEN-8: times with microseconds. */
export const inMicroseconds = (text: string): string => text.replace(MILLISECONDS, "$1.$2000Z");

/** OPEN-8: whole seconds have no fraction. */
export const withoutZeros = (text: string): string => text.replace(/\.000Z$/, "Z");

/** OPEN-8: times without a fraction. */
export const inSeconds = (text: string): string => text.replace(MILLISECONDS, "$1Z");

export const withoutNulls = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== null));

let objectCount = 0;

/** OPEN-27: additional members, some with another value or name each time. */
export function withExtraMembers(members: Members): Members {
  objectCount += 1;
  return {
    zz_extra: { nested: [objectCount, "x", null] },
    zz_links: [{ rel: "help", href: "/docs" }],
    ...Object.fromEntries(Object.entries(members).reverse()),
    [`x-trace-${objectCount}`]: true,
  };
}

export const onJson =
  (change: (json: unknown, response: PassingResponse) => unknown): Rewrite =>
  (response) => {
    if (response.json !== undefined) response.json = change(response.json, response);
  };

/** Lists with an unspecified wrapper (OPEN-79, OPEN-111). */
const OPEN_LISTS = ["/v1/stores", "/v1/webhooks", "/v1/payment-types"];

export const wrapLists = (wrap: (items: unknown) => unknown): Rewrite =>
  onJson((json, { method, path, status }) =>
    method === "GET" && status === 200 && OPEN_LISTS.includes(path) && isObject(json)
      ? wrap(json.items)
      : json,
  );

/** Replaces status and body of an operation's success. */
export const replaceSuccess = (
  matches: (response: PassingResponse) => boolean,
  status: number,
  json: (json: unknown) => unknown = (same) => same,
): Rewrite => {
  return (response) => {
    if (response.status > 299 || !matches(response)) return;
    response.status = status;
    response.json = json(response.json);
    if (response.json !== undefined) return;
    response.bytes = Buffer.alloc(0);
    delete response.headers["content-type"];
  };
};

export const isReading = ({ method }: PassingResponse): boolean => method === "GET";
export const isPatch = ({ method }: PassingResponse): boolean => method === "PATCH";
export const isRotation = ({ path }: PassingResponse): boolean => path.endsWith("/rotate");
export const isCancellation = ({ path }: PassingResponse): boolean => path.endsWith("/cancel");

export const inSequence =
  (...alterations: readonly Rewrite[]): Rewrite =>
  async (response) => {
    for (const alter of alterations) await alter(response);
  };

/** Header names in another case, which HTTP ignores. */
export const headersInTitleCase: Rewrite = (response) => {
  response.headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]),
  );
};

/** Spaces and a tab after each header value, which aren't part of it (RFC 9110, 5.5). */
export const headersWithPadding: Rewrite = (response) => {
  response.headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, `${value} \t`]),
  );
};

/** OPEN-221: the reset as a Unix time in seconds with decimals. */
export const resetAsInstant =
  (now: () => number): Rewrite =>
  (response) => {
    const reset = response.headers["x-ratelimit-reset"];
    if (reset === undefined) return;
    response.headers["x-ratelimit-reset"] = (now() / 1000 + Number(reset)).toFixed(3);
  };

/** Lists the policy after the limit, as some gateways do. */
export const limitWithPolicy: Rewrite = ({ headers }) => {
  const limit = headers["x-ratelimit-limit"];
  if (limit !== undefined) headers["x-ratelimit-limit"] = `${limit}, ${limit};w=60`;
};

/** Compresses bodies although no Accept-Encoding was sent, because its absence allows any encoding. */
export const gzipped: Rewrite = (response) => {
  response.coding = "gzip";
};

/** Sends an unrequested interim response, which a client must accept (RFC 9110, 15.2). */
export const withInterimResponse =
  (status: 100 | 103): Rewrite =>
  (response) => {
    response.interim = status;
  };

const PER_ADDRESS = 300;
const TOKENS_PER_ADDRESS = 30;

/** OPEN-225: the token endpoint shows the limit of requests without a token. */
export const tokenLimitOfTheAddress: Rewrite = ({ path, headers }) => {
  if (path !== "/oauth/token") return;
  const left = Number(headers["x-ratelimit-remaining"]) + PER_ADDRESS - TOKENS_PER_ADDRESS;
  headers["x-ratelimit-limit"] = String(PER_ADDRESS);
  headers["x-ratelimit-remaining"] = String(left);
};
