import type { ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import { monotonicNow } from "../../../core/clock.ts";
import type { Reaction } from "./reaction.ts";

/** An answer that is planned at once leaves this process within milliseconds. */
const OVERDUE_MS = 1_000;

/** Listeners for delivery attempts that ended while their planned answer was overdue. */
export interface AnswerWatchOptions {
  readonly onOverdue: (what: string, since: number) => void;
  /** True if this process is delayed at the moment: then a short time may have been a long one. */
  readonly isHeldUp: () => boolean;
}

export const UNWATCHED: AnswerWatchOptions = { onOverdue: () => {}, isHeldUp: () => false };

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Detects delivery attempts that the target breaks off before this process has answered them, in the handshake too.
 * They leave no other trace, and the next attempt looks as if it came at the wrong time.
 */
export class AnswerWatch {
  readonly #options: AnswerWatchOptions;
  /** Start of a connection's first attempt. */
  readonly #accepted = new WeakMap<Socket, number>();
  /** Connections whose handshake isn't over, by the peer's address and port. */
  readonly #greeting = new Map<string, number>();
  #isClosed = false;

  constructor(server: Server, options: AnswerWatchOptions) {
    this.#options = options;
    server.on("connection", (socket) => this.#follow(socket));
    server.on("secureConnection", (socket) => {
      const name = nameOf(socket);
      const since = this.#greeting.get(name);
      this.#greeting.delete(name);
      if (since !== undefined) this.#accepted.set(socket, since);
    });
  }

  #follow(socket: Socket): void {
    const name = nameOf(socket);
    this.#greeting.set(name, monotonicNow());
    socket.once("close", () => {
      const since = this.#greeting.get(name);
      this.#greeting.delete(name);
      if (since !== undefined) this.#gaveUp("in the TLS handshake", since);
    });
  }

  /** A request begins. @returns since when it is under way: the first on a connection since that was opened */
  begin(socket: Socket): number {
    const since = this.#accepted.get(socket) ?? monotonicNow();
    this.#accepted.delete(socket);
    return since;
  }

  /** The attempt's body broke off. */
  brokenOff(since: number): void {
    this.#gaveUp("in its body", since);
  }

  /** Registers an attempt's planned answer, and reports a connection that is closed before it. */
  planned(reaction: Reaction, response: ServerResponse, since: number): void {
    if (reaction.kind === "hold") {
      void reaction.until.then(() => this.planned(reaction.reaction, response, monotonicNow()));
      return;
    }
    if (reaction.kind !== "answer") return;
    const gaveUp = () => {
      if (!response.writableFinished) this.#gaveUp("before its answer", since);
    };
    if (response.destroyed) gaveUp();
    else response.once("close", gaveUp);
  }

  #gaveUp(when: string, since: number): void {
    if (this.#isClosed) return;
    if (monotonicNow() - since < OVERDUE_MS && !this.#options.isHeldUp()) return;
    this.#options.onOverdue(`the target gave a delivery attempt up ${when}, which was overdue here`, since);
  }

  /** The receiver closes: later breaks are its own doing. */
  close(): void {
    this.#isClosed = true;
  }
}
