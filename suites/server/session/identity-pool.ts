import type { Control } from "../../core/control.ts";
import { NotTestable } from "../../core/failure.ts";
import { SharedLock } from "../../core/shared-lock.ts";
import { type Credentials, Lane, type LaneParts } from "./identity.ts";

/** How many identities share the checks that don't need one of their own. */
const SHARED_LANES = 4;

/** A lane for the length of one check. */
export interface Grant {
  readonly lane: Lane;
  release(): void;
}

/**
 * The identities of a run. With a control interface there are as many as checks ask for; without one, the configured
 * credentials are shared, and a check that needs an identity alone waits for its turn.
 */
export class Lanes {
  readonly #shared: { readonly lane: Promise<Lane>; readonly lock: SharedLock }[] = [];
  readonly #idle: Lane[] = [];
  readonly #all: Lane[] = [];
  #next = 0;

  private readonly configured: readonly Credentials[];
  private readonly control: Control | undefined;
  private readonly parts: LaneParts;

  constructor(configured: readonly Credentials[], control: Control | undefined, parts: LaneParts) {
    this.configured = configured;
    this.control = control;
    this.parts = parts;
    const makers = this.#canMake
      ? Array.from({ length: SHARED_LANES }, () => () => this.#make())
      : configured.map((credentials) => () => Promise.resolve(this.#lane(credentials)));
    for (const make of makers) {
      let made: Promise<Lane> | undefined;
      this.#shared.push({
        get lane() {
          made ??= make();
          return made;
        },
        lock: new SharedLock(),
      });
    }
  }

  get #canMake(): boolean {
    return this.control?.offers("createIntegrator") ?? false;
  }

  /** Every lane that the run has had so far. */
  get all(): readonly Lane[] {
    return this.#all;
  }

  /** How many integrators the run can have at once. */
  get count(): number {
    return this.#canMake ? Number.POSITIVE_INFINITY : this.configured.length;
  }

  #lane(credentials: Credentials): Lane {
    const lane = new Lane(credentials, this.parts);
    this.#all.push(lane);
    return lane;
  }

  async #make(): Promise<Lane> {
    if (!this.control) throw new NotTestable("no credentials are configured");
    return this.#lane(await this.control.createIntegrator("integrator"));
  }

  /**
   * Lanes for one check, all different.
   * @param alone whether nobody else may use them meanwhile
   */
  async take(count: number, alone: boolean): Promise<readonly Grant[]> {
    if (count > this.count) throw new NotTestable(`${count} credentials are needed, ${this.count} given`);
    return alone && this.#canMake ? this.#own(count) : this.#share(count, alone);
  }

  /** With few jobs one identity would be used by check after check, up to its limit, while others can be made. */
  #idleWithRoom(): Lane | undefined {
    const place = this.#idle.findLastIndex(({ hasRoom }) => hasRoom);
    return place < 0 ? undefined : this.#idle.splice(place, 1)[0];
  }

  async #own(count: number): Promise<readonly Grant[]> {
    const grants: Grant[] = [];
    for (let i = 0; i < count; i += 1) {
      const lane = this.#idleWithRoom() ?? (await this.#make());
      grants.push({
        lane,
        release: () => {
          if (!lane.spent) this.#idle.push(lane);
        },
      });
    }
    return grants;
  }

  async #share(count: number, alone: boolean): Promise<readonly Grant[]> {
    const start = this.#next;
    this.#next += count;
    // Always entered from the first to the last, so that two checks can't wait for each other.
    const picks = Array.from({ length: count }, (_, i) => (start + i) % this.#shared.length).sort(
      (a, b) => a - b,
    );
    const grants: Grant[] = [];
    for (const pick of picks) {
      const place = this.#shared[pick];
      if (!place) throw new NotTestable("no credentials are configured");
      const release = await place.lock.acquire(alone);
      try {
        grants.push({ lane: await place.lane, release });
      } catch (error) {
        release();
        for (const grant of grants) grant.release();
        throw error;
      }
    }
    return grants;
  }
}
