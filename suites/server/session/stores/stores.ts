import type { Schemas } from "../../../core/contract/document.ts";
import type { ControlClient } from "../../../core/control.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { RefusedCode } from "../../../core/grading/skip-reasons.ts";
import { member, parseJson, textOf } from "../../../core/json.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { Api } from "../http/api.ts";
import type { ApiResponse } from "../http/api-response.ts";
import { landlineNumber, restaurantName, streetAddress } from "../sample-data/sample-data.ts";
import type { Point } from "../sample-data/settings.ts";
import { MAX_EXTERNAL_ID_CHARS, newLookAlikeId, newStoreId } from "./own-stores.ts";

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

/** Links another store, whose external id has the maximum length and begins with the first store's id. */
export const linkLookAlike = (
  api: Api,
  codes: PairingCodes,
  point: Point,
  { external_store_id }: LinkedStore,
): Promise<LinkedStore> =>
  linkStore(api, codes, point, { external_store_id: newLookAlikeId(external_store_id) });

export const isStore = (value: unknown): value is LinkedStore =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  "external_store_id" in value &&
  typeof value.external_store_id === "string" &&
  value.external_store_id.length <= MAX_EXTERNAL_ID_CHARS;
