import { isDeepStrictEqual } from "node:util";
import type { Schemas } from "../../../core/contract/document.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { segmentText } from "../../../core/http/path-segment.ts";
import { isObject } from "../../../core/json.ts";
import type { Api } from "../../session/http/api.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import type { Transport } from "../../session/http/transport.ts";
import type { Point } from "../../session/sample-data/settings.ts";

export const getTracking = (anonymous: Api, key: string) => anonymous.call("getTracking", { path: { key } });

/** Possible keys in a tracking_url (OPEN-54): decoded parts of path, query and fragment, longest first. */
function possibleKeys(trackingUrl: string | null | undefined): readonly string[] {
  const url = URL.parse(trackingUrl ?? "");
  if (!url) return [];
  const encoded = [...url.pathname.split("/"), ...url.hash.split(/[#/?&=]/)];
  const pieces = [...encoded.map(segmentText), ...url.searchParams.values()];
  return [...new Set(pieces)].filter(Boolean).toSorted((a, b) => b.length - a.length);
}

type TrackingResponse = ApiResponse<"getTracking">;

/** The tracking data of a tracking_url. Undefined if no part of it is a key that returns data. */
async function trackingDataOf(
  anonymous: Api,
  trackingUrl: string | null | undefined,
): Promise<TrackingResponse | undefined> {
  for (const key of possibleKeys(trackingUrl)) {
    const response = await getTracking(anonymous, key);
    if (response.status === 200) return response;
  }
  return undefined;
}

/** True if a part of a tracking_url is a key that returns tracking data. */
export const containsTrackingKey = async (anonymous: Api, trackingUrl: string): Promise<boolean> =>
  (await trackingDataOf(anonymous, trackingUrl)) !== undefined;

/** The texts without digits in tracking data. Times, estimates, positions and keys contain digits. */
const wordsIn = ({ json }: TrackingResponse): readonly string[] =>
  leaves(json).filter((leaf) => !/\d/.test(leaf));

/**
 * True if two tracking_urls lead to the same data. A server may create a new key for each response, so equal data
 * is enough.
 */
export async function leadToSameData(
  anonymous: Api,
  one: string | null | undefined,
  other: string | null | undefined,
): Promise<boolean> {
  if (one === other) return true;
  const [data, otherData] = [await trackingDataOf(anonymous, one), await trackingDataOf(anonymous, other)];
  return (
    data !== undefined && otherData !== undefined && isDeepStrictEqual(wordsIn(data), wordsIn(otherData))
  );
}

/** The text before and after the key in the tracking_urls of a target, once a key has been found. */
const urlPartsAroundKey = new WeakMap<Transport, readonly [string, string]>();

/**
 * The key in a delivery's tracking_url, without a request if an earlier key was in the same place, because a target accepts 60
 * tracking requests a minute. The caller has to read the key's data itself.
 */
export async function extractTrackingKey(anonymous: Api, delivery: Schemas["Delivery"]): Promise<string> {
  const url = delivery.tracking_url ?? "";
  const [before, after] = urlPartsAroundKey.get(anonymous.options.transport) ?? ["", ""];
  const key = url.slice(before.length, url.length - after.length);
  const isInPlace = before !== "" && url === `${before}${key}${after}` && /^[\w-]+$/.test(key);
  return isInPlace ? key : findTrackingKey(anonymous, delivery);
}

/** The statuses for an unknown key (OPEN-172). */
const UNKNOWN_KEY_STATUSES = [400, 404, 410];

/** True for an error of the API, which always has a code (Errors). A framework's 404 has no code. */
const hasErrorCode = ({ json }: ApiResponse<"getTracking">): boolean =>
  isObject(json) && isObject(json.error) && typeof json.error.code === "string";

/**
 * The key in a delivery's tracking_url.
 * @throws CheckFailure if no key gets even an error of the API; CheckSkipped if the URL doesn't contain the
 * key
 */
export async function findTrackingKey(
  anonymous: Api,
  { tracking_url }: Schemas["Delivery"],
): Promise<string> {
  const refusals: ApiResponse<"getTracking">[] = [];
  for (const key of possibleKeys(tracking_url)) {
    const response = await getTracking(anonymous, key);
    if (!UNKNOWN_KEY_STATUSES.includes(response.status)) {
      response.expectStatus(200);
      const [before = "", after, ...others] = (tracking_url ?? "").split(key);
      if (after !== undefined && others.length === 0)
        urlPartsAroundKey.set(anonymous.options.transport, [before, after]);
      return key;
    }
    refusals.push(response);
  }
  const [first] = refusals;
  if (first && !refusals.some(hasErrorCode)) {
    throw first.failure({
      subject: "getTracking",
      relation: "to answer",
      expected: 200,
      actual: `${first.status} without an error code`,
      note: "every part of the tracking_url gets this response; is getTracking implemented?",
    });
  }
  throw new CheckSkipped(
    first
      ? `getTracking answered ${first.status} to every part of the tracking_url: it isn't implemented yet, or the key is elsewhere`
      : `the tracking_url is ${tracking_url}, which contains no key`,
  );
}

/** The texts and numbers in a JSON value, at any depth. */
export function leaves(json: unknown): readonly string[] {
  if (typeof json === "object" && json !== null) return Object.values(json).flatMap(leaves);
  return typeof json === "string" || typeof json === "number" ? [String(json)] : [];
}

/** A server may round a position to about 100 m. */
export const ROUNDING_DEGREES = 0.001;

/** True if the data contains both coordinates of a point in any notation. */
export function containsPoint({ json }: ApiResponse<"getTracking">, { lat, lng }: Point): boolean {
  const numbers = leaves(json)
    .flatMap((leaf) => leaf.match(/-?(?<!\d)\d+\.\d+/g) ?? [])
    .map(Number);
  return [lat, lng].every((degree) => numbers.some((number) => Math.abs(number - degree) < ROUNDING_DEGREES));
}
