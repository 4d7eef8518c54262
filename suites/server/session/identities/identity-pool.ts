import type { ControlClient } from "../../../core/control.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { HeaderProfile } from "../../../core/http/header-profiles.ts";
import { SharedLock } from "../../../core/shared-lock.ts";
import { type Credentials, Identity, type IdentityOptions, type TokenIssuer } from "./identity.ts";
import { Slots } from "./slots.ts";

/**
 * The number of integrators that checks share. With fewer, the check of an integrator's limit has fewer requests
 * left to send.
 */
const SHARED_IDENTITIES = 3;

/** At least as many requests as a check sends before it exhausts its integrator's limit. */
const FIRST_REQUESTS = 30;

/** At least as many requests as a check sends that nearly exhausts its integrator's limit. */
const MANY_REQUESTS = 255;

/** At least as many requests as the checks send that still use a shared integrator when it is replaced. */
const LAST_REQUESTS = 40;

/**
 * A shared integrator with fewer requests left in this minute is replaced. Enough remain for a check that nearly
 * exhausts its limit, and then for a check that exhausts it: otherwise, the second check would have to send most of
 * another integrator's requests.
 */
const MIN_LEFT = FIRST_REQUESTS + MANY_REQUESTS + LAST_REQUESTS;

/**
 * The maximum number of exclusive integrators at a time. Each integrator needs a token, and a new token after
 * its clock has moved past the expiry. An IP address gets 30 tokens per minute.
 */
export const MAX_INTEGRATORS_PER_IP = 10;
/**
 * The maximum number of integrators if each has its own IP address, so that the limit of tokens doesn't apply.
 */
const MAX_INTEGRATORS = 32;

/** An integrator that a check holds until it calls `release`. */
interface Lease {
  readonly identity: Identity;
  release(): void;
}

interface SharedIdentity {
  readonly identity: Promise<Identity>;
  /** The integrator, once it has been created. */
  readonly made: Identity | undefined;
  readonly lock: SharedLock;
}

/** A shared integrator that is created when a check first needs it. */
function sharedIdentity(make: () => Promise<Identity>): SharedIdentity {
  let pending: Promise<Identity> | undefined;
  let made: Identity | undefined;
  const first = async () => {
    made = await make();
    return made;
  };
  return {
    get identity() {
      pending ??= first();
      return pending;
    },
    get made() {
      return made;
    },
    lock: new SharedLock(),
  };
}

/**
 * How a check exhausts its integrator's limit. `at-limit` can use an integrator that another check has
 * exhausted, and `from-below` prefers the integrator with the most requests below the limit. `nearly` is a check
 * with many requests that doesn't reach the limit: it prefers the busiest integrator that can still send them, so
 * that a later check exhausts the limit with fewer requests.
 */
export type LimitExhaustion = "at-limit" | "from-below" | "nearly";

/** What a check requires of its integrators. */
export interface IdentityNeeds {
  /** True for exclusive use. */
  readonly alone: boolean;
  /** How the check exhausts the limit of its first integrator. */
  readonly exhaustsRateLimit?: LimitExhaustion | undefined;
  /** True if the check uses the token endpoint. Other checks may use the integrator before and after. */
  readonly usesTokenEndpoint?: boolean;
  /** True for an unused integrator, if integrators can be created. */
  readonly isFresh?: boolean | undefined;
  /** The check's id. If the check runs again, its integrators keep their header profiles. */
  readonly check?: string;
}

/**
 * The integrators of a run. With a control interface, integrators are created as needed. Otherwise, checks
 * share the configured credentials, and a check that needs an integrator alone waits for its turn.
 */
export class IdentityPool {
  readonly #shared: SharedIdentity[] = [];
  /** Earlier shared integrators that had too few requests left, but haven't reached their limit. */
  #replaced: SharedIdentity[] = [];
  /** The shared integrator that uses the token endpoint. It costs one token for all checks together. */
  readonly #signedIn: SharedIdentity;
  readonly #idle: Identity[] = [];
  /** Integrators at their rate limit. */
  #atLimit: Identity[] = [];
  readonly #all: Identity[] = [];
  /** By check id, the header profiles that a check's integrators had in the check's first run. */
  readonly #clients = new Map<string, readonly HeaderProfile[]>();
  #slots: Slots | undefined;
  #next = 0;

  private readonly configured: readonly Credentials[];
  private readonly control: ControlClient | undefined;
  private readonly deps: IdentityOptions;
  private readonly waitsInRealTime: boolean;

