import type { Schemas } from "../../core/contract/document.ts";
import type { BaseContext } from "../check.ts";
import type { Answer } from "../session/answer.ts";
import { paymentCodes } from "../session/stores.ts";

/** More codes than this no list is searched for one that takes a paid order. */
const MAX_CODES = 60;

/**
 * A delivery that was paid before, under whichever listed code takes that: which codes may be prepaid is open
 * (OPEN-80), but a platform's are, with `prepaid: true`.
 */
export async function openPrepaidDelivery(
  { api, order, paymentType }: Pick<BaseContext, "api" | "order" | "paymentType">,
  overrides: Partial<Schemas["NewDelivery"]> = {},
): Promise<Schemas["Delivery"]> {
  const listed = paymentCodes((await api.call("listPaymentTypes")).hasStatus(200).json);
  const codes = new Set([await paymentType(), ...listed.slice(0, MAX_CODES)]);
  let answer: Answer<"createDelivery"> | undefined;
  for (const type of codes) {
    const payment = { type, amount_due: 0, prepaid: true };
    answer = await api.createDelivery(await order({ ...overrides, payment }));
    if (answer.status === 201) break;
  }
  if (!answer) throw new Error("no payment code is known");
  return answer.body(201);
}
