/** How a page is cut: one row more than asked for is read, and its presence says that there is more. */

export interface Paging {
  rowsToRead(limit: number): number;
  cut<T>(rows: readonly T[], limit: number): { items: T[]; more: boolean };
}

export const paging: Paging = {
  rowsToRead: (limit) => limit + 1,
  cut: (rows, limit) => ({ items: rows.slice(0, limit), more: rows.length > limit }),
};

/** The first items that are no longer together than a page may be; at least one, so that reading on comes to an end. */
export function fitting<T>(items: readonly T[], bytes: number, sizeOf: (item: T) => number): readonly T[] {
  let sum = 0;
  const tooMuch = items.findIndex((item, index) => {
    sum += sizeOf(item);
    return index > 0 && sum > bytes;
  });
  return tooMuch < 0 ? items : items.slice(0, tooMuch);
}
