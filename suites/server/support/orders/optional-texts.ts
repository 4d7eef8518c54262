import type { Schemas } from "../../../core/contract/document.ts";

/** A delivery's text fields that an order may leave out. */
export const OPTIONAL_TEXTS = [
  "notes",
  "customer.note",
  "customer.phone_extension",
  "dropoff.neighborhood",
  "dropoff.district",
  "dropoff.city",
] as const;

/** The optional texts of an order or a delivery. */
export const optionalTextsOf = ({
  notes,
  customer,
  dropoff,
}: Schemas["Delivery"] | Schemas["NewDelivery"]): Readonly<
  Record<(typeof OPTIONAL_TEXTS)[number], unknown>
> => ({
  notes,
  "customer.note": customer?.note,
  "customer.phone_extension": customer?.phone_extension,
  "dropoff.neighborhood": dropoff.neighborhood,
  "dropoff.district": dropoff.district,
  "dropoff.city": dropoff.city,
});
