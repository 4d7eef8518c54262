/** Pages of lists. One more row is read than requested, which shows whether there is a next page. */

export interface Paging {
  rowsToRead(limit: number): number;
  cut<T>(rows: readonly T[], limit: number): { items: T[]; more: boolean };
}

export const paging: Paging = {
  rowsToRead: (limit) => limit + 1,
  cut: (rows, limit) => ({ items: rows.slice(0, limit), more: rows.length > limit }),
};

/** As many items as fit into the size, but at least one, so that paging always ends. */
export function fitting<T>(items: readonly T[], bytes: number, sizeOf: (item: T) => number): readonly T[] {
  let sum = 0;
  const tooMuch = items.findIndex((item, index) => {
    sum += sizeOf(item);
    return index > 0 && sum > bytes;
  });
  return tooMuch < 0 ? items : items.slice(0, tooMuch);
}
