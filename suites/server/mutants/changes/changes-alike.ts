import { isDeepStrictEqual } from "node:util";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { alterChange, alterUpdate } from "../operators/deliveries.ts";

/** A server that stores something else for a new address. */
const alterNewAddress = (change: (dropoff: Delivery["dropoff"]) => Partial<Delivery["dropoff"]>): Mutate =>
  alterUpdate(({ dropoff }, before) =>
    isDeepStrictEqual(dropoff, before.dropoff) ? {} : { dropoff: { ...dropoff, ...change(dropoff) } },
  );

const toFourDecimals = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

/** Faults of changes that differ little from the delivery, or from which something was missing before. */
export const alikeChangesMutants: Mutants = {
  "version-stays-when-a-value-is-removed": {
    fault: "a PATCH that only removes a value doesn't increase the version",
    breaks: [{ clause: "DLV-94" }],
    mutate: (deps) => ({
      ...deps,
      revise: (before, change, stamp, kind) => {
        const revised = deps.revise(before, change, stamp, kind);
        const removes =
          (before.notes !== null && revised.notes === null) ||
          (before.customer.phone_extension !== null && revised.customer.phone_extension === null);
        return removes ? { ...revised, version: before.version } : revised;
      },
    }),
  },
  "notes-not-cleared-together-with-a-value": {
    fault: "null doesn't clear notes if the PATCH has other fields too",
    breaks: [{ clause: "PATCH-13" }],
    mutate: alterChange((body) =>
      body.notes === null && Object.keys(body).length > 1 ? withoutMembers(body, "notes") : body,
    ),
  },
  "patched-directions-follow-the-earlier-ones": {
    fault: "the directions of a new address are appended to those of the earlier address",
    breaks: [{ clause: "PATCH-24" }],
    mutate: alterUpdate(({ dropoff }, before) => {
      const earlier = before.dropoff.directions;
      const changed = dropoff.directions !== null && earlier !== null && dropoff.directions !== earlier;
      return changed ? { dropoff: { ...dropoff, directions: `${earlier}, ${dropoff.directions}` } } : {};
    }),
  },
  "patched-name-of-a-missing-customer-is-lost": {
    fault: "a new name isn't stored if the order had no customer",
    breaks: [{ clause: "PATCH-14", case: "without a customer" }],
    mutate: alterUpdate(({ customer }, before) =>
      Object.values(before.customer).every((value) => value === null)
        ? { customer: { ...customer, name: null } }
        : {},
    ),
  },
  "patched-phone-of-a-missing-customer-is-lost": {
    fault: "a new phone number isn't stored if the order had no customer",
    breaks: [{ clause: "PATCH-15", case: "without a customer" }],
    caughtBy: ["changes.customer-name"],
    mutate: alterUpdate(({ customer }, before) =>
      Object.values(before.customer).every((value) => value === null)
        ? { customer: { ...customer, phone: null } }
        : {},
    ),
  },
  "patched-foreign-phone-gets-the-country-code": {
    fault: "+90 is put before a new phone number of another country",
    breaks: [{ clause: "PATCH-15" }],
    caughtBy: ["changes.customer-phone"],
    mutate: alterUpdate(({ customer }, before) => ({
      customer:
        customer.phone === before.customer.phone
          ? customer
          : { ...customer, phone: customer.phone?.replace(/^\+(?!90)/, "+90") ?? null },
    })),
  },
  "patched-address-swaps-district-and-neighborhood": {
    fault: "a new address shows its district as the neighborhood, and its neighborhood as the district",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterNewAddress(({ district, neighborhood }) => ({
      district: neighborhood,
      neighborhood: district,
    })),
  },
  "patched-address-loses-the-fifth-decimal": {
    fault: "the coordinates of a new address are rounded to four decimals",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff", "states.located-by-patch"],
    mutate: alterNewAddress(({ point }) => ({
      point: point && { lat: toFourDecimals(point.lat), lng: toFourDecimals(point.lng) },
    })),
  },
  "patched-address-swaps-district-and-city": {
    fault: "a new address shows its district as the city, and its city as the district",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterNewAddress(({ district, city }) => ({ district: city, city: district })),
  },
  "patched-address-keeps-the-distance-with-the-same-lat": {
    fault: "a new address with the same lat doesn't change the distance",
    breaks: [{ clause: "PATCH-3" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterUpdate((after, before) =>
      after.dropoff.point?.lat === before.dropoff.point?.lat ? { distance_m: before.distance_m } : {},
    ),
  },
  "patched-address-at-the-same-point-is-ignored": {
    fault: "a new address with the same coordinates is accepted, but not stored",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterUpdate(({ dropoff: { point } }, { dropoff }) =>
      point !== null && isDeepStrictEqual(point, dropoff.point) ? { dropoff } : {},
    ),
  },
  "notes-stay-cleared": {
    fault: "notes that were set to null can't be set again",
    breaks: [{ clause: "PATCH-1" }, { clause: "PATCH-12" }],
    caughtBy: ["changes.notes"],
    mutate: (deps) => {
      const cleared = new Set<string>();
      return alterUpdate(({ id, notes }, before) => {
        if (before.notes !== null && notes === null) cleared.add(id);
        return cleared.has(id) ? { notes: null } : {};
      })(deps);
    },
  },
  "ready-at-stays-removed": {
    fault: "a ready_at that was set to null can't be set again",
    breaks: [{ clause: "PATCH-7" }],
    mutate: (deps) => {
      const removed = new Set<string>();
      return alterUpdate(({ id, ready_at }, before) => {
        if (before.ready_at !== null && ready_at === null) removed.add(id);
        return removed.has(id) ? { ready_at: null } : {};
      })(deps);
    },
  },
  "extension-stays-removed": {
    fault: "an extension that was set to null can't be set again",
    breaks: [{ clause: "PATCH-16", case: "0071" }],
    caughtBy: ["changes.phone-extension"],
    mutate: (deps) => {
      const removed = new Set<string>();
      return alterUpdate(({ id, customer }, before) => {
        if (before.customer.phone_extension !== null && customer.phone_extension === null) removed.add(id);
        return removed.has(id) ? { customer: { ...customer, phone_extension: null } } : {};
      })(deps);
    },
  },
};
