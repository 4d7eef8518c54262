import { Agent, buildConnector, request } from "undici";
import { headersIn } from "./header-profiles.ts";
import { type HttpClient, MOST_CONNECTIONS, type ProgramOptions } from "./http-client.ts";
import { withoutInterimResponses } from "./interim-responses.ts";

/** Sends through undici, the base of Node's fetch. */
export function undiciClient({ style, connectMs, answerMs, localAddress }: ProgramOptions): HttpClient {
  const options: Agent.Options = {
    connect: withoutInterimResponses(
      buildConnector({
        timeout: connectMs,
        // The addresses to come from are IPv4, so that a name's IPv6 address is of no use.
        ...(localAddress !== undefined && { autoSelectFamily: false, family: 4 }),
      }),
    ),
    // The pool's own option: among those of its connector it would be ignored.
    ...(localAddress !== undefined && { localAddress }),
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  };
  const kept = new Agent({ ...options, connections: MOST_CONNECTIONS });
  const fresh = new Agent({ ...options, pipelining: 0 });
  return {
    async send(url, outgoing) {
      const { method, body, signal } = outgoing;
      const {
        statusCode,
        headers,
        body: answered,
      } = await request(url, {
        method,
        headers: Object.fromEntries(headersIn(style, outgoing.headers)),
        body,
        signal,
        dispatcher: outgoing.fresh ? fresh : kept,
        ...(outgoing.answerMs !== undefined && {
          headersTimeout: outgoing.answerMs,
          bodyTimeout: outgoing.answerMs,
        }),
      });
      return { status: statusCode, headers, body: answered };
    },
    close: () => Promise.all([kept.destroy(), fresh.destroy()]),
  };
}
