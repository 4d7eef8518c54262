/** What people look for in lists, as conditions; the page that they look at, and how many there are in all. */
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

/** A part of a list: `limit` of what there is after the first `offset`. */
export interface Section {
  readonly limit: number;
  readonly offset: number;
}

/** What is on a page, and how many there are on all of them; by state too, whatever state was looked for. */
export interface Found<Item> {
  readonly items: Item[];
  readonly total: number;
  readonly byState: Readonly<Record<string, number>>;
}

/** Whether a column holds the text, whatever the case of its Latin letters. */
export function holdsText(column: Expression<string | null>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`;
}

/** Counts by state; `state` is the one that was looked for, if any. */
export function totals(
  rows: readonly { readonly state: string; readonly count: number | string | bigint }[],
  state: string | undefined,
): { total: number; byState: Record<string, number> } {
  const byState = Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]));
  const all = Object.values(byState).reduce((sum, count) => sum + count, 0);
  return { byState, total: state === undefined ? all : (byState[state] ?? 0) };
}
