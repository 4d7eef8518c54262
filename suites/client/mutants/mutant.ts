import { type ClientBehaviour, isTransient, type Reply } from "../reference-client/behaviour.ts";

/** A client that does one thing wrongly, which breaks a clause. */
export interface ClientMutant {
  /** What is wrong with it, in words. */
  readonly fault: string;
  readonly behaviour: Partial<ClientBehaviour>;
  /** How much faster than nominal its trial goes; where its fault is a wait that is too short, that must be seen. */
  readonly timeScale?: number;
}

/** The right behaviour, and further tries where they are wrong. */
export const retriesToo =
  (wrongly: ClientBehaviour["repeats"]): ClientBehaviour["repeats"] =>
  (reply, kind) =>
    isTransient(reply) || wrongly(reply, kind);

export const isRefusal = (reply: Reply | undefined): boolean =>
  reply !== undefined && reply.status >= 400 && reply.status < 500;
