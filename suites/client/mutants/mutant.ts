import type { Catchable } from "../../core/mutation/catching.ts";
import { type ClientBehaviour, isTransient, type Reply } from "../reference-client/behaviour.ts";

export interface ClientMutant extends Catchable {
  readonly fault: string;
  readonly caughtBy: readonly string[];
  readonly behaviour: Partial<ClientBehaviour>;
}

/** A correct client that also sends wrong retries. */
export const retriesToo =
  (wrongly: ClientBehaviour["repeats"]): ClientBehaviour["repeats"] =>
  (reply, kind) =>
    isTransient(reply) || wrongly(reply, kind);

export const isRefusal = (reply: Reply | undefined): boolean =>
  reply !== undefined && reply.status >= 400 && reply.status < 500;
