/** How a page is cut: one row more than asked for is read, and its presence says that there is more. */

export interface Paging {
  rowsToRead(limit: number): number;
  cut<T>(rows: readonly T[], limit: number): { items: T[]; more: boolean };
}

export const paging: Paging = {
  rowsToRead: (limit) => limit + 1,
  cut: (rows, limit) => ({ items: rows.slice(0, limit), more: rows.length > limit }),
};
