import type { Mutant } from "../mutant.ts";

export const creditMutants = {
  "cancelled-delivery-costs-credit": {
    fault: "the credit of a cancelled delivery isn't given back",
    mutate: (parts) => ({ ...parts, credit: { ...parts.credit, cancelling: () => 0 } }),
  },
  "credit-stays-once-assigned": {
    fault: "the credit of a delivery that had its courier isn't given back",
    mutate: (parts) => ({
      ...parts,
      credit: {
        ...parts.credit,
        cancelling: (delivery) => (delivery.assigned_at === null ? parts.credit.cancelling(delivery) : 0),
      },
    }),
  },
  "credit-stays-without-coordinates": {
    fault: "the credit of a delivery that never had coordinates isn't given back",
    mutate: (parts) => ({
      ...parts,
      credit: {
        ...parts.credit,
        cancelling: (delivery) => (delivery.dropoff.point === null ? 0 : parts.credit.cancelling(delivery)),
      },
    }),
  },
  "test-delivery-costs-credit": {
    fault: "a test delivery consumes credit like any other",
    mutate: (parts) => ({ ...parts, credit: { ...parts.credit, opening: () => 1 } }),
  },
} satisfies Record<string, Mutant>;
