import type { CleanupReport } from "../../core/cleanup-report.ts";
import { monotonicNow, pause } from "../../core/clock.ts";
import type { RunResult } from "../../core/confirmation/confirm.ts";
import { LatenessSampler } from "../../core/confirmation/lateness.ts";
import { DisturbanceLog } from "../../core/confirmation/log.ts";
import { ControlClient } from "../../core/control.ts";
import type { Exchange } from "../../core/exchange.ts";
import { CheckSkipped, NoResponse } from "../../core/grading/failures/failure.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { member } from "../../core/json.ts";
import { Redactor } from "../../core/text/redact.ts";
import { OperationRecord } from "./http/operation-record.ts";
import { RepeatedRequestCounter } from "./http/repeated-requests.ts";
import { Transport } from "./http/transport.ts";
import { cancelAhead, cleanUp, cleanupTimeouts } from "./identities/cleanup.ts";
import { probeClock } from "./identities/clock-probe.ts";
import type { Identity } from "./identities/identity.ts";
import { IdentityPool } from "./identities/identity-pool.ts";
import { SignInCircuitBreaker } from "./identities/sign-in.ts";
import { stateLossProbe } from "./identities/state-loss-probe.ts";
import { countsPerSourceIp } from "./limits/counts-per-source-ip.ts";
import { type SourceAddress, SourceAddresses } from "./limits/source-addresses.ts";
import { WaitNotices } from "./limits/wait-notices.ts";
import { CheckSeeds } from "./sample-data/check-seeds.ts";
import { drawingForAll } from "./sample-data/drawn.ts";
import { drawTextsBy } from "./sample-data/sample-data.ts";
import type { TargetSettings } from "./sample-data/settings.ts";
import type { PaymentCode } from "./stores/payment-type.ts";
import { SharedStores } from "./stores/shared-stores.ts";
import { PairingCodes } from "./stores/stores.ts";
import { WebhookReachability } from "./subscriptions/reachability.ts";
import { SubscriptionSecrets } from "./subscriptions/subscription-secrets.ts";

export interface SessionOptions {
  readonly notice?: (text: string) => void;
  readonly observe?: (exchange: Exchange) => void;
  /** True to start the webhook receiver. */
  readonly receiver?: boolean;
  /** True if the report contains all exchanges. */
  readonly wire?: boolean;
  /** False for a server of the suite that has no limits. */
  readonly keepsLimits?: boolean;
  /** True if the run removes its objects at the end. Defaults to false. */
  readonly cleansUp?: boolean;
  /** True if the target runs in this process. Delays of the suite then also delay the target. */
  readonly isInProcess?: boolean;
  /** The seed of the requests' header profiles and texts. */
  readonly seed?: number;
  /** Gets the run's secrets, so that the caller can redact them too. */
  readonly redact?: Redactor | undefined;
}

/** Checks with an allowed wait in real time up to this keep their integrators only briefly. */
const SHORT_WAIT_MS = 60_000;

/** How the run ended. */
interface RunEnding {
  readonly isInterrupted?: boolean;
  /** Ends the cleanup early. */
  readonly stopped?: AbortSignal;
}

/**
 * The member of a response that contains a secret: a token, or the signing secret of a new or rotated
 * subscription.
 */
const SECRETS_OF = { obtainToken: "access_token", createWebhook: "secret", rotateWebhookSecret: "secret" };

function secretGivenOutBy({ operation, response }: Exchange): unknown {
  const key = Object.entries(SECRETS_OF).find(([name]) => name === operation)?.[1];
  return key === undefined ? undefined : member(response?.json, key);
}

/** A run receives about 50 MB, and a few times as much from a target that has much data. */
const MAX_RECEIVED_BYTES = 1024 * 1024 * 1024;

/** The milliseconds after a response within which a target may stop because of the request. */
const STOPS_WITHIN_MS = 150;

