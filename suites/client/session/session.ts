import { stopwatch } from "../../core/clock.ts";
import { Control } from "../../core/control.ts";
import { textMember } from "../../core/json.ts";
import type { Redactor } from "../../core/redact.ts";
import { textsOf } from "./error-messages.ts";
import { Evidence } from "./evidence.ts";
import { FaultPlan } from "./fault-plan.ts";
import { grantedToken, type Seen } from "./request.ts";
import { Sandbox } from "./sandbox.ts";
import type { Scenario } from "./scenarios.ts";

/** A service to stand before. */
export interface Service {
  readonly url: string;
  readonly control: { readonly url: string; readonly token: string };
  close(): Promise<void>;
}

/** What a client needs, all of it made for one run. */
export interface ClientAccess {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly pairingCode: string;
}

export interface SessionOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly scenarios: readonly Scenario[];
  readonly seed: number;
  readonly timeScale: number;
  readonly redact: Redactor;
  /** Told of each fault as it happens. */
  readonly notice: (text: string) => void;
  /** Starts a service that calls itself by this address. */
  readonly startService: (publicUrl: string) => Promise<Service>;
}

/** A sandbox with a service behind it and an integrator of its own, for one run with a client. */
export class ClientSession {
  readonly access: ClientAccess;
  readonly plan: FaultPlan;
  readonly #sandbox: Sandbox;
  readonly #service: Service;
  readonly #timeScale: number;
  readonly #redact: Redactor;

  private constructor(
    access: ClientAccess,
    parts: {
      plan: FaultPlan;
      sandbox: Sandbox;
      service: Service;
      timeScale: number;
      redact: Redactor;
    },
  ) {
    this.access = access;
    this.plan = parts.plan;
    this.#sandbox = parts.sandbox;
    this.#service = parts.service;
    this.#timeScale = parts.timeScale;
    this.#redact = parts.redact;
  }

  /** @throws with the system's code where the port can't be taken */
  static async open(options: SessionOptions): Promise<ClientSession> {
    const { port, scenarios, seed, timeScale, redact, notice, startService } = options;
    const plan = new FaultPlan(scenarios);
    const sandbox = new Sandbox({ port, plan, texts: textsOf(seed), timeScale, notice });
    await sandbox.listen();
    const service = await startService(sandbox.url);
    sandbox.standBefore(service.url);
    const control = new Control(service.control, redact);
    const { client_id: clientId, client_secret: clientSecret } = await control.createIntegrator("integrator");
    const { pairing_code: pairingCode } = await control.issuePairingCode({});
    const access = { baseUrl: sandbox.url, clientId, clientSecret, pairingCode };
    return new ClientSession(access, { plan, sandbox, service, timeScale, redact });
  }

  /** Requests that came so far. */
  get requests(): number {
    return this.#sandbox.seen.length;
  }

  /** @param clientEnded whether the client ended by itself, and not the run around it */
  evidence(clientEnded: boolean): Evidence {
    for (const one of this.#sandbox.seen) this.#redact.add(...secretsOf(one));
    return new Evidence({
      url: this.access.baseUrl,
      seen: [...this.#sandbox.seen],
      plan: this.plan,
      timeScale: this.#timeScale,
      clientEnded,
      endedAt: stopwatch(),
    });
  }

  async close(): Promise<void> {
    await this.#sandbox.close();
    await this.#service.close();
  }
}

/** What a client used as a secret, also where it isn't one of this run: it may be a real one by mistake. */
function secretsOf(one: Seen): readonly (string | undefined)[] {
  const form = new URLSearchParams(one.body.toString());
  return [
    one.token,
    one.headers.authorization?.replace(/^\S+ +/, ""),
    grantedToken(one),
    textMember(one.json, "client_secret"),
    form.get("client_secret") ?? undefined,
  ];
}
