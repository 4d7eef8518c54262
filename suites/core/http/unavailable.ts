/** Answers of a balancer for a service that is being replaced, or of that service (OPEN-215, OPEN-219). */
const UNAVAILABLE: readonly number[] = [502, 503, 504];
/** The status that says that the request had no effect. */
export const NOT_SERVED = 503;

export const isUnavailable = (status: number): boolean => UNAVAILABLE.includes(status);
