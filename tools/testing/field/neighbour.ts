import { setTimeout as pause } from "node:timers/promises";

interface NeighbourOptions {
  /** The service's URL, through the proxy that gives all clients the same IP address. */
  readonly url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** A third of the limits for an IP address: per minute 300 requests without a token, and 30 token requests. */
const ANONYMOUS_PER_MINUTE = 100;
const TOKENS_PER_MINUTE = 10;

/** Another client at the same IP address, which sends requests at a steady rate and ignores the responses. */
export function startNeighbour({ url, ...credentials }: NeighbourOptions): { stop(): Promise<void> } {
  const end = new AbortController();
  const often = async (aMinute: number, ask: () => Promise<Response>) => {
    while (!end.signal.aborted) {
      await ask()
        .then((answer) => answer.arrayBuffer())
        .catch(() => {});
      await pause(60_000 / aMinute, undefined, { signal: end.signal }).catch(() => {});
    }
  };
  const asking = Promise.all([
    often(ANONYMOUS_PER_MINUTE, () => fetch(`${url}/healthz`, { signal: end.signal })),
    often(TOKENS_PER_MINUTE, () =>
      fetch(`${url}/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ grant_type: "client_credentials", ...credentials }),
        signal: end.signal,
      }),
    ),
  ]);
  return {
    async stop() {
      end.abort();
      await asking;
    },
  };
}
