/**
 * Texts that can't be kept as they were sent: PostgreSQL takes no NUL, and half of a surrogate pair is no character, so
 * UTF-8 has no bytes for it. They are refused rather than changed in silence.
 */
import { rejected } from "../errors.ts";

/** Whether it is no text, or one that every database keeps unchanged. */
export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
}

/** Throws DOGRULAMA where a text somewhere in the JSON value can't be kept, or it lies deeper than `depth` levels. */
export function refuseUnstorable(value: unknown, depth: number): void {
  refuseAt(value, depth, []);
}

/** @param path where the value stands; the same list all the way, since few bodies have a fault to be named */
function refuseAt(value: unknown, depth: number, path: string[]): void {
  if (!isStorable(value)) throw rejected(nameOf(path), "metin geçersiz karakter içeriyor");
  if (Buffer.isBuffer(value) || typeof value !== "object" || value === null) return;
  if (depth === 0) throw rejected(nameOf(path.slice(0, 3)), "iç içe çok derin");
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== "string" && typeof member !== "object") continue;
    path.push(key);
    refuseAt(member, depth - 1, path);
    path.pop();
  }
}

function nameOf(path: readonly string[]): string {
  return path.join(".") || "body";
}
