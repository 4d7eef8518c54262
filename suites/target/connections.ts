import { Agent, type Dispatcher, errors, request } from "undici";

/** Where requests go out. */
export interface Connections {
  /** Over connections that are kept open. */
  readonly kept: Agent;
  /** Each over a connection of its own. */
  readonly single: Agent;
}

export const connectionsWith = (options: Agent.Options): Connections => ({
  kept: new Agent({ ...options, connections: 32 }),
  single: new Agent({ ...options, pipelining: 0 }),
});

const RESET = ["ECONNRESET", "EPIPE"];

/** Whether a connection went away that may have been open before: a server ends an idle one when it likes (RFC 9112, 9.5). */
function wentAway(error: unknown): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return error instanceof Error && "code" in error && RESET.includes(String(error.code));
}

/**
 * Sends a request and waits for the headers of its answer. A connection that was kept open and is closed just then says
 * nothing about the server: the request is sent once more, on a new one.
 */
export async function requestOver(
  { kept, single }: Connections,
  url: string,
  options: Omit<NonNullable<Parameters<typeof request>[1]>, "dispatcher">,
): Promise<Dispatcher.ResponseData<unknown>> {
  try {
    return await request(url, { ...options, dispatcher: kept });
  } catch (error) {
    if (!wentAway(error)) throw error;
    return request(url, { ...options, dispatcher: single });
  }
}