  /**
   * @param waitsInRealTime true if checks keep their integrators for minutes, because the clock can't be
   * advanced
   */
  constructor(
    configured: readonly Credentials[],
    control: ControlClient | undefined,
    deps: IdentityOptions,
    { waitsInRealTime = false }: { readonly waitsInRealTime?: boolean } = {},
  ) {
    this.waitsInRealTime = waitsInRealTime;
    this.configured = configured;
    this.control = control;
    this.deps = deps;
    const makers = this.#canMake
      ? Array.from({ length: SHARED_IDENTITIES }, () => () => this.#make())
      : configured.map((credentials) => () => Promise.resolve(this.#add(credentials)));
    this.#shared.push(...makers.map(sharedIdentity));
    this.#signedIn = sharedIdentity(() => this.#make());
  }

  get #canMake(): boolean {
    return this.control?.offers("createIntegrator") ?? false;
  }

  /** All integrators that the run has used. */
  get all(): readonly Identity[] {
    return this.#all;
  }

  /**
   * The configured integrators except `identity`. None if the run creates integrators, because these have no
   * data of an earlier run.
   */
  async othersOf(identity: Identity): Promise<readonly Identity[]> {
    if (this.#canMake) return [];
    const configured = await Promise.all(this.#shared.map((shared) => shared.identity));
    return configured.filter((other) => other !== identity);
  }

  /** The number of integrators that the run can have at a time. */
  get count(): number {
    return this.#canMake ? Number.POSITIVE_INFINITY : this.configured.length;
  }

  /** True if integrators get their tokens from the control interface, except in checks of tokens. */
  get issuesTokens(): boolean {
    return this.#canMake && (this.control?.offers("issueToken") ?? false);
  }

  #issuerFor({ client_id }: Credentials): TokenIssuer | undefined {
    const { control } = this;
    if (control === undefined || !this.issuesTokens) return undefined;
    return () => control.issueToken(client_id);
  }

  #add(credentials: Credentials, client?: HeaderProfile): Identity {
    const identity = new Identity(credentials, this.deps, {
      issueToken: this.#issuerFor(credentials),
      client,
      isOpen: () => this.control?.integrators.has(credentials.client_id) ?? false,
    });
    this.#all.push(identity);
    return identity;
  }

  /** An integrator that no check uses. */
  forProbe(): Promise<Identity> {
    return this.#make();
  }

  async #make(client?: HeaderProfile): Promise<Identity> {
    if (!this.control) throw new CheckSkipped("no credentials are configured");
    const made = await this.control.createIntegrator("integrator");
    if (this.#all.some(({ credentials }) => credentials.client_id === made.client_id))
      throw new CheckSkipped(
        "createIntegrator returned the same integrator twice: each call must create a new one",
      );
    return this.#add(made, client);
  }

  /** Distinct integrators for one check. */
  async acquire(count: number, needs: IdentityNeeds): Promise<readonly Lease[]> {
    const grants = await this.#acquire(count, needs);
    const { check } = needs;
    if (check !== undefined && !this.#clients.has(check)) {
      this.#clients.set(
        check,
        grants.map(({ identity }) => identity.address.connections.style),
      );
    }
    return grants;
  }

  async #acquire(
    count: number,
    { check = "", alone, exhaustsRateLimit, usesTokenEndpoint = false, isFresh = false }: IdentityNeeds,
  ): Promise<readonly Lease[]> {
    if (count > this.count) throw new CheckSkipped(`${count} credentials are needed, ${this.count} given`);
    if (isFresh && this.#canMake)
      return this.#acquireExclusive(count, { isFresh, clients: this.#clients.get(check) });
    if ((exhaustsRateLimit === "from-below" || exhaustsRateLimit === "nearly") && this.#canMake) {
      const busiest = this.#busiestShared(exhaustsRateLimit);
      if (busiest) return this.#acquireWhole(busiest);
    }
    if (usesTokenEndpoint && count === 1 && this.issuesTokens) return lease([this.#signedIn], alone);
    return alone && this.#canMake
      ? this.#acquireExclusive(count, { exhaustsRateLimit })
      : this.#acquireShared(count, alone);
  }

  /**
   * The integrator that was released last, of those far from their limits. If few checks run concurrently, they
   * would otherwise exhaust one integrator although more can be created.
   */
  #idleWithCapacity(): Identity | undefined {
    const place = this.#idle.findLastIndex(({ hasCapacity }) => hasCapacity);
    return place < 0 ? undefined : this.#idle.splice(place, 1)[0];
  }

  /**
   * The shared integrator with the most requests of this minute, if it can still send a check's first requests.
   * Checks never advance a shared integrator's clock, so the target still counts the requests.
   */
  #busiestShared(exhaustion: "from-below" | "nearly"): SharedIdentity | undefined {
    const left = ({ made }: SharedIdentity) => made?.budget.left ?? 0;
    const needed = exhaustion === "nearly" ? MANY_REQUESTS + FIRST_REQUESTS : FIRST_REQUESTS;
    const usable = [...this.#shared, ...this.#replaced].filter((shared) => left(shared) > needed);
    return usable.toSorted((one, other) => left(one) - left(other))[0];
  }

  /**
   * A shared integrator for exclusive use. If the check exhausts the integrator's limit, a new integrator
   * replaces it.
   */
  async #acquireWhole(shared: SharedIdentity): Promise<readonly Lease[]> {
    const leases = await lease([shared], true);
    return leases.map(({ identity, release }) => ({
      identity,
      release: () => {
        release();
        if (!identity.isRetired) return;
        this.#replace(shared);
        this.#replaced = this.#replaced.filter((replaced) => replaced !== shared);
        if (identity.isAtLimit) this.#atLimit.push(identity);
      },
    }));
  }

  #replace(shared: SharedIdentity): void {
    const place = this.#shared.indexOf(shared);
    if (place < 0) return;
    this.#shared[place] = sharedIdentity(() => this.#make());
    this.#replaced.push(shared);
  }

