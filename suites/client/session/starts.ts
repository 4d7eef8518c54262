import { textMember } from "../../core/json.ts";
import type { ClientRequest } from "./request.ts";

type StartRequest = Pick<ClientRequest, "operation" | "json" | "body" | "token">;

/** The client_id in a token request, as JSON or as a form, although a form is invalid. */
const clientIdOf = ({ json, body }: StartRequest): string | undefined =>
  textMember(json, "client_id") ?? new URLSearchParams(body.toString()).get("client_id") ?? undefined;

/** Finds the client start of a request by the credentials and tokens of each start. */
export class Starts {
  readonly #byClient = new Map<string, number>();
  readonly #byToken = new Map<string, number>();
  readonly #began: (startNumber: number) => void;
  #present = 0;

  /** @param began called at the first request of each start */
  constructor(began: (startNumber: number) => void) {
    this.#began = began;
  }

  /** Registers the credentials of a start. */
  open(clientId: string): number {
    const startNumber = this.#byClient.size + 1;
    this.#byClient.set(clientId, startNumber);
    return startNumber;
  }

  /**
   * The start that sent a request. A request without credentials and token belongs to the newest start that has
   * begun.
   */
  startOf(request: StartRequest): number {
    const clientId = request.operation === "obtainToken" ? clientIdOf(request) : undefined;
    const asked = clientId === undefined ? undefined : this.#byClient.get(clientId);
    const held = request.token === undefined ? undefined : this.#byToken.get(request.token);
    const startNumber = asked ?? held ?? Math.max(this.#present, 1);
    this.begin(startNumber);
    return startNumber;
  }

  /** Marks a start as begun, even before its first request. */
  begin(startNumber: number): void {
    if (startNumber <= this.#present) return;
    this.#present = startNumber;
    this.#began(startNumber);
  }

  granted(token: string, startNumber: number): void {
    this.#byToken.set(token, startNumber);
  }
}