/** The state of a run: the target's integrators, pairing codes and addresses, and what the run has observed. */
export class Session {
  readonly transport: Transport;
  readonly identities: IdentityPool;
  readonly codes: PairingCodes;
  readonly stores: SharedStores;
  readonly seeds: CheckSeeds;
  readonly operations = new OperationRecord();
  readonly disturbances = new DisturbanceLog();
  readonly subscriptionSecrets = new SubscriptionSecrets();
  readonly repeated = new RepeatedRequestCounter();
  /** The target's outages, each as a line of text. */
  readonly outages: string[] = [];
  /** The checks that failed after reading a list that may have lagged. Their next runs wait before they read lists. */
  readonly waitForLists = new Set<string>();
  /** True if the report contains all exchanges of a check. */
  readonly keepsWire: boolean;
  /** Corrections of earlier outcomes, by check. */
  readonly corrections = new Map<string, Outcome>();
  /** The checks whose request may have stopped the target. */
  readonly suspects = new Set<string>();
  /** Runs of checks that ended before their request turned out to have stopped the target. */
  readonly reopened = new Map<string, RunResult>();
  requests = 0;
  reachability: WebhookReachability | undefined;
  readonly #cleanupTransport: Transport;
  readonly #waits: WaitNotices;
  readonly #lateness: LatenessSampler | undefined;
  readonly #notice: (text: string) => void;
  readonly #cleansUp: boolean;
  #cancelledAhead = 0;
  #receivedBytes = 0;
  #paymentType: Promise<PaymentCode> | undefined;
  #clockProbe: Promise<string | undefined> | undefined;

  readonly settings: TargetSettings;
  readonly control: ControlClient | undefined;
  readonly addresses: SourceAddresses;
  readonly redact: Redactor;

  private constructor(
    settings: TargetSettings,
    control: ControlClient | undefined,
    addresses: SourceAddresses,
    redact: Redactor,
    waits: WaitNotices,
    options: SessionOptions,
  ) {
    this.settings = settings;
    this.control = control;
    this.addresses = addresses;
    this.redact = redact;
    this.#waits = waits;
    this.#notice = (text) => options.notice?.(text);
    this.keepsWire = options.wire ?? false;
    this.#cleansUp = options.cleansUp ?? false;
    this.#lateness = options.isInProcess ? undefined : new LatenessSampler(this.disturbances);
    const transport = () =>
      new Transport({
        healthUrl: `${settings.url}/healthz`,
        address: addresses.first,
        waiting: waits.waiting,
        waitingForTarget: waits.once,
        outageEnded: (line) => {
          this.outages.push(this.redact.text(line));
          options.notice?.(line);
        },
        operations: this.operations,
        observe: (exchange) => {
          this.requests += 1;
          this.#count(exchange);
          this.redact.learn(secretGivenOutBy(exchange));
          this.operations.observe(exchange);
          this.subscriptionSecrets.observe(exchange);
          this.repeated.observe(exchange);
          options.observe?.(exchange);
        },
        onBody: (bytes) => this.redact.learnFrom(new TextDecoder().decode(bytes)),
        knowsIntegrators: (least) =>
          stateLossProbe(this.identities.all, this.operations, settings.url, least),
      });
    this.transport = transport();
    this.#cleanupTransport = transport();
    this.codes = new PairingCodes(settings.pairingCodes, control, this.redact);
    this.identities = new IdentityPool(
      settings.credentials,
      control,
      {
        addresses,
        transport: this.transport,
        baseUrl: settings.url,
        redact: this.redact,
        waiting: waits.waiting,
        signIn: new SignInCircuitBreaker(),
      },
      { waitsInRealTime: settings.maxWaitMs > SHORT_WAIT_MS && !this.canAdvanceClock },
    );
    const { identities, codes } = this;
    this.stores = new SharedStores({ identities, codes, transport: this.transport, point: settings.point });
    this.seeds = new CheckSeeds(settings.credentials.length === 0);
  }

