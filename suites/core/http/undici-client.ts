import { Agent, buildConnector, request } from "undici";
import { headersIn } from "./header-profiles.ts";
import { type HttpClient, MAX_CONNECTIONS, type ProgramOptions } from "./http-client.ts";
import { withoutInterimResponses } from "./interim-responses.ts";

/** An HTTP client based on undici, which Node's fetch uses. */
export function undiciClient({ style, connectMs, answerMs, localAddress }: ProgramOptions): HttpClient {
  const options: Agent.Options = {
    connect: withoutInterimResponses(
      buildConnector({
        timeout: connectMs,
        // The local source addresses are IPv4, so IPv6 addresses of a name can't be used.
        ...(localAddress !== undefined && { autoSelectFamily: false, family: 4 }),
      }),
    ),
    // An option of the pool, which ignores it among the connector's options.
    ...(localAddress !== undefined && { localAddress }),
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  };
  const reused = new Agent({ ...options, connections: MAX_CONNECTIONS });
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
        dispatcher: outgoing.fresh ? fresh : reused,
        ...(outgoing.answerMs !== undefined && {
          headersTimeout: outgoing.answerMs,
          bodyTimeout: outgoing.answerMs,
        }),
      });
      return { status: statusCode, headers, body: answered };
    },
    close: () => Promise.all([reused.destroy(), fresh.destroy()]),
  };
}
