/**
 * Tracks connections with a response in progress, because Node has no public way to find the open response of
 * a socket.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** @returns a test of a socket: true between the head of a response and its end */
export function openAnswersOf(server: Server): (socket: Socket) => boolean {
  /** Open responses in the order of their requests, which is the order in which they are sent. */
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener("request", ({ socket }, response) => {
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(response));
    response.once("close", () => answers.delete(response));
  });
  return (socket) => {
    const next = [...(open.get(socket) ?? [])].find((answer) => !answer.writableFinished);
    return next?.headersSent === true;
  };
}
