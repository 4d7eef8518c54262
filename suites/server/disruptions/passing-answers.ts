import type { Exchange } from "../../core/exchange.ts";

/** Requests that are alike to the letter, and were answered as something that stands before a service may answer. */
interface Doubtful<Found> {
  readonly first: Found;
  times: number;
  /** Whether the last answer to the same request was one of the service's own; undefined where it wasn't sent again. */
  isAnsweredSince?: boolean;
  /** Whether another request of its form was answered by the service since. */
  isFormAnsweredSince: boolean;
}

const MEMBER_NAME = /"((?:[^"\\]|\\.)*)"\s*:/g;

const letterOf = ({ method, url, requestBody = "" }: Exchange): string => `${method} ${url} ${requestBody}`;

/** What is the same of requests that ask the same of other records: a check that is tried again has data of its own. */
function formOf({ operation, url, violates = "", requestBody = "" }: Exchange): string {
  const names = new Set([...requestBody.matchAll(MEMBER_NAME)].map(([, name]) => name));
  return [operation, new URL(url).search, violates, ...names].join(" ");
}

/**
 * Answers of which it shows only later whose they are: what a balancer says in a service's place passes, so that the
 * request is answered by the service when it is sent again. Where it isn't sent again to the letter, since it would do
 * something twice, one of its form that is answered speaks for it.
 */
export class PassingAnswers<Found> {
  readonly #doubtful = new Map<string, Doubtful<Found>>();
  readonly #byForm = new Map<string, Set<Doubtful<Found>>>();

  doubt(exchange: Exchange, found: Found): void {
    const letter = letterOf(exchange);
    const known = this.#doubtful.get(letter);
    if (known) {
      known.times += 1;
      known.isAnsweredSince = false;
      return;
    }
    const doubtful: Doubtful<Found> = { first: found, times: 1, isFormAnsweredSince: false };
    this.#doubtful.set(letter, doubtful);
    const form = formOf(exchange);
    this.#byForm.set(form, (this.#byForm.get(form) ?? new Set()).add(doubtful));
  }

  /** Told of each answer that is the service's own. */
  answered(exchange: Exchange): void {
    if (this.#doubtful.size === 0) return;
    const same = this.#doubtful.get(letterOf(exchange));
    if (same) same.isAnsweredSince = true;
    for (const one of this.#byForm.get(formOf(exchange)) ?? []) one.isFormAnsweredSince = true;
  }

  /** Those that came again, or of whose form nothing was answered since: they are the service's. */
  get lasting(): readonly { readonly first: Found; readonly times: number }[] {
    return [...this.#doubtful.values()].filter((one) => !isPassing(one));
  }

  /** How many passed. */
  get passed(): number {
    return [...this.#doubtful.values()].filter(isPassing).reduce((sum, { times }) => sum + times, 0);
  }
}

const isPassing = ({ isAnsweredSince, isFormAnsweredSince }: Doubtful<unknown>): boolean =>
  isAnsweredSince ?? isFormAnsweredSince;