  /** @throws CheckSkipped if the control interface doesn't describe itself */
  static async open(settings: TargetSettings, options: SessionOptions = {}): Promise<Session> {
    // Adds the secrets before the first request, because its response may repeat them.
    const { redact = new Redactor() } = options;
    redact.add(
      ...settings.credentials.map(({ client_secret }) => client_secret),
      ...settings.pairingCodes,
      settings.control?.token,
      ...(settings.secrets ?? []),
    );
    drawTextsBy(options.seed ?? 0);
    const notice = (text: string) => options.notice?.(redact.text(text));
    const waits = new WaitNotices(notice);
    const connectionLimits = {
      connectMs: Math.min(settings.answerMs, 10_000),
      answerMs: settings.answerMs,
      keepsLimits: options.keepsLimits ?? true,
      userAgent: settings.userAgent,
      seed: options.seed ?? 0,
    };
    const addresses = await SourceAddresses.open(new URL(settings.url), connectionLimits, waits.waiting);
    const control = settings.control && new ControlClient(settings.control, redact, settings.answerMs);
    await control?.describe();
    const session = new Session(settings, control, addresses, redact, waits, { ...options, notice });
    if (control) control.isBack = () => session.isTargetUp();
    await session.#detectSourceAddresses();
    await session.transport.learnHealth();
    if (options.receiver) await session.openReceiver();
    return session;
  }

