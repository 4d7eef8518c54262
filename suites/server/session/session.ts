import type { Tidied } from "../../core/cleanup-report.ts";
import { Control } from "../../core/control.ts";
import type { Exchange } from "../../core/exchange.ts";
import { NotTestable } from "../../core/failure.ts";
import { Redactor } from "../../core/redact.ts";
import { tidyUp } from "./cleanup.ts";
import type { Lane } from "./identity.ts";
import { Lanes } from "./identity-pool.ts";
import { Reach } from "./reachability.ts";
import type { TargetSettings } from "./settings.ts";
import { SignIn } from "./sign-in.ts";
import { Addresses } from "./source-addresses.ts";
import { anotherStore, type LinkedStore, PairingCodes, type PaymentCode, sharedStore } from "./stores.ts";
import { Transport } from "./transport.ts";

export interface SessionOptions {
  readonly notice?: (text: string) => void;
  readonly observe?: (exchange: Exchange) => void;
  /** Start the webhook receiver: for runs with a check that needs it. */
  readonly receiver?: boolean;
  /** False for a server of our own that has no limits to keep. */
  readonly keepsLimits?: boolean;
}

/** The API as the run itself uses it, and no check: its exchanges are nobody's evidence. */
const silently = (lane: Lane) => lane.api(() => {});

/** A run's hold on its target: identities, codes, addresses, and what has been learned of its choices. */
export class Session {
  readonly transport: Transport;
  readonly lanes: Lanes;
  readonly codes: PairingCodes;
  requests = 0;
  reach: Reach | undefined;
  readonly #stores = new Map<Lane, Promise<LinkedStore>>();
  readonly #otherStores = new Map<Lane, Promise<LinkedStore>>();
  readonly #tidyingTransport: Transport;
  #paymentType: Promise<PaymentCode> | undefined;

  readonly settings: TargetSettings;
  readonly control: Control | undefined;
  readonly addresses: Addresses;
  readonly redact: Redactor;

  private constructor(
    settings: TargetSettings,
    control: Control | undefined,
    addresses: Addresses,
    redact: Redactor,
    options: SessionOptions,
  ) {
    this.settings = settings;
    this.control = control;
    this.addresses = addresses;
    this.redact = redact;
    const notice = options.notice ?? (() => {});
    const transport = () =>
      new Transport(`${settings.url}/healthz`, notice, (exchange) => {
        this.requests += 1;
        this.redact.learn(exchange.response?.json);
        options.observe?.(exchange);
      });
    this.transport = transport();
    this.#tidyingTransport = transport();
    this.redact.add(
      ...settings.credentials.map(({ client_secret }) => client_secret),
      settings.control?.token,
      ...(settings.secrets ?? []),
    );
    this.codes = new PairingCodes(settings.pairingCodes, control, this.redact);
    this.lanes = new Lanes(settings.credentials, control, {
      addresses,
      transport: this.transport,
      baseUrl: settings.url,
      redact: this.redact,
      notice,
      signIn: new SignIn(),
    });
  }

  /** @throws NotTestable when a control interface is named that doesn't describe itself */
  static async open(settings: TargetSettings, options: SessionOptions = {}): Promise<Session> {
    const patience = {
      connectMs: Math.min(settings.answerMs, 10_000),
      answerMs: settings.answerMs,
      keepsLimits: options.keepsLimits ?? true,
    };
    const addresses = await Addresses.open(new URL(settings.url), patience, options.notice ?? (() => {}));
    const redact = new Redactor();
    const control = settings.control && new Control(settings.control, redact, settings.answerMs);
    await control?.describe();
    const session = new Session(settings, control, addresses, redact, options);
    await session.#learnAddresses();
    if (options.receiver) await session.openReceiver();
    return session;
  }

  /**
   * Whether the target tells our source addresses apart, by its own count: behind a proxy or a port mapping all
   * come from one. Two requests from one address, then one from another, which has more left if it counts apart.
   */
  async #learnAddresses(): Promise<void> {
    if (!this.addresses.several) return;
    const remaining: (number | undefined)[] = [];
    const [first, second] = [this.addresses.fresh(), this.addresses.fresh()];
    for (const address of [first, first, first, second]) {
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
      remaining.push(header === undefined ? undefined : Number(header));
    }
    const [, , third, fourth] = remaining;
    if (third === undefined || fourth === undefined || !(fourth > third)) this.addresses.useOne();
  }

  /** Whether the target's clock can be moved; else a check waits, as far as the person is patient. */
  get movesClock(): boolean {
    return this.control?.clock === "virtual" && this.control.offers("advanceClock");
  }

  /** The store that a lane's checks share. A failure is kept: it would repeat for each of them. */
  storeOf(lane: Lane): Promise<LinkedStore> {
    let store = this.#stores.get(lane);
    if (!store) {
      store = sharedStore(silently(lane), this.codes, this.settings.point);
      this.#stores.set(lane, store);
    }
    return store;
  }

  /** A second one, for the checks of a run whose pairing codes are scarce. */
  anotherStoreOf(lane: Lane): Promise<LinkedStore> {
    let store = this.#otherStores.get(lane);
    if (!store) {
      store = this.storeOf(lane).then(({ external_store_id: shared }) => {
        const others = [...lane.made.stores].filter((id) => id !== shared);
        return anotherStore(silently(lane), this.codes, this.settings.point, others);
      });
      this.#otherStores.set(lane, store);
    }
    return store;
  }

  /** A payment code that the target takes, learned once. */
  paymentType(learn: () => Promise<PaymentCode>): Promise<PaymentCode> {
    this.#paymentType ??= learn();
    return this.#paymentType;
  }

  /** Starts the receiver and finds out whether webhooks reach it. */
  async openReceiver(): Promise<void> {
    this.reach = await Reach.open(this.settings.receiver, this.control, async () => {
      const [grant] = await this.lanes.take(1, true);
      if (!grant) throw new NotTestable("no credentials are configured");
      grant.release();
      return grant.lane.api(() => {});
    });
  }

  /** Whether the target still answers at all. */
  answers(): Promise<boolean> {
    return this.transport.stillAnswers(this.addresses.first);
  }

  /** Cancels and deletes what the run has made and left, as far as that can be. */
  async tidyUp(): Promise<Tidied> {
    const transport = this.transport.gone === undefined ? this.#tidyingTransport : this.transport;
    const integrators = [...(this.control?.integrators ?? [])];
    const tidied = await tidyUp(this.lanes.all, { transport, integrators });
    // Ids are the target's: it may put anything there.
    const shown = (id: string) => this.redact.text(id);
    return {
      ...tidied,
      left_behind: tidied.left_behind.map((left) => ({ ...left, ids: left.ids.map(shown) })),
    };
  }

  async close(): Promise<void> {
    await this.reach?.close();
    await this.addresses.close();
  }
}
