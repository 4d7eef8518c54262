import { textMember } from "../../core/json.ts";
import type { ClientRequest } from "./request.ts";

type Claimed = Pick<ClientRequest, "operation" | "json" | "body" | "token">;

/** The client that a token is asked for, in JSON or, wrongly, in a form. */
const clientIdOf = ({ json, body }: Claimed): string | undefined =>
  textMember(json, "client_id") ?? new URLSearchParams(body.toString()).get("client_id") ?? undefined;

/** Which of the client's starts a request belongs to: each start has credentials of its own. Counted from 1. */
export class Rounds {
  readonly #byClient = new Map<string, number>();
  readonly #byToken = new Map<string, number>();
  readonly #began: (round: number) => void;
  #present = 0;

  /** @param began told once of each round when its first request comes */
  constructor(began: (round: number) => void) {
    this.#began = began;
  }

  /** Adds credentials: whoever asks for a token with them is in that round. */
  open(clientId: string): number {
    const round = this.#byClient.size + 1;
    this.#byClient.set(clientId, round);
    return round;
  }

  /** The round of a request; one that shows neither credentials nor a token belongs to the newest that has begun. */
  of(request: Claimed): number {
    const clientId = request.operation === "obtainToken" ? clientIdOf(request) : undefined;
    const asked = clientId === undefined ? undefined : this.#byClient.get(clientId);
    const held = request.token === undefined ? undefined : this.#byToken.get(request.token);
    const round = asked ?? held ?? Math.max(this.#present, 1);
    this.begin(round);
    return round;
  }

  /** Says that a round is on, also where no request has shown it yet. */
  begin(round: number): void {
    if (round <= this.#present) return;
    this.#present = round;
    this.#began(round);
  }

  granted(token: string, round: number): void {
    this.#byToken.set(token, round);
  }
}
