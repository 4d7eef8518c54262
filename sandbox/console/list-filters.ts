/** The filters of the console's lists, as query parameters. */
import { isInstant, parseInstant } from "../../reference-server/domain/instants.ts";
import { rejected } from "../../reference-server/errors.ts";
import type { Section } from "../records/search/searching.ts";
import type { ListFilter } from "./types.ts";

const usual = 50;
const most = 200;

/** The requested page. Throws DOGRULAMA. */
export function sectionOf({ limit, offset }: ListFilter): Section {
  return { limit: whole("limit", limit, usual, 1, most), offset: whole("offset", offset, 0, 0, 1e9) };
}

/** The filter's text and times; a member is undefined if it doesn't filter. Throws DOGRULAMA for an invalid time. */
export function spanOf({ text, from, to }: ListFilter): { text?: string; from?: number; to?: number } {
  const wanted = text?.trim();
  return {
    ...(wanted && { text: wanted }),
    ...(from && { from: instant("from", from) }),
    ...(to && { to: instant("to", to) }),
  };
}

function whole(name: string, text: string | undefined, usually: number, least: number, greatest: number) {
  if (!text) return usually;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= greatest) return number;
  throw rejected(name, `${least} ile ${greatest} arasında bir tam sayı olmalı`);
}

function instant(name: string, text: string): number {
  if (!isInstant(text)) throw rejected(name, "saat dilimli bir zaman olmalı");
  return parseInstant(text);
}
