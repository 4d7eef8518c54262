import { pause } from "../../core/clock.ts";
import type { Variant } from "./variant.ts";

const SLOW_MS = 300;

/** A distant server. */
export const slow: Variant = {
  choices: {},
  otherDifferences: [`every response is delayed by ${SLOW_MS} ms`],
  claims: ["api"],
  // These checks send many sequential requests, which would take minutes.
  excludedChecks: [
    "models.*",
    "creation.any-order",
    "creation-bounds.any-violation",
    "quotes.same-*",
    "limits.integrator",
    "limits.other-integrator",
  ],
  rewrite: () => pause(SLOW_MS),
};
