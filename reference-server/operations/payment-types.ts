import type { PrivateOperation } from "./operation.ts";

export const listPaymentTypes: PrivateOperation<"listPaymentTypes"> = async ({ deps }) => ({
  status: 200,
  body: { items: [...deps.paymentTypes] },
});
