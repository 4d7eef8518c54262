import { isoInstant } from "../../core/clock.ts";
import type { Schemas } from "../../core/contract/document.ts";
import type { BaseContext } from "../check.ts";
import { prepaidPayment } from "./prepaid.ts";

type NewDelivery = Schemas["NewDelivery"];
type Attributes = Readonly<Record<string, Partial<NewDelivery>>>;

const DAY_MS = 86_400_000;

/**
 * What an order may have about it while it is refused for something else: a rule that binds every order binds it with
 * these too. Two at a time, since each one alone would ask for as many requests again.
 * @param at where an order is taken, to find by trial what may be prepaid
 */
export async function unusualAttributes(
  context: Pick<BaseContext, "api" | "order" | "paymentType" | "now">,
  at: Partial<NewDelivery> = {},
): Promise<Attributes> {
  const payment = await prepaidPayment(context, at);
  return {
    // That no paid order is taken at all is for the check to say that is about it.
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
