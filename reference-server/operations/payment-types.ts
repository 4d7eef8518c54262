import type { AuthenticatedOperation } from "./operation.ts";

export const listPaymentTypes: AuthenticatedOperation<"listPaymentTypes"> = async ({ deps }) => ({
  status: 200,
  body: { items: [...deps.paymentTypes] },
});