  /** Uses a single source address if the target counts all addresses as one. */
  async #detectSourceAddresses(): Promise<void> {
    if (!this.addresses.several) return;
    const remainingFor = async (address: SourceAddress) => {
      const exchange = await this.transport
        .send(
          {
            operation: "getHealth",
            method: "GET",
            url: `${this.settings.url}/healthz`,
            headers: { accept: "application/json" },
            body: undefined,
            address,
            violates: undefined,
            budgets: [],
            keepsBudget: false,
            honourLimits: false,
          },
          () => {},
        )
        .catch(() => undefined);
      const header = exchange?.response?.headers["x-ratelimit-remaining"];
      return header === undefined ? undefined : Number(header);
    };
    if (!(await countsPerSourceIp(() => this.addresses.pair(), remainingFor))) this.addresses.useSingle();
  }

  /** Ends a run that receives more than it can have requested, because the run keeps a part of it in memory. */
  #count({ response }: Exchange): void {
    this.#receivedBytes += response?.bytes.length ?? 0;
    if (this.#receivedBytes <= MAX_RECEIVED_BYTES) return;
    this.transport.stop(
      `the target's responses exceed ${MAX_RECEIVED_BYTES / 1024 / 1024} MB in total, more than any run requests: no more requests are sent`,
    );
  }

  /** True if the target's clock can be advanced. Otherwise, a check waits up to --max-wait. */
  get canAdvanceClock(): boolean {
    return this.control?.clock === "virtual" && this.control.offers("advanceClock");
  }

  /**
   * Resolves if an advance of the clock moves the times in the service's responses.
   * @throws CheckSkipped if an advance doesn't move the times
   */
  async expectClockAdvances(): Promise<void> {
    this.#clockProbe ??= this.#probeClock().catch(() => {
      // Forgets the probe, so that each check that needs the clock fails by itself.
      this.#clockProbe = undefined;
      return undefined;
    });
    const wrong = await this.#clockProbe;
    if (wrong !== undefined) throw new CheckSkipped(wrong);
  }

  async #probeClock(): Promise<string | undefined> {
    const { control } = this;
    if (!control?.offers("createIntegrator")) return undefined;
    const identity = await this.identities.forProbe();
    return probeClock(identity, async (seconds) => {
      const advance = control.clockAdvanceBody(seconds, { attemptsTimeOut: true, isPatient: false });
      const before = monotonicNow();
      const shows = await control.advanceClock(identity.credentials.client_id, advance, identity.now());
      identity.clock.wasMoved({ byMs: seconds * 1000, tookMs: monotonicNow() - before, shows });
    });
  }

  /** True if the run may leave an integrator with its objects, and create another one without using a limit. */
  get replacesIntegrators(): boolean {
    return !this.#cleansUp && this.identities.issuesTokens;
  }

  /** True if exclusive integrators wait for the token limit, because there is only one source address. */
  get isLimitedByTokens(): boolean {
    return this.canAdvanceClock && !this.addresses.several && !this.identities.issuesTokens;
  }

  /** A payment code that the target accepts. The run looks for it once. */
  paymentType(learn: () => Promise<PaymentCode>): Promise<PaymentCode> {
    if (!this.#paymentType) {
      this.#paymentType = drawingForAll(learn);
      this.#paymentType.catch((error: unknown) => {
        if (error instanceof NoResponse) this.#paymentType = undefined;
      });
    }
    return this.#paymentType;
  }

  /** Starts the receiver, and tests whether webhooks reach it. */
  async openReceiver(): Promise<void> {
    const api = async () => {
      const [grant] = await this.identities.acquire(1, { alone: true, usesTokenEndpoint: true });
      if (!grant) throw new CheckSkipped("no credentials are configured");
      grant.release();
      return grant.identity.api(() => {});
    };
    const { receiver } = this.settings;
    this.reachability = await WebhookReachability.open(
      receiver,
      this.control,
      api,
      (excess) => this.transport.stop(excess),
      {
        onOverdue: (what, since) => {
          if (this.#lateness) this.disturbances.note("suite-late", what, since);
        },
        isDelayed: () => this.#lateness?.isDelayed ?? false,
      },
    );
  }

  /**
   * Resolves when pending responses with secrets have arrived. Otherwise, another response could repeat a
   * secret before it is known.
   */
  async secretsArrived(): Promise<void> {
    await Promise.all([
      this.transport.settled((operation) => operation in SECRETS_OF),
      this.control?.secretsArrived(),
    ]);
  }

  /**
   * True if the target responds and still has its data. Waits for an unavailable target.
   * @param since when the caller's work started, on the monotonic clock
   */
  isTargetUp(since = monotonicNow()): Promise<boolean> {
    return this.transport.isTargetUp(since);
  }

  /** If there has been an outage, waits long enough to notice another outage. */
  async noticeLateOutage(): Promise<void> {
    if (this.transport.outages === 0) return;
    await pause(STOPS_WITHIN_MS);
    await this.isTargetUp();
  }

  /**
   * Cancels an integrator's deliveries before a check exhausts its limit. Otherwise, the end of the run would
   * wait for that limit, while real couriers might set out.
   */
  async cleanUpAhead(identity: Identity): Promise<void> {
    if (!this.#cleansUp || this.control !== undefined) return;
    this.#cancelledAhead += await cancelAhead(identity, {
      transport: this.transport,
      operations: this.operations,
      notice: this.#notice,
    });
  }

  /**
   * Cancels and deletes the run's remaining objects as far as possible.
   * @param ending `isInterrupted` for an interrupted run; `stopped` ends the cleanup
   */
  async cleanUp({ isInterrupted = false, stopped }: RunEnding = {}): Promise<CleanupReport> {
    const cleanup = await cleanUp(this.identities.all, {
      transport: this.transport.targetLost === undefined ? this.#cleanupTransport : this.transport,
      operations: this.operations,
      integrators: [...(this.control?.integrators ?? [])],
      timeouts: cleanupTimeouts({ hasControl: this.control !== undefined, isInterrupted }),
      notice: this.#notice,
      stopped,
    });
    // The target chooses the ids, which may contain anything.
    const shown = (id: string) => this.redact.text(id);
    const { deliveries, webhooks } = cleanup.cleaned_up;
    return {
      ...cleanup,
      cleaned_up: { deliveries: this.#cancelledAhead + deliveries, webhooks },
      left_behind: cleanup.left_behind.map((left) => ({ ...left, ids: left.ids.map(shown) })),
    };
  }

  async close(): Promise<void> {
    this.#waits.close();
    this.#lateness?.close();
    await this.reachability?.close();
    await this.addresses.close();
  }
}
