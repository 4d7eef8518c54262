import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { BaseContext } from "../../check.ts";
import { prepaidPayment } from "./prepaid.ts";

type NewDelivery = Schemas["NewDelivery"];
type Attributes = Readonly<Record<string, Partial<NewDelivery>>>;

const DAY_MS = 86_400_000;

/**
 * Attributes for an order that must be refused for another reason, because every rule applies to orders with
 * these attributes too. The attributes come in pairs to limit the number of requests.
 * @param at fields of an acceptable order, for finding a prepaid payment by trying
 */
export async function unusualAttributes(
  context: Pick<BaseContext, "api" | "order" | "paymentType" | "now">,
  at: Partial<NewDelivery> = {},
): Promise<Attributes> {
  const payment = await prepaidPayment(context, at);
  return {
    // A target that accepts no prepaid order is another check's finding.
    ...(payment && { "prepaid, in several packages": { payment, package_count: 4 } }),
    "scheduled for tomorrow, with a PIN": {
      scheduled_for: isoInstant(context.now() + DAY_MS),
      require_pin: true,
    },
  };
}

/** The unusual attributes, and no attributes for a plain order. */
export const orderAttributes = async (
  ...given: Parameters<typeof unusualAttributes>
): Promise<Attributes> => ({ plain: {}, ...(await unusualAttributes(...given)) });
