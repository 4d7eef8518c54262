import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isObject, parseJson, textOf } from "../../../core/json.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { faultInResponse, onResponse } from "./responses.ts";

/** payment.type in a body, as text, because the codes may be numbers (OPEN-79). Undefined without a payment. */
function paymentTypeIn(body: unknown): string | undefined {
  const payment = isObject(body) ? body.payment : undefined;
  return isObject(payment) && payment.type != null ? textOf(payment.type) : undefined;
}

const orderedType = ({ requestBody }: Exchange) => paymentTypeIn(parseJson(requestBody ?? ""));

const paymentType = passiveCheck({
  id: "passive.payment-type",
  title: "every delivery is created with the payment.type of its order",
  clauses: [clause["DLV-18"]],
  applies: onResponse(
    (response, exchange) =>
      exchange.operation === "createDelivery" &&
      isSuccess(response) &&
      exchange.violates === undefined &&
      orderedType(exchange) !== undefined &&
      paymentTypeIn(response.json) !== undefined,
  ),
  fault: faultInResponse(({ json }, exchange) => {
    const [ordered, shown] = [orderedType(exchange), paymentTypeIn(json)];
    return ordered === shown
      ? undefined
      : `payment.type of a new delivery is ${shown}, not the ordered ${ordered}`;
  }),
});

export const passiveOrdersChecks: readonly PassiveCheck[] = [paymentType];
