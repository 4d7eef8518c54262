import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ReportedExchange } from "./exchange.ts";

/** Characters of a body that are searched for secrets, and those that are kept: a run has thousands of bodies. */
export const WIRE_BOUNDS = { read: 3_000, shown: 1_500 };
/** Bounds for a failed check, whose exchanges somebody will read. */
export const FAILED_WIRE_BOUNDS = { read: 32_000, shown: 16_000 };

/**
 * Number of the first and last exchanges of a check that are kept if there are more: long checks repeat their requests.
 */
const MOST_KEPT = 600;

/** All that a check sent and got, as text that is small enough to be kept of each: base64 of raw deflate of JSON. */
export const packWire = (exchanges: readonly ReportedExchange[]): string =>
  deflateRawSync(JSON.stringify(exchanges)).toString("base64");

export const unpackWire = (wire: string): readonly ReportedExchange[] =>
  JSON.parse(inflateRawSync(Buffer.from(wire, "base64")).toString());

/** Keeps exchanges while a check runs: as many of the first as of the last. */
export class WireLog<Exchange> {
  readonly #first: Exchange[] = [];
  #last: Exchange[] = [];

  readonly add = (exchange: Exchange): void => {
    if (this.#first.length < MOST_KEPT / 2) {
      this.#first.push(exchange);
      return;
    }
    this.#last.push(exchange);
    if (this.#last.length >= MOST_KEPT) this.#last = this.#last.slice(-MOST_KEPT / 2);
  };

  /** In their order. */
  get exchanges(): readonly Exchange[] {
    return [...this.#first, ...this.#last.slice(-MOST_KEPT / 2)];
  }
}
