import * as fc from "fast-check";
import { LatenessSampler } from "../../core/confirmation/lateness.ts";
import { DisturbanceLog } from "../../core/confirmation/log.ts";
import { ControlClient } from "../../core/control.ts";
import { textMember } from "../../core/json.ts";
import type { Redactor } from "../../core/text/redact.ts";
import { Evidence } from "./evidence.ts";
import { grantedToken, type RecordedRequest } from "./request.ts";
import { REAL_CLOCK, type RunClock } from "./run-clock.ts";
import type { ErrorMessages } from "./sandbox/error-messages.ts";
import { Sandbox } from "./sandbox/sandbox.ts";
import { FaultPlan } from "./scenarios/fault-plan.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { Starts } from "./starts.ts";

const MESSAGE_CHOICES: { readonly [K in keyof ErrorMessages]: readonly string[] } = {
  fault: ["Beklenmeyen bir hata oluştu.", "Sunucu hatası.", "İşlem şu anda tamamlanamadı."],
  refusal: ["Bu sipariş kabul edilemedi.", "İstek geçerli değil.", "Sipariş alınamıyor."],
  busy: ["Çok fazla istek gönderildi.", "İstek sınırı aşıldı.", "Biraz yavaşlayın."],
  token: ["Oturumun süresi doldu.", "Kimlik doğrulanamadı.", "Yeniden giriş yapın."],
  cursor: ["İmleç çözülemedi.", "Liste imleci geçersiz.", "Sayfa bulunamadı."],
  final: ["Adres hizmet bölgesinin dışında. Tekrar denemeyin.", "İstek geçersiz, yeniden göndermeyin."],
  passing: ["Sunucu hatası, lütfen tekrar deneyin.", "Geçici bir sorun var, yeniden deneyin."],
};

/** The error messages of a run, chosen by the seed. */
function errorMessagesFor(seed: number): ErrorMessages {
  const drawn = fc.record({
    fault: fc.constantFrom(...MESSAGE_CHOICES.fault),
    refusal: fc.constantFrom(...MESSAGE_CHOICES.refusal),
    busy: fc.constantFrom(...MESSAGE_CHOICES.busy),
    token: fc.constantFrom(...MESSAGE_CHOICES.token),
    cursor: fc.constantFrom(...MESSAGE_CHOICES.cursor),
    final: fc.constantFrom(...MESSAGE_CHOICES.final),
    passing: fc.constantFrom(...MESSAGE_CHOICES.passing),
  });
  const [texts] = fc.sample(drawn, { seed, numRuns: 1 });
  if (!texts) throw new Error("no texts were drawn");
  return texts;
}

/** The service behind the sandbox. */
export interface Service {
  readonly url: string;
  readonly control: { readonly url: string; readonly token: string };
  close(): Promise<void>;
}

/** The credentials and base URL of one start of the client. */
export interface ClientAccess {
  /** The number of the start, counted from 1. */
  readonly startNumber: number;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly pairingCode: string;
}

export interface ClientSessionOptions {
  /** The port of the sandbox; 0 for a free port. */
  readonly port: number;
  readonly scenarios: readonly Scenario[];
  /** The maximum number of client starts; undefined if unknown. */
  readonly maxStarts?: number | undefined;
  /** Called at the first request of each start. */
  readonly startBegan?: (startNumber: number) => void;
  readonly seed: number;
  readonly timeScale: number;
  readonly clock?: RunClock;
  readonly redact: Redactor;
  /** Called for each injected fault. */
  readonly notice: (text: string) => void;
  /** Starts a service with this base URL. */
  readonly startService: (publicUrl: string) => Promise<Service>;
}

interface Dependencies {
  readonly plan: FaultPlan;
  readonly starts: Starts;
  readonly sandbox: Sandbox;
  readonly service: Service;
  readonly control: ControlClient;
  readonly timeScale: number;
  readonly clock: RunClock;
  readonly redact: Redactor;
}

