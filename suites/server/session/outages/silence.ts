import { isoInstant } from "../../../core/clock.ts";

/** An observation of a target that doesn't respond itself. */
export interface Silence {
  readonly why: string;
  /** The proxy and its response, as the start of a sentence. Undefined if nothing responds. */
  readonly proxyPage?: string;
}

const timeOfDay = (milliseconds: number): string => isoInstant(milliseconds).slice(11, 19);

/**
 * The interval in which a proxy responded, for comparison with a balancer's log.
 * @param from its start as Unix time in milliseconds
 * @param to its end, or the end of the wait
 */
export const answeredByProxy = (proxyPage: string, from: number, to: number): string =>
  `${proxyPage} from ${timeOfDay(from)} to ${timeOfDay(to)} UTC`;
