import type { ClientCheck } from "./check.ts";
import { bodies } from "./checks/bodies.ts";
import { catchUp } from "./checks/catch-up.ts";
import { refusals } from "./checks/refusals.ts";
import { retries } from "./checks/retries.ts";
import { tokens } from "./checks/tokens.ts";

/** Everything that a run with a client verifies; a group's name is the first part of its checks' ids. */
export const clientChecks: readonly ClientCheck[] = [
  ...tokens,
  ...bodies,
  ...retries,
  ...refusals,
  ...catchUp,
];
