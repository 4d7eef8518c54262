/** The list's cursor: the place after the last delivery seen, in a form that isn't guessed or half-copied unnoticed. */
import { hash } from "node:crypto";

/** A place in the order of changes; ties in time are told apart by the number of the change. */
export interface ListPosition {
  updated_at: number;
  change_number: number;
}

export interface Cursor {
  encode(place: ListPosition): string;
  /** Undefined for whatever `encode` didn't make. */
  decode(text: string): ListPosition | undefined;
}

export const cursor: Cursor = {
  encode({ updated_at, change_number }) {
    const place = `${updated_at}.${change_number}`;
    return Buffer.from(`${place}.${check(place)}`).toString("base64url");
  },
  decode(text) {
    const plain = Buffer.from(text, "base64url").toString("latin1");
    const match = /^((\d{1,15})\.(\d{1,15}))\.([0-9a-f]{8})$/.exec(plain);
    if (match === null || match[4] !== check(match[1] ?? "")) return undefined;
    return { updated_at: Number(match[2]), change_number: Number(match[3]) };
  },
};

function check(place: string): string {
  return hash("sha256", `cursor ${place}`).slice(0, 8);
}
