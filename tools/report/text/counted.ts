/** A number with its noun. */
export const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`;
