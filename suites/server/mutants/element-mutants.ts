import { elementSets, type SetName } from "../../core/contract/element-sets.ts";
import type { ElementMutants } from "../../core/element-mutants.ts";
import { LISTED_CODES } from "./deliveries/payment-types.ts";

/** Returns a set's elements; for a set that the target lists, the elements that the reference server lists. */
export const elementsIn = (set: SetName): readonly string[] =>
  set === "payment-codes" ? LISTED_CODES : elementSets[set].elements;

const isNeverNull = (set: SetName): boolean => set.startsWith("never-null-");

/**
 * For each quantified clause, the id of the mutant that breaks the clause for one element. A test ensures that
 * each element has a mutant, and that a check of the clause detects the mutant.
 */
export const elementMutants: ElementMutants = {
  "GEN-2": (operation) => `${operation}-accepts-plain-text`,
  "GEN-3": (operation) => `${operation}-accepts-a-form`,
  "GEN-4": (operation) => `${operation}-accepts-a-missing-content-type`,
  "GEN-6": (operation) => `${operation}-done-before-415`,
  "GEN-14": (time) => `${time}-without-a-zone`,
  "ERR-9": (operation) => `${operation}-accepts-truncated-json`,
  "STORE-1": (member, set) => `store-${member}-${isNeverNull(set) ? "null" : "mistyped"}`,
  "STORE-2": (field) => `store-lacks-${field}`,
  "DLV-1": (member, set) => `delivery-${member}-${isNeverNull(set) ? "null" : "mistyped"}`,
  "DLV-2": (field) => `delivery-lacks-${field}`,
  "DLV-11": (key) => `courier-lacks-${key}`,
  "DLV-14": (key) => `dropoff-lacks-${key}`,
  "DLV-35": (key) => `fee-lacks-${key}`,
  "QUOTE-1": (member, set) => `quote-${member}-${isNeverNull(set) ? "null" : "mistyped"}`,
  "QUOTE-2": (field) => `quote-lacks-${field}`,
  "QUOTE-29": (place) => `${place}-counts-as-abroad`,
  "AREA-1": (member, set) => `area-${member}-${isNeverNull(set) ? "null" : "mistyped"}`,
  "AREA-2": (field) => `area-lacks-${field}`,
  "PROOF-1": (member, set) => `proof-${member}-${isNeverNull(set) ? "null" : "mistyped"}`,
  "PROOF-2": (field) => `proof-lacks-${field}`,
  "HOOK-1": (member, set) => `subscription-${member}-${isNeverNull(set) ? "null" : "mistyped"}`,
  "HOOK-2": (field) => `subscription-lacks-${field}`,
  "ISO-9": (filter) => `foreign-deliveries-by-${filter}-alone`,
  "LIST-29": (pair) => `of-${pair}-ignores-the-second`,
  "LIST-30": (action) => `status-filter-overlooks-${action}`,
  "LIST-31": (filter) => `list-with-${filter}-in-order-of-creation`,
  "LIST-32": (filter) => `list-with-${filter}-is-cached`,
  "PATCH-18": (field) => `patch-loses-${field}`,
  "DLV-8": (field) => `version-stays-when-${field}-changes`,
  "DLV-9": (move) => `version-stays-when-${move}`,
  "EMIT-9": (move) => `move-${move}-unreported`,
  "EVENT-8": (member) => `event-data-${member}-null`,
  "SIGN-4": (kind) => `${kind}-signed-for-another-body`,
  "SIGN-8": (move) => `delivery.${move}-signed-for-another-body`,
  "PAY-6": (code) => `payment-code-${code}-is-refused`,
  "RETRY-1": (status) => `${status}-counts-as-success`,
  "RETRY-2": (status) => `${status}-counts-as-success`,
  "RETRY-3": (status) => `${status}-counts-as-success`,
  "RETRY-8": (status) => `${status}-counts-as-a-failure`,
  "RETRY-17": (attempt) => `success-of-attempt-${attempt}-is-forgotten`,
  "AUTH-6": (operation) => `${operation}-without-token`,
  "AUTH-7": (operation) => `${operation}-done-before-401`,
  "AUTH-11": (operation) => `${operation}-without-token`,
  "AUTH-13": (operation) => `${operation}-with-an-expired-token`,
  "AUTH-15": (operation) => `${operation}-with-any-token`,
  "AUTH-17": (operation) => `${operation}-with-closed-credentials`,
  "AUTH-20": (operation) => `${operation}-for-other-credentials`,
  "ISO-7": (operation) => `${operation}-reveals-foreign-ids`,
  "ISO-18": (operation) => `${operation}-reveals-foreign-ids`,
  "ISO-19": (operation) => `${operation}-reveals-foreign-ids`,
  "HOOK-16": (kind) => `default-kinds-without-${kind}`,
  "HOOK-37": (operation) => `${operation}-of-an-unknown-id-succeeds`,
  "TRACK-2": (state) => `tracking-shows-the-phone-when-${state}`,
  "TRACK-3": (state) => `tracking-shows-the-name-when-${state}`,
  "TRACK-4": (state) => `tracking-shows-the-address-when-${state}`,
  "TRACK-15": (state) => `tracking-shows-the-phone-at-first-when-${state}`,
  "TRACK-18": (state) => `tracking-shows-the-phone-when-${state}`,
  "LIMIT-41": (limit) => `${limit}-limit-without-retry-after`,
};
