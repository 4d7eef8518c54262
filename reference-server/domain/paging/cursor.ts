/** The list's cursor: the position after the last delivery of a page, with a checksum against truncated cursors. */
import { hash } from "node:crypto";

/** A position in the order of changes. The change number breaks ties in time. */
export interface ListPosition {
  updated_at: number;
  change_number: number;
}

export interface Cursor {
  encode(place: ListPosition): string;
  /** Undefined for a text that `encode` didn't create. */
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
