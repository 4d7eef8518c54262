/** Filters of lists as SQL conditions, pages, and counts. */
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

/** A page of a list: `limit` items after the first `offset`. */
export interface Section {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The items of a page, the number of all matching items, and their number by state, including unselected
 * states.
 */
export interface SearchResult<Item> {
  readonly items: Item[];
  readonly total: number;
  readonly byState: Readonly<Record<string, number>>;
}

/** True if a column contains the text. Latin letters are case-insensitive. */
export function holdsText(column: Expression<string | null>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`;
}

/** Counts items by state. `state` is the selected state; undefined if no state is selected. */
export function totals(
  rows: readonly { readonly state: string; readonly count: number | string | bigint }[],
  state: string | undefined,
): { total: number; byState: Record<string, number> } {
  const byState = Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]));
  const all = Object.values(byState).reduce((sum, count) => sum + count, 0);
  return { byState, total: state === undefined ? all : (byState[state] ?? 0) };
}
