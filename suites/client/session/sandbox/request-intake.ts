import type { IncomingMessage } from "node:http";

type Incoming = Pick<IncomingMessage, "method" | "url" | "rawHeaders"> & AsyncIterable<Buffer>;

const MB = 1024 * 1024;
/** Twice the service's limit. */
const MAX_BODY_MB = 2;
/** Far more requests than a run has. They need little memory. */
const MAX_REQUESTS = 50_000;
const MAX_KEPT_BYTES = 128 * MB;
/** The estimated memory of a JSON value in bytes. */
const VALUE_BYTES = 64;
const BEFORE_VALUES: readonly number[] = [..."[{,"].map((character) => character.charCodeAt(0));

/** @throws Error for a body beyond the limit */
async function readBody(incoming: Incoming): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > MAX_BODY_MB * MB) throw new Error(`a body of more than ${MAX_BODY_MB} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The estimated memory in bytes of a body that is kept as bytes, as text and as JSON. */
function keptSizeOf(body: Buffer): number {
  let values = 0;
  for (const byte of body) if (BEFORE_VALUES.includes(byte)) values += 1;
  return 2 * body.length + VALUE_BYTES * values;
}

/** Reads requests within the limits of a run's memory. */
export class RequestIntake {
  readonly #cutOff: (text: string) => void;
  #hasCutOff = false;
  #requests = 0;
  #keptBytes = 0;
  #excess: string | undefined;
  readonly #exceeded = Promise.withResolvers<string>();

  /** @param cutOff called at the first request with a body beyond the limit */
  constructor(cutOff: (text: string) => void) {
    this.#cutOff = cutOff;
  }

  /** Resolves with a message when the client exceeds the limits of a run. */
  get exceeded(): Promise<string> {
    return this.#exceeded.promise;
  }

  /**
   * Returns the body of a request.
   * @throws Error if the request, or the run, exceeds a limit
   */
  async readLimited(incoming: Incoming): Promise<Buffer> {
    if (this.#excess !== undefined) throw new Error(this.#excess);
    const body = await readBody(incoming).catch((error: Error) => {
      if (!this.#hasCutOff)
        this.#cutOff(`${incoming.method} ${incoming.url?.slice(0, 100)} was cut off: ${error.message}`);
      this.#hasCutOff = true;
      throw error;
    });
    this.#requests += 1;
    this.countKeptBytes(Buffer.from([incoming.url ?? "", ...incoming.rawHeaders].join("")), body);
    if (this.#requests <= MAX_REQUESTS && this.#keptBytes <= MAX_KEPT_BYTES) return body;
    const megabytes = Math.round(this.#keptBytes / MB);
    this.#excess = `the client has sent ${this.#requests} requests, which take ${megabytes} MB with their responses: more than the limit of a run`;
    this.#exceeded.resolve(this.#excess);
    throw new Error(this.#excess);
  }

  /** Counts bytes that the run keeps. */
  countKeptBytes(...bytes: readonly Buffer[]): void {
    for (const some of bytes) this.#keptBytes += keptSizeOf(some);
  }
}
