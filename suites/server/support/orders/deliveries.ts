import { isDeepStrictEqual } from "node:util";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isSuccess } from "../../../core/responses.ts";
import type { BaseContext } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { expectNoEarlier, expectNoLater, instantIn } from "../shown-values.ts";

type Delivery = Schemas["Delivery"];
type NewDelivery = Schemas["NewDelivery"];

/** An address that no geocoder can resolve, so that it gets no coordinates, fee or offer. */
export const UNLOCATABLE_ADDRESS = { text: "Adres telefonda sorulacak" };

/** Creates a delivery, by default with coordinates. */
export async function createDelivery(
  { api, order }: Pick<BaseContext, "api" | "order">,
  overrides?: Partial<NewDelivery>,
): Promise<Delivery> {
  return (await api.createDelivery(await order(overrides))).body(201);
}

/** Creates a delivery without coordinates, which has neither a fee nor an offer (DLV-37, STATE-6). */
export const createUnlocatedDelivery = (
  context: Pick<BaseContext, "api" | "order">,
  overrides?: Partial<NewDelivery>,
): Promise<Delivery> => createDelivery(context, { dropoff: UNLOCATABLE_ADDRESS, ...overrides });

export const readDelivery = async (api: Api, id: string): Promise<Delivery> =>
  (await api.getDelivery(id)).body(200);

/** Changes a delivery and reads it, because status and body of the response are unspecified (OPEN-149). */
export async function changeDelivery(
  api: Api,
  id: string,
  change: Schemas["DeliveryChange"],
): Promise<Delivery> {
  (await api.updateDelivery(id, change)).expectSuccess();
  return readDelivery(api, id);
}

/**
 * Ensures that time has passed on the target too. Otherwise effects of time can't be tested.
 * @param earlier a delivery that was created before
 * @param seconds the minimum time since then
 * @throws CheckSkipped if a new delivery isn't later by half of these seconds
 */
export async function expectTimePassed(
  context: Pick<BaseContext, "api" | "order">,
  earlier: Pick<Delivery, "created_at">,
  seconds: number,
): Promise<void> {
  const { created_at } = await createDelivery(context);
  if (Date.parse(created_at) - Date.parse(earlier.created_at) >= seconds * 500) return;
  throw new CheckSkipped(
    `${Math.round(seconds)} s after a delivery of ${earlier.created_at} a new one has created_at ${created_at}`,
  );
}

/** Cancels a delivery and reads it, because status and body of the response are unspecified (OPEN-149). */
export async function cancelDelivery(api: Api, id: string, reason?: string): Promise<Delivery> {
  (await api.cancelDelivery(id, reason)).expectSuccess();
  return readDelivery(api, id);
}

/**
 * Cancels a delivery.
 * @param reason describes the refused cancellation and what is unknown then
 * @throws CheckSkipped if the cancellation is refused, which other checks report
 */
export async function cancelOrSkip(api: Api, id: string, reason: string): Promise<void> {
  if (!isSuccess(await api.cancelDelivery(id))) throw new CheckSkipped(`the cancellation ${reason}`);
}

/** Members that may change without a request, in addition to estimates. */
const VOLATILE = ["status", "version", "updated_at", "courier", "unassigned_alert_at", "tracking_url"];

/** True if a member only changes by requests. */
export const isStableField = (key: string): boolean => !VOLATILE.includes(key) && !key.startsWith("eta_");

/** Receivers refuse timestamps that are off by more than 5 minutes, so both clocks agree that well. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** A target may drop the fractions of seconds (OPEN-8). */
export const ROUNDING_MS = 1000;

/**
 * Asserts that a time of a delivery is set: not before its creation, and not in the future.
 * @param now the integrator's time as Unix time in milliseconds
 */
export function expectTimeSet(
  instant: string | null | undefined,
  { created_at }: Delivery,
  name: string,
  now: number,
): void {
  expectNoEarlier(instant, instantIn(created_at, "created_at") - ROUNDING_MS, name);
  expectNoLater(instant, now + CLOCK_TOLERANCE_MS, name);
}

/** Unix time in milliseconds. An invalid time is returned unchanged. */
function timeOf(instant: string | null | undefined): number | string | null {
  const ms = Date.parse(instant ?? "");
  return Number.isNaN(ms) ? (instant ?? null) : ms;
}

/** Fields that only the integrator changes, unlike estimates, couriers and the search. */
export const integratorFields = (delivery: Delivery) => ({
  external_ref: delivery.external_ref,
  store_id: delivery.store_id,
  address: delivery.dropoff.text,
  notes: delivery.notes ?? null,
  customer: {
    name: delivery.customer?.name ?? null,
    phone: delivery.customer?.phone ?? null,
    phone_extension: delivery.customer?.phone_extension ?? null,
    note: delivery.customer?.note ?? null,
  },
  items: (delivery.items ?? []).map(({ name, quantity, total, code = null }) => ({
    name,
    quantity,
    total,
    code,
  })),
  payment: {
    type: delivery.payment.type,
    // The amount may be text. An invalid number is kept unchanged.
    amount_due: Number(delivery.payment.amount_due) || delivery.payment.amount_due,
    subtotal: delivery.payment.subtotal ?? null,
    discount: delivery.payment.discount ?? null,
  },
  prepaid: delivery.prepaid,
  package_count: delivery.package_count,
  delivery_pin: delivery.delivery_pin ?? null,
  ready_at: timeOf(delivery.ready_at),
  scheduled_for: timeOf(delivery.scheduled_for),
  created_at: timeOf(delivery.created_at),
  cancelled_at: timeOf(delivery.cancelled_at),
  cancel_reason: delivery.cancel_reason ?? null,
});

/** Times among {@link integratorFields}. */
const INSTANTS = ["ready_at", "scheduled_for", "created_at", "cancelled_at"];

const isSameInstant = (one: unknown, other: unknown): boolean =>
  typeof one === "number" && typeof other === "number" && Math.abs(one - other) <= ROUNDING_MS;

const inUtc = (time: unknown): unknown => (typeof time === "number" ? isoInstant(time) : time);

/**
 * Asserts that a delivery's fields are unchanged. Fractions of times may differ between responses (OPEN-8).
 */
export function expectSameFields(
  shown: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
  what: string,
): void {
  const differing = Object.keys({ ...expected, ...shown }).filter((key) => {
    const isSame = INSTANTS.includes(key) && isSameInstant(shown[key], expected[key]);
    return !isSame && !isDeepStrictEqual(shown[key], expected[key]);
  });
  // Leaves out equal fields, so that the message shows the difference.
  const different = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      differing.map((key) => [key, INSTANTS.includes(key) ? inUtc(fields[key]) : fields[key]]),
    );
  expectThat(what || "the delivery", different(shown)).is(different(expected));
}

/** Asserts that a delivery has the fields of its order. The collected payment may be of another type. */
export function expectOrderKept(shown: Delivery, ordered: Delivery, state: string): void {
  const fieldsOf = (delivery: Delivery) => {
    const { payment, ...fields } = integratorFields(delivery);
    const { type: _type, ...sums } = payment;
    return { ...fields, payment: sums };
  };
  expectSameFields(fieldsOf(shown), fieldsOf(ordered), `the ${state} delivery`);
}

export async function expectDeliveryUnchanged(api: Api, before: Delivery, what: string): Promise<void> {
  const shown = await readDelivery(api, before.id);
  expectSameFields(integratorFields(shown), integratorFields(before), `the delivery after ${what}`);
}
