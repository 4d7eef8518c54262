import type { PrivateOperation } from "./operation.ts";

export const listPaymentTypes: PrivateOperation<"listPaymentTypes"> = async ({ parts }) => ({
  status: 200,
  body: { items: [...parts.paymentTypes] },
});
