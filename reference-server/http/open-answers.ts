/**
 * Which connections have an answer on its way. Whoever is told of a broken request (`clientError`) is given its socket
 * alone, and Node tells by no public name which answer that is busy with; so it is noted as requests come in.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** @returns whether the head of an answer was sent over a connection of the server, and its end was not */
export function openAnswersOf(server: Server): (socket: Socket) => boolean {
  /** Answers that weren't closed, in the order of their requests, which is that of their sending. */
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
