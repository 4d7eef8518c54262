import { createHash } from "node:crypto";
import { drawnUuid } from "../sample-data/drawn.ts";

/**
 * Identifiers of the run's stores: UUIDs whose last group is a checksum of the other groups. A later run
 * without pairing codes recognises these stores by the checksum, and reuses them.
 */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const WHOLE = 36;
const MARK = 12;

const markOf = (before: string): string =>
  createHash("sha256").update(`a store of a run ${before}`).digest("hex").slice(0, MARK);

export function newStoreId(): string {
  const before = drawnUuid().slice(0, -MARK);
  return `${before}${markOf(before)}`;
}

/** The maximum length in the document. An order can't use a longer id. */
export const MAX_EXTERNAL_ID_CHARS = 80;

/** A new identifier of the maximum length that begins with `id`. Only its last group differs between calls. */
export const newLookAlikeId = (id: string): string =>
  `${id}-`.padEnd(MAX_EXTERNAL_ID_CHARS - MARK, "0") + drawnUuid().slice(-MARK);

/** True for the identifier of a run's store, and for a text that begins with such an identifier. */
export function isOwnStoreId(id: string): boolean {
  const whole = id.slice(0, WHOLE);
  return whole.length === WHOLE && whole.endsWith(markOf(whole.slice(0, -MARK)));
}

/** All identifiers of runs' stores in a text. */
export const ownStoreIdsIn = (text: string): readonly string[] =>
  [...text.matchAll(UUID)].map(([id]) => id).filter(isOwnStoreId);
