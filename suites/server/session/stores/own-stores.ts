import { createHash, randomUUID } from "node:crypto";

/**
 * Identifiers of the stores that a run links: UUIDs as those of any client. Their last group follows from the others. A
 * later run can so find a store to use when no pairing code is left, and no two foreign stores look like one by chance.
 */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const WHOLE = 36;
const MARK = 12;

const markOf = (before: string): string =>
  createHash("sha256").update(`a store of a run ${before}`).digest("hex").slice(0, MARK);

export function newStoreId(): string {
  const before = randomUUID().slice(0, -MARK);
  return `${before}${markOf(before)}`;
}

/** True if it is, or begins with, the identifier of a run's store. */
export function isOwnStoreId(id: string): boolean {
  const whole = id.slice(0, WHOLE);
  return whole.length === WHOLE && whole.endsWith(markOf(whole.slice(0, -MARK)));
}

/** Such identifiers in a text. */
export const ownStoreIdsIn = (text: string): readonly string[] =>
  [...text.matchAll(UUID)].map(([id]) => id).filter(isOwnStoreId);
