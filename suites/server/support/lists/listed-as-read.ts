import { isDeepStrictEqual } from "node:util";
import { poll } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { documentedDelivery } from "../../session/http/documented.ts";
import { LIST_LAG_MS } from "../../session/lists/list-readings.ts";
import { expectFields } from "../assertions.ts";
import { isStableField, readDelivery } from "../orders/deliveries.ts";
import { findByReference } from "./delivery-list.ts";

type Delivery = Schemas["Delivery"];
type Api = Parameters<typeof findByReference>[0];

/** The courier's members that the list and GET show alike, if neither is null (OPEN-35). */
const COURIER_MEMBERS = ["name", "plate", "lat", "lng", "location_at"] as const;

/** A position may be rounded to about 50 m. */
const PLACE_DECIMALS = 3;

/** The courier of an item and of GET: the members that both of them have, with rounded positions. */
function couriersOf(item: Delivery | undefined, read: Delivery): readonly [listed: object, shown: object] {
  const [listed, shown] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const key of COURIER_MEMBERS) {
    const [inList, inGet] = [item?.courier?.[key] ?? null, read.courier?.[key] ?? null];
    if (inList === null || inGet === null) continue;
    const isNear =
      typeof inList === "number" &&
      typeof inGet === "number" &&
      Math.abs(inList - inGet) < 10 ** -PLACE_DECIMALS;
    listed.set(key, isNear ? inGet : inList);
    shown.set(key, inGet);
  }
  return [Object.fromEntries(listed), Object.fromEntries(shown)];
}

/**
 * Asserts that the list shows a delivery as GET does, with status and courier, after at most the list's lag (OPEN-146).
 * @param shownByGet the delivery that GET returned last
 * @param when after which step
 */
export async function expectListedAsRead(api: Api, shownByGet: Delivery, when: string): Promise<void> {
  const { id, external_ref } = shownByGet;
  let read = shownByGet;
  let item: Delivery | undefined;
  const isCurrent = async () => {
    item = (await findByReference(api, external_ref)).find((one) => one.id === id);
    const [listed, shown] = couriersOf(item, read);
    if (item && !(item.version < read.version) && isDeepStrictEqual(listed, shown)) return true;
    read = await readDelivery(api, id);
    return undefined;
  };
  await poll(isCurrent, { within: LIST_LAG_MS, every: 200 });
  const where = `of the delivery in the list ${when}`;
  // Objects may have members of unspecified shape (OPEN-36, OPEN-39).
  const plain = Object.entries(documentedDelivery(read)).filter(
    ([key, value]) => isStableField(key) && typeof value !== "object",
  );
  const { collected_type = null } = read.payment;
  const expected = { ...Object.fromEntries(plain), status: read.status, payment: { collected_type } };
  expectFields(item, expected, { field: "members", where });
  const [listed, shown] = couriersOf(item, read);
  expectFields(listed, shown, { field: "courier", where });
}
