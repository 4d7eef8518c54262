import { pause } from "../../core/clock.ts";
import type { Variant } from "./variant.ts";

const SLOW_MS = 300;

/** A server that is far away. */
export const slow: Variant = {
  points: {},
  besides: [`every answer comes after ${SLOW_MS} ms`],
  claims: ["api"],
  // Their many requests in a row would take minutes, and show nothing of slowness that others don't.
  leaves: [
    "models.*",
    "creation.any-order",
    "creation-bounds.any-violation",
    "quotes.same-*",
    "limits.identity",
    "limits.other-identity",
  ],
  rewrite: () => pause(SLOW_MS),
};
