import { expectThat } from "../../../core/grading/expectations/expect.ts";

/** Every text and number in the details of a DOGRULAMA error, whose layout is unspecified (OPEN-214). */
const leaves = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [value];

/** True if the value is the field's name, or a path that ends with it. */
const isNameOf = (field: string, value: unknown): boolean =>
  typeof value === "string" && /^[\w.$/[\]-]*$/.test(value) && value.split(/[.$/[\]]/).at(-1) === field;

/**
 * Asserts that the details contain more than the field's name. A text equal to the name may be the reason if
 * it occurs twice.
 * @param field the last part of the field's path
 */
export function expectReason(details: unknown, field: string): void {
  const values = leaves(details).filter(
    (one) => one !== null && one !== "" && one !== "body" && one !== false,
  );
  const nameIndex = values.findIndex((one) => isNameOf(field, one));
  const reasons = values.filter((_, index) => index !== nameIndex);
  expectThat(`details in addition to ${field}`, reasons).isNotEmpty();
}
