import type { ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import { monotonicNow } from "../../../core/clock.ts";
import type { Reaction } from "./reaction.ts";

/** Milliseconds. An immediate response leaves this process much sooner. */
const OVERDUE_MS = 1_000;

/** Callbacks for delivery attempts that ended while their response was overdue. */
export interface AnswerWatchOptions {
  readonly onOverdue: (what: string, since: number) => void;
  /** Returns true while this process is delayed, so that measured times may be wrong. */
  readonly isDelayed: () => boolean;
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Detects delivery attempts that the target breaks off before this process has responded, including during the
 * TLS handshake. Such attempts leave no other trace, and make the next attempt seem mistimed.
 */
export class AnswerWatch {
  readonly #options: AnswerWatchOptions;
  /** When a connection began, until its first request. */
  readonly #accepted = new WeakMap<Socket, number>();
  /** Connections in their handshake, by the peer's address and port. */
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

  /**
   * Called when a request begins.
   * @returns the start of the request; for a connection's first request, the start of the connection
   */
  begin(socket: Socket): number {
    const since = this.#accepted.get(socket) ?? monotonicNow();
    this.#accepted.delete(socket);
    return since;
  }

  /** Records an attempt that ended in the middle of its body. */
  brokenOff(since: number): void {
    this.#gaveUp("in its body", since);
  }

  /** Registers the planned response to an attempt, and reports a connection that closes before the response. */
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
    if (monotonicNow() - since < OVERDUE_MS && !this.#options.isDelayed()) return;
    this.#options.onOverdue(
      `the target gave up a delivery attempt ${when}, because this process was late`,
      since,
    );
  }

  /** Called when the receiver closes. Connections that break later don't count. */
  close(): void {
    this.#isClosed = true;
  }
}
