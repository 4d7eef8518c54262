/** Identifiers in a text, complete or cut. They differ in each run. */
export const IDENTIFIERS = /\b[\da-f]{8}-[\da-f-]{0,28}(?![\da-f-])/gi;

/** Times in a text, with a zone or without. */
export const INSTANTS = /[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g;
