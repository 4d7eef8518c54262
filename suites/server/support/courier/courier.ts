import type { Schemas } from "../../../core/contract/document.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import type { Capabilities } from "../../capabilities.ts";
import type { Point } from "../../session/settings.ts";

type Courier = Capabilities["courier"];

/** Who rides: a name of two parts, so that first name and surname can be told apart. */
export const COURIER = { name: "Mehmet Karadağ", phone: "05339876543", plate: "34 ABC 123" };

/** @throws NotTestable where no courier is on the delivery: what may be done with it then shows nothing */
export function expectCourier({ courier }: Schemas["Delivery"]): void {
  if ((courier ?? null) === null) throw new NotTestable("the courier that was assigned isn't there");
}

/**
 * Turns back at the door with the package. Whether a failed attempt has to be told before is open (OPEN-91).
 * @throws NotTestable where the control interface allows neither way
 */
export async function turnBack(
  { moveCourier, moveCourierTo }: Courier,
  id: string,
  reason?: string,
): Promise<void> {
  await moveCourierTo(id, "arrived");
  const told = reason === undefined ? {} : { reason };
  if (await moveCourier(id, "returning", told)) return;
  if (await failThenReturn(moveCourier, id, told)) return;
  throw new NotTestable("the control interface refused returning from the door");
}

/**
 * Takes the package back to the restaurant.
 * @throws NotTestable where the control interface doesn't allow it
 */
export async function returnToStore(courier: Courier, id: string, reason?: string): Promise<void> {
  await turnBack(courier, id, reason);
  if (await courier.moveCourier(id, "returned", reason === undefined ? {} : { reason })) return;
  throw new NotTestable("the control interface refused returned on the way back");
}

const failThenReturn = async (move: Courier["moveCourier"], id: string, told: { reason?: string }) =>
  (await move(id, "failed", told)) && (await move(id, "returning", told));

/** @throws NotTestable where the control interface doesn't allow it at the door */
export async function failAtTheDoor(
  { moveCourier, moveCourierTo }: Courier,
  id: string,
  reason: string,
): Promise<void> {
  await moveCourierTo(id, "arrived");
  if (await moveCourier(id, "failed", { reason })) return;
  throw new NotTestable("the control interface refused the courier's move failed at the door");
}

/** Where couriers of the suite ride to, in degrees clockwise from north. */
const HEADING = 90;

/** Tells where the courier with the package is, and whither. @throws NotTestable where the control interface takes no position */
export async function ride(
  { moveCourier }: Pick<Courier, "moveCourier">,
  id: string,
  location: Point,
): Promise<void> {
  if (await moveCourier(id, "courier_location", { location: { ...location, heading: HEADING } })) return;
  throw new NotTestable("the control interface refused a position on the way to the customer");
}
