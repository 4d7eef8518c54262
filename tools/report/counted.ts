/** So many of something. */
export const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`;
