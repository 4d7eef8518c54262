import type { Schemas } from "../../core/contract/document.ts";
import { NotTestable } from "../../core/grading/failure.ts";
import type { Api } from "../session/api.ts";

/** The tracking data of a key, as whoever has the key gets it. */
export const getTracking = (anonymous: Api, key: string) => anonymous.call("getTracking", { path: { key } });

/** Where the key may stand in a tracking_url (OPEN-54): pieces of path, query and fragment, the longest first. */
function candidates(trackingUrl: string | null | undefined): readonly string[] {
  const url = URL.parse(trackingUrl ?? "");
  if (!url) return [];
  const pieces = [...url.pathname.split("/"), ...url.searchParams.values(), ...url.hash.split(/[#/?&=]/)];
  return [...new Set(pieces)].filter(Boolean).toSorted((a, b) => b.length - a.length);
}

/** How a key that is unknown may be answered (OPEN-172). */
const UNKNOWN = [400, 404, 410];

/**
 * The key of a delivery's tracking_url.
 * @throws NotTestable where the key isn't found in the address
 */
export async function trackingKeyOf(anonymous: Api, { tracking_url }: Schemas["Delivery"]): Promise<string> {
  for (const key of candidates(tracking_url)) {
    const answer = await getTracking(anonymous, key);
    if (UNKNOWN.includes(answer.status)) continue;
    answer.hasStatus(200);
    return key;
  }
  throw new NotTestable(`no part of ${tracking_url} is a key that the tracking endpoint knows`);
}