  /** An integrator that is still at its limit. The limit lasts at most a minute. */
  #takeAtLimit(): Identity | undefined {
    this.#atLimit = this.#atLimit.filter(({ isAtLimit }) => isAtLimit);
    return this.#atLimit.pop();
  }

  #release(identity: Identity): void {
    identity.useIssuedTokens();
    if (!identity.isRetired) this.#idle.push(identity);
    else if (identity.isAtLimit) this.#atLimit.push(identity);
  }

  async #acquireExclusive(
    count: number,
    {
      exhaustsRateLimit,
      isFresh = false,
      clients = [],
    }: Pick<IdentityNeeds, "exhaustsRateLimit" | "isFresh"> & {
      readonly clients?: readonly HeaderProfile[] | undefined;
    },
  ): Promise<readonly Lease[]> {
    // Runs at the first request for an integrator, after the test whether addresses have separate limits.
    const isCapped = !this.deps.addresses.several && !this.waitsInRealTime && !this.issuesTokens;
    this.#slots ??= new Slots(isCapped ? MAX_INTEGRATORS_PER_IP : MAX_INTEGRATORS);
    const places = this.#slots;
    await places.take(count);
    const grants: Lease[] = [];
    try {
      for (let i = 0; i < count; i += 1) {
        const spent = exhaustsRateLimit === "at-limit" && i === 0 ? this.#takeAtLimit() : undefined;
        const used = isFresh ? undefined : (spent ?? this.#idleWithCapacity());
        const identity = used ?? (await this.#make(clients[i]));
        const release = () => {
          this.#release(identity);
          places.giveBack(1);
        };
        grants.push({ identity, release });
      }
      return grants;
    } catch (error) {
      for (const { release } of grants) release();
      places.giveBack(count - grants.length);
      throw error;
    }
  }

  async #acquireShared(count: number, alone: boolean): Promise<readonly Lease[]> {
    const start = this.#next;
    this.#next += count;
    // Acquires integrators in ascending order, so that two checks can't deadlock.
    const picks = Array.from({ length: count }, (_, i) => (start + i) % this.#shared.length).sort(
      (a, b) => a - b,
    );
    for (const pick of this.#canMake ? picks : []) {
      const shared = this.#shared[pick];
      if (shared?.made !== undefined && shared.made.budget.left < MIN_LEFT) this.#replace(shared);
    }
    return lease(
      picks.flatMap((pick) => this.#shared[pick] ?? []),
      alone,
    );
  }
}

async function lease(places: readonly SharedIdentity[], alone: boolean): Promise<readonly Lease[]> {
  if (places.length === 0) throw new CheckSkipped("no credentials are configured");
  const grants: Lease[] = [];
  for (const place of places) {
    const release = await place.lock.acquire(alone);
    try {
      grants.push({ identity: await place.identity, release });
    } catch (error) {
      release();
      for (const grant of grants) grant.release();
      throw error;
    }
  }
  return grants;
}
