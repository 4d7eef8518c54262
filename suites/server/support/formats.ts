/** `2026-11-21T10:00:00Z` with any fraction: times in responses and events (OPEN-8). */
export const UTC_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?Z$/;

/** The same, or with a zero offset. Only times of responses must end in Z. */
export const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]00:?00)$/;
