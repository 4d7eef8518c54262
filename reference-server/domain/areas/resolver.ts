/** Suggests locations for an address without a point (specification, States and transitions). */

import type { Candidate } from "../model.ts";
import { type District, gazetteer } from "./gazetteer.ts";

/** The address as sent, without the directions for the courier. */
interface AddressQuery {
  address: string;
  neighborhood: string | null;
  district: string | null;
  city: string | null;
}

export interface AddressResolver {
  /**
   * At most five candidates, best first. May call another service, so it must not run inside a transaction.
   */
  candidates(query: AddressQuery): Promise<Candidate[]>;
}

export const addressResolver: AddressResolver = {
  async candidates(query) {
    return gazetteer
      .map((entry) => ({ entry, score: scoreOf(entry, query) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 5)
      .map(({ entry, score }) => ({
        text: `${query.address}, ${entry.district}, ${entry.city}`,
        lat: entry.lat,
        lng: entry.lng,
        district: entry.district,
        city: entry.city,
        score,
      }));
  },
};

/** Scores an entry: a matching district counts most, a different city excludes it. */
function scoreOf(entry: District, query: AddressQuery): number {
  const district = folded(entry.district);
  const city = folded(entry.city);
  if (query.city !== null && folded(query.city) !== city) return 0;
  const words = folded(query.address).split(/[^\p{L}\p{N}]+/u);
  if (query.district !== null && folded(query.district) === district) return 1;
  if (words.includes(district)) return words.includes(city) ? 0.9 : 0.8;
  if (query.district === null && (query.city !== null || words.includes(city))) return 0.3;
  return 0;
}

function folded(text: string): string {
  return text.toLocaleLowerCase("tr").trim();
}
