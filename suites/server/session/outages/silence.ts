import { isoInstant } from "../../../core/clock.ts";

/** Observation of a target that doesn't answer as itself. */
export interface Silence {
  readonly why: string;
  /** The proxy and its answer, as the beginning of a sentence. Undefined if nothing answers. */
  readonly proxyPage?: string;
}

const timeOfDay = (milliseconds: number): string => isoInstant(milliseconds).slice(11, 19);

/**
 * An interval in which a proxy answered, as a person can find it in a balancer's log.
 * @param from when it was noticed
 * @param to when it was over or no longer waited for, both in milliseconds since 1970
 */
export const answeredByProxy = (proxyPage: string, from: number, to: number): string =>
  `${proxyPage} from ${timeOfDay(from)} to ${timeOfDay(to)} UTC`;