/** A sandbox in front of a service for one run. Each start of the client has its own integrator. */
export class ClientSession {
  readonly plan: FaultPlan;
  readonly #deps: Dependencies;
  readonly #disturbances = new DisturbanceLog();
  readonly #lateness: LatenessSampler | undefined;
  readonly #openedAt: number;
  /** The starts whose client exited by itself. */
  readonly #ended = new Set<number>();
  #hasOverlap = false;

  private constructor(deps: Dependencies) {
    this.plan = deps.plan;
    this.#deps = deps;
    this.#lateness = deps.clock === REAL_CLOCK ? new LatenessSampler(this.#disturbances) : undefined;
    this.#openedAt = deps.clock.now();
  }

  get url(): string {
    return this.#deps.sandbox.url;
  }

  /** Resolves with a message when the client exceeds the limits of a run. */
  get exceeded(): Promise<string> {
    return this.#deps.sandbox.exceeded;
  }

  /** Resolves when the client sends its first request. */
  get firstRequest(): Promise<void> {
    return this.#deps.sandbox.firstRequest;
  }

  /** True if the client has sent a request. */
  get hasBegun(): boolean {
    return this.#deps.sandbox.requests.length > 0;
  }

  /** @throws an error with the operating system's code if the port is unavailable */
  static async open(options: ClientSessionOptions): Promise<ClientSession> {
    const { port, scenarios, seed, timeScale, clock = REAL_CLOCK, redact, notice, startService } = options;
    const plan = new FaultPlan(scenarios, timeScale, options.maxStarts);
    const starts = new Starts(options.startBegan ?? (() => {}));
    const sandbox = new Sandbox({
      port,
      plan,
      starts,
      texts: errorMessagesFor(seed),
      seed,
      timeScale,
      clock,
      notice,
    });
    await sandbox.listen();
    const service = await startService(sandbox.url);
    sandbox.proxyTo(service.url);
    const control = new ControlClient(service.control, redact);
    return new ClientSession({ plan, starts, sandbox, service, control, timeScale, clock, redact });
  }

  /**
   * Creates the credentials for the client's next start.
   * @param hasBegun true if the start counts as begun at once; false if it begins when the client uses the credentials
   */
  async openStart({ hasBegun }: { readonly hasBegun: boolean }): Promise<ClientAccess> {
    const { control, starts } = this.#deps;
    const { client_id: clientId, client_secret: clientSecret } = await control.createIntegrator("integrator");
    const { pairing_code: pairingCode } = await control.issuePairingCode({});
    const startNumber = starts.open(clientId);
    if (hasBegun) starts.begin(startNumber);
    return { startNumber, baseUrl: this.url, clientId, clientSecret, pairingCode };
  }

  /** Records that the client of a start exited by itself: the client wouldn't have continued. */
  hasEnded(startNumber: number): void {
    this.#ended.add(startNumber);
  }

  /** Records that two starts run at the same time. */
  overlaps(): void {
    this.#hasOverlap = true;
  }

  evidence(): Evidence {
    const { sandbox, redact, timeScale, clock } = this.#deps;
    for (const one of sandbox.requests) for (const secret of secretsOf(one)) redact.learn(secret);
    const endedAt = clock.now();
    return new Evidence({
      url: this.url,
      requests: [...sandbox.requests],
      tasks: this.plan.tasks,
      timeScale,
      endedStarts: this.#ended,
      hasOverlap: this.#hasOverlap,
      endedAt,
      disturbances: this.#disturbances.between(this.#openedAt, endedAt),
    });
  }

  async close(): Promise<void> {
    this.#lateness?.close();
    await this.#deps.sandbox.close();
    await this.#deps.service.close();
  }
}

/**
 * The secrets that a client sent, including wrong secrets, because a wrong secret may be a real secret of
 * another service.
 */
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
