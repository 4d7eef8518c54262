import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The last response sent on a connection. */
interface Sent {
  /** The number of received bytes when it was sent. More bytes are the next request. */
  readonly bytesRead: number;
  readonly onUnread: () => void;
}

/**
 * Sends responses on loopback connections, and finds out which of them the client can't have read. If the
 * client closed the connection before a response was sent, the next poll for events reports the close. If it
 * closes the connection later without reading the response, the system resets the connection.
 */
export class ReceiptWatch {
  readonly #last = new WeakMap<Socket, Sent>();

  /** @param onUnread called if the client can't have read the response */
  send(outgoing: ServerResponse, bytes: Buffer, onUnread: () => void): void {
    const { socket } = outgoing;
    if (!socket?.writable) {
      onUnread();
      return;
    }
    if (!this.#last.has(socket)) socket.once("close", (isReset) => this.#closed(socket, isReset));
    this.#last.set(socket, { bytesRead: socket.bytesRead, onUnread });
    outgoing.end(bytes);
    // The first callback may follow events that were polled before the response was sent.
    setImmediate(() =>
      setImmediate(() => {
        if (socket.readableEnded) onUnread();
      }),
    );
  }

  #closed(socket: Socket, isReset: boolean): void {
    const last = this.#last.get(socket);
    if (isReset && last?.bytesRead === socket.bytesRead) last.onUnread();
  }
}
