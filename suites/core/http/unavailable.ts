/** What a balancer answers for a service that is being replaced, or the service itself meanwhile (OPEN-215, OPEN-219). */
const UNAVAILABLE: readonly number[] = [502, 503, 504];
/** Of these, the one that says that nothing was done with the request. */
export const NOT_SERVED = 503;

export const isUnavailable = (status: number): boolean => UNAVAILABLE.includes(status);
