import type { Schemas } from "../../../core/contract/document.ts";
import type { BaseContext } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { paymentCodes } from "../../session/stores/payment-type.ts";

type NewDelivery = Schemas["NewDelivery"];
type Ordering = Pick<BaseContext, "api" | "order" | "paymentType">;

/** The maximum number of codes to try for a prepaid order. */
const MAX_CODES = 60;

/** The result of trying codes until a prepaid order was accepted. */
interface Trial {
  /** The last response. */
  readonly response: ApiResponse<"createDelivery">;
  readonly payment: NewDelivery["payment"];
}

/**
 * Orders a prepaid delivery with any listed code. Which codes allow prepaid orders is unspecified (OPEN-80),
 * but a platform's code does.
 */
async function tryPrepaid(
  { api, order, paymentType }: Ordering,
  overrides: Partial<NewDelivery>,
): Promise<Trial> {
  const listed = paymentCodes((await api.call("listPaymentTypes")).expectSuccess().json);
  const codes = new Set([await paymentType(), ...listed.slice(0, MAX_CODES)]);
  let last: Trial | undefined;
  for (const type of codes) {
    const payment = { type, amount_due: 0, prepaid: true };
    last = { response: await api.createDelivery(await order({ ...overrides, payment })), payment };
    if (last.response.hasContentOf(201)) break;
  }
  if (!last) throw new Error("no payment code is known");
  return last;
}

export const createPrepaidDelivery = async (
  context: Ordering,
  overrides: Partial<NewDelivery> = {},
): Promise<Schemas["Delivery"]> => (await tryPrepaid(context, overrides)).response.body(201);

/** The payment of an accepted prepaid order; undefined if the target accepts none. */
export async function prepaidPayment(
  context: Ordering,
  overrides: Partial<NewDelivery> = {},
): Promise<NewDelivery["payment"] | undefined> {
  const { response, payment } = await tryPrepaid(context, overrides);
  return response.hasContentOf(201) ? payment : undefined;
}
