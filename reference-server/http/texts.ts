/** Refuses text that can't be stored: PostgreSQL rejects NUL, and UTF-8 can't encode a lone surrogate. */
import { rejected } from "../errors.ts";

/** True for a value that every database can store. */
export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
}

/** Throws DOGRULAMA for unstorable text in a JSON value, or for a value with more than `depth` levels. */
export function refuseUnstorable(value: unknown, depth: number): void {
  refuseAt(value, depth, []);
}

/** @param path the value's path; one mutable list, because few bodies have an error */
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
