/** Identifiers in a text, whole ones and those that were cut: they differ from run to run. */
export const IDENTIFIERS = /\b[\da-f]{8}-[\da-f-]{0,28}(?![\da-f-])/gi;

/** Times in a text, with a zone or without. */
export const INSTANTS = /[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g;
