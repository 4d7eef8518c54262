/** Statuses of a load balancer, or of a service that is being replaced (OPEN-215, OPEN-219). */
const UNAVAILABLE: readonly number[] = [502, 503, 504];
/** The status for a request that had no effect. */
export const NOT_SERVED = 503;

export const isUnavailable = (status: number): boolean => UNAVAILABLE.includes(status);
