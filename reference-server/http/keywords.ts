/** Custom JSON Schema keywords for bounds in the document that JSON Schema can't express. */
import type { KeywordDefinition } from "ajv";
import { durationMs, parseInstant } from "../domain/instants.ts";

/** Context of a validation, in addition to the request. */
export interface ValidationContext {
  /** The integrator's time in ms. */
  now: number;
}

/** `x-max-decimals: 3`: a number with at most three decimal places. */
const maxDecimals: KeywordDefinition = {
  keyword: "x-max-decimals",
  type: "number",
  schemaType: "number",
  validate: (most: number, value: number) => decimals(value) <= most,
};

/** `x-max-ahead: P7D`: an instant at most seven days after now. */
const maxAhead: KeywordDefinition = {
  keyword: "x-max-ahead",
  type: "string",
  schemaType: "string",
  validate(this: ValidationContext, most: string, value: string) {
    return !(parseInstant(value) > this.now + durationMs(most));
  },
};

export const keywords = [maxDecimals, maxAhead];

function decimals(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  const fraction = digits.split(".")[1] ?? "";
  return Math.max(0, fraction.length - Number(exponent));
}
