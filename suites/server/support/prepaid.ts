import type { Schemas } from "../../core/contract/document.ts";
import type { BaseContext } from "../check.ts";
import type { Answer } from "../session/answer.ts";
import { paymentCodes } from "../session/stores.ts";

type NewDelivery = Schemas["NewDelivery"];
type Ordering = Pick<BaseContext, "api" | "order" | "paymentType">;

/** More codes than this no list is searched for one that takes a paid order. */
const MAX_CODES = 60;

/** What came of trying codes one after the other, until an order was taken that was paid before. */
interface Trial {
  /** The answer to the last that was tried. */
  readonly answer: Answer<"createDelivery">;
  readonly payment: NewDelivery["payment"];
}

/**
 * Orders a delivery that was paid before, under whichever listed code takes that: which codes may be prepaid is open
 * (OPEN-80), but a platform's are, with `prepaid: true`.
 */
async function tryPrepaid(
  { api, order, paymentType }: Ordering,
  overrides: Partial<NewDelivery>,
): Promise<Trial> {
  const listed = paymentCodes((await api.call("listPaymentTypes")).succeeded().json);
  const codes = new Set([await paymentType(), ...listed.slice(0, MAX_CODES)]);
  let last: Trial | undefined;
  for (const type of codes) {
    const payment = { type, amount_due: 0, prepaid: true };
    last = { answer: await api.createDelivery(await order({ ...overrides, payment })), payment };
    if (last.answer.brings(201)) break;
  }
  if (!last) throw new Error("no payment code is known");
  return last;
}

export const openPrepaidDelivery = async (
  context: Ordering,
  overrides: Partial<NewDelivery> = {},
): Promise<Schemas["Delivery"]> => (await tryPrepaid(context, overrides)).answer.body(201);

/** The payment of an order that was paid before, as the target has just taken it; undefined where it takes none. */
export async function prepaidPayment(
  context: Ordering,
  overrides: Partial<NewDelivery> = {},
): Promise<NewDelivery["payment"] | undefined> {
  const { answer, payment } = await tryPrepaid(context, overrides);
  return answer.brings(201) ? payment : undefined;
}
