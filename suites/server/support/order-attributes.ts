import { isoInstant } from "../../core/clock.ts";
import type { Schemas } from "../../core/contract/document.ts";
import type { BaseContext } from "../check.ts";
import { prepaidPayment } from "./prepaid.ts";

type NewDelivery = Schemas["NewDelivery"];
type Attributes = Readonly<Record<string, Partial<NewDelivery>>>;

const DAY_MS = 86_400_000;

/**
 * Attributes of an order that is refused for another reason: a rule that binds every order binds it with these too.
 * They come two at a time, since each one alone would double the requests.
 * @param at the place where an order is accepted, to find a prepaid payment by trial
 */
export async function unusualAttributes(
  context: Pick<BaseContext, "api" | "order" | "paymentType" | "now">,
  at: Partial<NewDelivery> = {},
): Promise<Attributes> {
  const payment = await prepaidPayment(context, at);
  return {
    // A target that accepts no paid order at all is another check's finding.
    ...(payment && { "prepaid, in several packages": { payment, package_count: 4 } }),
    "scheduled for tomorrow, with a PIN": {
      scheduled_for: isoInstant(context.now() + DAY_MS),
      require_pin: true,
    },
  };
}

/** The same, and an order with nothing about it. */
export const orderAttributes = async (
  ...given: Parameters<typeof unusualAttributes>
): Promise<Attributes> => ({ plain: {}, ...(await unusualAttributes(...given)) });
