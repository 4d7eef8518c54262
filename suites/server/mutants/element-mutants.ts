import type { ClauseId } from "../../../openapi/generated/clauses.ts";

/**
 * For each clause that speaks of all of a set the id of the mutant that breaks it for one element alone. A test holds
 * that there is one for each element of each clause's set, and that a check of the clause catches it.
 */
export const elementMutants: Readonly<Partial<Record<ClauseId, (element: string) => string>>> = {
  "GEN-2": (operation) => `${operation}-takes-plain-text`,
  "GEN-3": (operation) => `${operation}-takes-a-form`,
  "GEN-4": (operation) => `${operation}-takes-what-has-no-type`,
  "GEN-6": (operation) => `${operation}-done-before-415`,
  "AUTH-6": (operation) => `${operation}-without-token`,
  "AUTH-7": (operation) => `${operation}-done-before-401`,
  "AUTH-11": (operation) => `${operation}-without-token`,
  "AUTH-15": (operation) => `${operation}-with-any-token`,
  "AUTH-17": (operation) => `${operation}-for-the-closed`,
  "AUTH-20": (operation) => `${operation}-for-other-credentials`,
  "ISO-7": (operation) => `${operation}-tells-of-anothers`,
  "ISO-18": (operation) => `${operation}-tells-of-anothers`,
  "ISO-19": (operation) => `${operation}-tells-of-anothers`,
  "HOOK-16": (kind) => `default-kinds-without-${kind}`,
  "HOOK-37": (operation) => `${operation}-of-nobody-succeeds`,
  "TRACK-2": (state) => `tracking-holds-the-phone-when-${state}`,
  "TRACK-3": (state) => `tracking-holds-the-name-when-${state}`,
  "TRACK-4": (state) => `tracking-holds-the-address-when-${state}`,
  "TRACK-15": (state) => `tracking-holds-the-phone-at-first-when-${state}`,
  "TRACK-18": (state) => `tracking-holds-the-phone-when-${state}`,
  "LIMIT-41": (limit) => `${limit}-limit-without-retry-after`,
};
