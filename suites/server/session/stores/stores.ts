import type { Schemas } from "../../../core/contract/document.ts";
import type { ControlClient } from "../../../core/control.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { RefusedCode } from "../../../core/grading/skip-reasons.ts";
import { member, parseJson, textOf } from "../../../core/json.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { Api } from "../http/api.ts";
import type { ApiResponse } from "../http/api-response.ts";
import { storesOf } from "../lists/list-entries.ts";
import { landlineNumber, restaurantName, streetAddress } from "../sample-data/sample-data.ts";
import type { Point } from "../sample-data/settings.ts";
import { isOwnStoreId, MAX_EXTERNAL_ID_CHARS, newLookAlikeId, newStoreId } from "./own-stores.ts";

/** A linked store of an integrator. */
export type LinkedStore = Schemas["Store"];

export interface PairingCode {
  readonly pairing_code: string;
  /** Undefined unless the control interface issued the code. */
  readonly courier_company: { readonly id: string; readonly name: string } | undefined;
}

/** The registration of a store at the point, with a new identifier. */
export function newStoreRegistration(
  point: Point,
  code: string | undefined,
  overrides: Partial<Schemas["StoreRegistration"]> = {},
): Schemas["StoreRegistration"] {
  return {
    external_store_id: newStoreId(),
    ...(code === undefined ? {} : { pairing_code: code }),
    name: restaurantName(),
    phone: landlineNumber(),
    address: { text: streetAddress(), lat: point.lat, lng: point.lng },
    ...overrides,
  };
}

export const ENOUGH_PAIRING_CODES = 17;

/** A message at the start of a run and in checks. */
export const NO_CODE_LEFT = "no pairing code is left: give more with --pairing-code";

/** Pairing codes from the control interface or from the configuration. Each code is used once. */
export class PairingCodes {
  readonly #configured: readonly string[];
  #taken = 0;

  private readonly control: ControlClient | undefined;

  constructor(configured: readonly string[], control: ControlClient | undefined, redact: Redactor) {
    this.control = control;
    this.#configured = configured;
    redact.add(...configured);
  }

  get areUnlimited(): boolean {
    return this.control?.offers("issuePairingCode") ?? false;
  }

  get isAvailable(): boolean {
    return this.areUnlimited || this.#taken < this.#configured.length;
  }

  async next(wanted: Parameters<ControlClient["issuePairingCode"]>[0] = {}): Promise<PairingCode> {
    if (this.control && this.areUnlimited) return this.control.issuePairingCode(wanted);
    const code = this.#configured[this.#taken];
    if (code === undefined) throw new CheckSkipped(NO_CODE_LEFT);
    this.#taken += 1;
    return { pairing_code: code, courier_company: undefined };
  }

  /**
   * Records that the target refused a configured code. Returns the code's position.
   * @param code the target's error code for the refusal
   */
  refused(pairing_code: unknown, code: string): RefusedCode {
    const place = 1 + this.#configured.indexOf(textOf(pairing_code));
    return { place, of: this.#configured.length, code };
  }
}

/**
 * The store in the response to its first registration.
 * @param note what a failure says about the registration
 * @throws CheckSkipped if the target refused a configured code, which may not be the target's fault
 */
export function expectLinkedStore(
  response: ApiResponse<"registerStore">,
  codes: PairingCodes,
  note?: string,
): LinkedStore {
  const code = response.status === 400 ? response.expectError(400).code : undefined;
  if (!codes.areUnlimited && code === "ESLEME_KODU_GECERSIZ") {
    const sent = member(parseJson(response.exchange.requestBody ?? ""), "pairing_code");
    throw new CheckSkipped({ kind: "codes refused", codes: [codes.refused(sent, code)] });
  }
  const store = response.body(201, note);
  if (isStore(store)) return store;
  throw response.failure({
    subject: "the response to registerStore",
    relation: "to have",
    expected: described("id and external_store_id"),
    actual: store,
  });
}

/** Links a new store to the integrator. */
export async function linkStore(
  api: Api,
  codes: PairingCodes,
  point: Point,
  overrides?: Partial<Schemas["StoreRegistration"]>,
): Promise<LinkedStore> {
  const { pairing_code } = await codes.next();
  const response = await api.registerStore(newStoreRegistration(point, pairing_code, overrides));
  return expectLinkedStore(response, codes);
}

/** True for a store of a run that has an active status and a location. */
const isUsable = ({ external_store_id, status, lat }: LinkedStore) =>
  isOwnStoreId(external_store_id) && status === "ACTIVE" && lat != null;

/** Links another store, whose external id has the maximum length and begins with the first store's id. */
export const linkLookAlike = (
  api: Api,
  codes: PairingCodes,
  point: Point,
  { external_store_id }: LinkedStore,
): Promise<LinkedStore> =>
  linkStore(api, codes, point, { external_store_id: newLookAlikeId(external_store_id) });

/**
 * A second store, other than the shared store. Prefers a store that this run has already linked, because
 * pairing codes are scarce.
 * @param linked the integrator's stores of this run by external id
 */
export async function anotherStore(
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

const isStore = (value: unknown): value is LinkedStore =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  "external_store_id" in value &&
  typeof value.external_store_id === "string" &&
  value.external_store_id.length <= MAX_EXTERNAL_ID_CHARS;

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
export async function sharedStore(
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

export type PaymentCode = Schemas["NewPayment"]["type"];

/** The payment codes in a target's list, in any layout and of any type (OPEN-79). */
export function paymentCodes(value: unknown): readonly PaymentCode[] {
  if (Array.isArray(value)) return value.flatMap(paymentCodes);
  if (typeof value !== "object" || value === null) return [];
  if ("kod" in value && "no" in value && "ad" in value && "sinif" in value) {
    return typeof value.kod === "string" || typeof value.kod === "number" ? [value.kod] : [];
  }
  return Object.values(value).flatMap(paymentCodes);
}

/**
 * The maximum number of tried codes, because some lists begin with many platform codes that need a prepaid
 * order.
 */
const MAX_TRIAL_ORDERS = 60;

/** Finds a payment code that the target accepts for a plain order, by trying (OPEN-80). */
export async function learnPaymentType(
  api: Api,
  anOrder: (paymentType: PaymentCode) => Promise<Schemas["NewDelivery"]>,
): Promise<PaymentCode> {
  const list = await api.call("listPaymentTypes");
  const codes = paymentCodes(list.expectSuccess().json);
  let refused: ApiResponse<"createDelivery"> | undefined;
  for (const code of codes.slice(0, MAX_TRIAL_ORDERS)) {
    refused = await api.createDelivery({ ...(await anOrder(code)), test: true });
    if (refused.hasContentOf(201)) return code;
  }
  const trial = refused?.failureOfStatus(201, "for a trial order with each code of the payment-type list");
  throw (
    trial ??
    list.failure({
      subject: "the list of payment types",
      relation: "to be",
      expected: described("a list with codes in `kod`"),
      actual: list.json,
    })
  );
}
