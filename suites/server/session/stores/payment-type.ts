import type { Schemas } from "../../../core/contract/document.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { Api } from "../http/api.ts";
import type { ApiResponse } from "../http/api-response.ts";

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
