import { monotonicNow } from "../../core/clock.ts";
import { ControlClient } from "../../core/control.ts";
import { textMember } from "../../core/json.ts";
import type { Redactor } from "../../core/text/redact.ts";
import { errorMessagesFor } from "./error-messages.ts";
import { Evidence } from "./evidence.ts";
import { FaultPlan } from "./fault-plan.ts";
import { grantedToken, type RecordedRequest } from "./request.ts";
import { Rounds } from "./rounds.ts";
import { Sandbox } from "./sandbox.ts";
import type { Scenario } from "./scenario.ts";

/** A service to stand before. */
export interface Service {
  readonly url: string;
  readonly control: { readonly url: string; readonly token: string };
  close(): Promise<void>;
}

/** What a client needs, all of it made for one start of it. */
export interface ClientAccess {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly pairingCode: string;
}

export interface ClientSessionOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly scenarios: readonly Scenario[];
  /** How many starts of the client there will be at most; undefined where that is open. */
  readonly rounds?: number | undefined;
  /** Told of each round when its first request comes. */
  readonly roundBegan?: (round: number) => void;
  readonly seed: number;
  readonly timeScale: number;
  readonly redact: Redactor;
  /** Told of each fault as it happens. */
  readonly notice: (text: string) => void;
  /** Starts a service that calls itself by this address. */
  readonly startService: (publicUrl: string) => Promise<Service>;
}

interface Parts {
  readonly plan: FaultPlan;
  readonly rounds: Rounds;
  readonly sandbox: Sandbox;
  readonly service: Service;
  readonly control: ControlClient;
  readonly timeScale: number;
  readonly redact: Redactor;
}

/** A sandbox with a service behind it, for one run with a client: each start of it has an integrator of its own. */
export class ClientSession {
  readonly plan: FaultPlan;
  readonly #parts: Parts;
  /** Rounds whose client ended by itself. */
  readonly #ended = new Set<number>();

  private constructor(parts: Parts) {
    this.plan = parts.plan;
    this.#parts = parts;
  }

  get url(): string {
    return this.#parts.sandbox.url;
  }

  /** Resolves where the client sends more than the sandbox takes in, with what that is, in words. */
  get exceeded(): Promise<string> {
    return this.#parts.sandbox.exceeded;
  }

  /** @throws with the system's code where the port can't be taken */
  static async open(options: ClientSessionOptions): Promise<ClientSession> {
    const { port, scenarios, seed, timeScale, redact, notice, startService } = options;
    const plan = new FaultPlan(scenarios, options.rounds);
    const rounds = new Rounds(options.roundBegan ?? (() => {}));
    const sandbox = new Sandbox({ port, plan, rounds, texts: errorMessagesFor(seed), timeScale, notice });
    await sandbox.listen();
    const service = await startService(sandbox.url);
    sandbox.proxyTo(service.url);
    const control = new ControlClient(service.control, redact);
    return new ClientSession({ plan, rounds, sandbox, service, control, timeScale, redact });
  }

  /**
   * Makes what the client's next start needs.
   * @param begins whether it is started right away; else the round begins when its credentials are used
   */
  async openRound({ begins }: { readonly begins: boolean }): Promise<ClientAccess> {
    const { control, rounds } = this.#parts;
    const { client_id: clientId, client_secret: clientSecret } = await control.createIntegrator("integrator");
    const { pairing_code: pairingCode } = await control.issuePairingCode({});
    const round = rounds.open(clientId);
    if (begins) rounds.begin(round);
    return { baseUrl: this.url, clientId, clientSecret, pairingCode };
  }

  /** Says that the client of a round has ended by itself: what it hadn't done by then it wouldn't have done. */
  hasEnded(round: number): void {
    this.#ended.add(round);
  }

  evidence(): Evidence {
    const { sandbox, redact, timeScale } = this.#parts;
    for (const one of sandbox.requests) redact.add(...secretsOf(one));
    return new Evidence({
      url: this.url,
      requests: [...sandbox.requests],
      tasks: this.plan.tasks,
      timeScale,
      endedRounds: this.#ended,
      endedAt: monotonicNow(),
    });
  }

  async close(): Promise<void> {
    await this.#parts.sandbox.close();
    await this.#parts.service.close();
  }
}

/** What a client used as a secret, also where it isn't one of this run: it may be a real one by mistake. */
function secretsOf(one: RecordedRequest): readonly (string | undefined)[] {
  const form = new URLSearchParams(one.body.toString());
  return [
    one.token,
    one.headers.authorization?.replace(/^\S+ +/, ""),
    grantedToken(one),
    textMember(one.json, "client_secret"),
    form.get("client_secret") ?? undefined,
  ];
}
