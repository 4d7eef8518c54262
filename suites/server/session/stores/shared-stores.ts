import { CheckSkipped, NoResponse } from "../../../core/grading/failures/failure.ts";
import type { Api } from "../http/api.ts";
import type { Transport } from "../http/transport.ts";
import type { Identity } from "../identities/identity.ts";
import type { IdentityPool } from "../identities/identity-pool.ts";
import { storesOf } from "../lists/list-entries.ts";
import { drawingForAll } from "../sample-data/drawn.ts";
import type { Point } from "../sample-data/settings.ts";
import { setUp } from "../set-up.ts";
import { isOwnStoreId } from "./own-stores.ts";
import { isStore, type LinkedStore, linkLookAlike, linkStore, type PairingCodes } from "./stores.ts";

/** True for a store of a run that has an active status and a location. */
const isUsable = ({ external_store_id, status, lat }: LinkedStore) =>
  isOwnStoreId(external_store_id) && status === "ACTIVE" && lat != null;

/** An integrator's stores in the target's list. */
async function listedStores(api: Api): Promise<readonly LinkedStore[]> {
  const list = await api.call("listStores");
  return list.status === 200 ? storesOf(list).filter(isStore) : [];
}

/**
 * A store that an integrator's checks share: a new store, or without a pairing code, a store of an earlier run.
 * @param others the APIs of the run's other integrators. A store that one of them has linked too is excluded,
 * because checks of isolation need a store of only this integrator
 */
async function sharedStore(
  api: Api,
  codes: PairingCodes,
  point: Point,
  others: readonly Api[],
): Promise<LinkedStore> {
  let refusal: unknown;
  try {
    return await linkStore(api, codes, point);
  } catch (error) {
    if (codes.areUnlimited || !(error instanceof CheckSkipped)) throw error;
    refusal = error;
  }
  const usable = (await listedStores(api)).filter(isUsable);
  if (usable.length === 0) throw refusal;
  // One external id that two integrators have linked may mean one restaurant or two. In both cases, it is
  // excluded.
  const listed = (await Promise.all(others.map(listedStores))).flat();
  const theirs = new Set(listed.map(({ external_store_id }) => external_store_id));
  const earlier = usable.find(({ external_store_id }) => !theirs.has(external_store_id));
  if (earlier) return earlier;
  throw new CheckSkipped(
    "no pairing code is left, and each store of an earlier run is linked by both credentials",
  );
}

/**
 * A second store, other than the shared store. Prefers a store that this run has already linked, because
 * pairing codes are scarce.
 * @param linked the integrator's stores of this run by external id
 */
async function anotherStore(
  api: Api,
  codes: PairingCodes,
  point: Point,
  shared: LinkedStore,
  linked: readonly string[],
): Promise<LinkedStore> {
  for (const external_store_id of linked) {
    const response = await api.getStore(external_store_id);
    if (response.status === 200 && isUsable(response.body(200))) return response.body(200);
  }
  return linkLookAlike(api, codes, point, shared);
}

/** The distance of an integrator's earlier store from its others: about 3 km. */
const EARLIER_STORE_DEGREES = 0.027;

/** The API for requests of the run itself. No check uses these exchanges as evidence. */
const unrecordedApi = (identity: Identity) => identity.api(() => {});

interface SharedStoresDeps {
  readonly identities: Pick<IdentityPool, "othersOf">;
  readonly codes: PairingCodes;
  readonly transport: Pick<Transport, "outages">;
  /** The location of the stores. */
  readonly point: Point;
}

/** The stores that an integrator's checks share. Each is linked when a check first needs it. */
export class SharedStores {
  readonly #first = new Map<Identity, Promise<LinkedStore>>();
  readonly #second = new Map<Identity, Promise<LinkedStore>>();
  private readonly deps: SharedStoresDeps;

  constructor(deps: SharedStoresDeps) {
    this.deps = deps;
  }

  /**
   * The store of most checks. A failure to link a store is kept, because it would repeat for each check, unless an
   * outage caused the failure.
   */
  of(identity: Identity): Promise<LinkedStore> {
    const { transport } = this.deps;
    const { outages } = transport;
    let store = this.#first.get(identity);
    if (!store) {
      store = drawingForAll(() => this.#link(identity));
      this.#first.set(identity, store);
      store.catch((error: unknown) => {
        // A missing response isn't a failure to link a store. If the target never responds, the run soon stops
        // anyway.
        const isToTry = error instanceof NoResponse || transport.outages !== outages;
        if (isToTry) this.#first.delete(identity);
      });
    }
    return store;
  }

  async #link(identity: Identity): Promise<LinkedStore> {
    const { identities, codes, point } = this.deps;
    const others = await identities.othersOf(identity);
    const shared = await setUp(unrecordedApi(identity), (api) =>
      sharedStore(api, codes, point, others.map(unrecordedApi)),
    );
    identity.created.noteExistingStore(shared);
    return shared;
  }

  /**
   * Links a store to an unused integrator, before the store that its checks share. Otherwise a server that confuses an
   * integrator's stores with its first one would pass when a check is repeated.
   */
  async linkEarlier(identity: Identity): Promise<void> {
    const { codes, point } = this.deps;
    if (!codes.areUnlimited || this.#first.has(identity)) return;
    const elsewhere = { lat: point.lat + EARLIER_STORE_DEGREES, lng: point.lng };
    try {
      await drawingForAll(() => linkStore(unrecordedApi(identity), codes, elsewhere));
    } catch {
      // The store that the check uses shows whether stores can be linked.
    }
  }

  /** A second store, shared by checks because pairing codes may be scarce. */
  another(identity: Identity): Promise<LinkedStore> {
    let store = this.#second.get(identity);
    if (!store) {
      store = drawingForAll(async () => {
        const { codes, point } = this.deps;
        const shared = await this.of(identity);
        const others = [...identity.created.stores].filter((id) => id !== shared.external_store_id);
        return setUp(unrecordedApi(identity), (api) => anotherStore(api, codes, point, shared, others));
      });
      this.#second.set(identity, store);
    }
    return store;
  }
}
