import type { Schemas } from "../../core/contract/document.ts";
import type { BaseContext } from "../check.ts";
import type { Answer } from "../session/answer.ts";
import { paymentCodes } from "../session/stores.ts";

type NewDelivery = Schemas["NewDelivery"];
type Ordering = Pick<BaseContext, "api" | "order" | "paymentType">;

/** More codes than this no list is searched for one that takes a paid order. */
const MAX_CODES = 60;

interface Prepaid {
  readonly delivery: Schemas["Delivery"];
  /** As it was sent. */
  readonly payment: NewDelivery["payment"];
}

/**
 * A delivery that was paid before, under whichever listed code takes that: which codes may be prepaid is open
 * (OPEN-80), but a platform's are, with `prepaid: true`.
 */
async function openPrepaid(
  { api, order, paymentType }: Ordering,
  overrides: Partial<NewDelivery>,
): Promise<Prepaid> {
  const listed = paymentCodes((await api.call("listPaymentTypes")).hasStatus(200).json);
  const codes = new Set([await paymentType(), ...listed.slice(0, MAX_CODES)]);
  let last: { answer: Answer<"createDelivery">; payment: NewDelivery["payment"] } | undefined;
  for (const type of codes) {
    const payment = { type, amount_due: 0, prepaid: true };
    last = { answer: await api.createDelivery(await order({ ...overrides, payment })), payment };
    if (last.answer.status === 201) break;
  }
  if (!last) throw new Error("no payment code is known");
  return { delivery: last.answer.body(201), payment: last.payment };
}

export const openPrepaidDelivery = async (
  context: Ordering,
  overrides: Partial<NewDelivery> = {},
): Promise<Schemas["Delivery"]> => (await openPrepaid(context, overrides)).delivery;

/** The payment of an order that was paid before, as the target has just taken it. */
export const prepaidPayment = async (
  context: Ordering,
  overrides: Partial<NewDelivery> = {},
): Promise<NewDelivery["payment"]> => (await openPrepaid(context, overrides)).payment;
