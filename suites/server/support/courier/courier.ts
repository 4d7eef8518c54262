import type { Schemas } from "../../../core/contract/document.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import type { Capabilities } from "../../capabilities.ts";
import { mobileNumber } from "../../session/sample-data/sample-data.ts";
import type { Point } from "../../session/sample-data/settings.ts";

type Courier = Capabilities["courier"];

/** A courier with a first name and a surname, both with Turkish letters, which the tracking page must separate. */
export const COURIER = { name: "Şükrü Karadağ", phone: "05339876543", plate: "34 ABC 123" };

export const OTHER_COURIER = { name: "Çağla Yıldırım", phone: "05321112233", plate: "06 ÇY 45" };

/** A courier with the first one's name, and the second one's vehicle. Phones are personal. */
export const NAMESAKE = { name: COURIER.name, phone: "05427654321", plate: OTHER_COURIER.plate };

/** A courier of this name and vehicle whom no other check uses, because couriers may take one delivery at a time. */
export const freshCourier = ({ name, plate }: typeof COURIER) => ({ name, phone: mobileNumber(), plate });

/** Why a courier brings a package back, with Turkish letters. */
export const FAILURE_REASON = "Müşteri kapıyı açmadı";

/** @throws CheckSkipped if the delivery has no courier, because allowed actions then prove nothing */
export function expectCourier({ courier }: Schemas["Delivery"]): void {
  if ((courier ?? null) === null)
    throw new CheckSkipped("the delivery shows no courier after the assignment");
}

/**
 * Starts the return at the door. The specification doesn't say whether a failed attempt has to be reported
 * first (OPEN-91).
 * @throws CheckSkipped if the control interface refuses the return with and without a failed attempt
 */
export async function startReturn(
  { performCourierAction, performCourierActionsUpTo }: Courier,
  id: string,
  reason?: string,
): Promise<void> {
  await performCourierActionsUpTo(id, "arrived");
  const details = reason === undefined ? {} : { reason };
  if (await performCourierAction(id, "returning", details)) return;
  if (await failThenReturn(performCourierAction, id, details)) return;
  throw new CheckSkipped(
    "the control interface refused the courier action `returning` at the customer's door",
  );
}

/**
 * Returns the package to the restaurant.
 * @throws CheckSkipped if the control interface refuses the return
 */
export async function returnToStore(courier: Courier, id: string, reason?: string): Promise<void> {
  await startReturn(courier, id, reason);
  await finishReturn(courier, id, reason);
}

/** @throws CheckSkipped if the control interface refuses the arrival at the restaurant */
export async function finishReturn(
  courier: Pick<Courier, "performCourierAction">,
  id: string,
  reason?: string,
): Promise<void> {
  if (await courier.performCourierAction(id, "returned", reason === undefined ? {} : { reason })) return;
  throw new CheckSkipped("the control interface refused the courier action `returned` after `returning`");
}

const failThenReturn = async (
  act: Courier["performCourierAction"],
  id: string,
  details: { reason?: string },
) => (await act(id, "failed", details)) && (await act(id, "returning", details));

/** @throws CheckSkipped if the control interface refuses the failure at the customer's door */
export async function failDelivery(
  { performCourierAction, performCourierActionsUpTo }: Courier,
  id: string,
  reason: string,
): Promise<void> {
  await performCourierActionsUpTo(id, "arrived");
  if (await performCourierAction(id, "failed", { reason })) return;
  throw new CheckSkipped("the control interface refused the courier action `failed` at the customer's door");
}

/** The direction of the suite's couriers, in degrees clockwise from north. */
const HEADING = 90;

/**
 * Reports position and heading of a courier with the package.
 * @param heading null for a position without a heading
 * @throws CheckSkipped if the control interface accepts no position
 */
export async function reportPosition(
  { performCourierAction }: Pick<Courier, "performCourierAction">,
  id: string,
  location: Point,
  heading: number | null = HEADING,
): Promise<void> {
  const reported = { ...location, ...(heading !== null && { heading }) };
  if (await performCourierAction(id, "courier_location", { location: reported })) return;
  throw new CheckSkipped("the control interface refused a position between restaurant and customer");
}
