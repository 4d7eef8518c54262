import type { Outcome } from "../../core/outcome.ts";
import type { ClientCheck } from "../check.ts";
import { GOOD_HABITS } from "../reference-client/behaviour.ts";
import { TrialClient } from "../reference-client/client.ts";
import { startReferenceService } from "../reference-client/service.ts";
import { runClientChecks } from "../run-checks.ts";
import { SCENARIOS } from "../session/scenarios.ts";
import type { ClientMutant } from "./index.ts";

/** Much faster than nominal: waits can only seem longer than they are, never shorter. */
export const FAST = 0.02;
const SEED = 20_261_121;
/** As many orders make pages enough for every scenario that is played on pages. */
const FOR_PAGES = 12;

const pageScenarios: readonly string[] = Object.entries(SCENARIOS).flatMap(([name, { target }]) =>
  target === "page" ? [name] : [],
);

/** Lets a broken client play the scenarios of these checks, and puts the checks to it. */
export async function runClientMutant(
  { habits, timeScale = FAST }: ClientMutant,
  checks: readonly ClientCheck[],
): Promise<ReadonlyMap<string, Outcome>> {
  const named: readonly string[] = checks.flatMap((check) => check.scenarios);
  const catchesUp = checks.some(({ id }) => id.startsWith("catch-up."));
  const scenarios = catchesUp ? [...named, ...pageScenarios] : named;
  const orders = Math.max(new Set(scenarios).size, FOR_PAGES);
  return runClientChecks({
    checks,
    scenarios,
    timeScale,
    seed: SEED,
    startService: startReferenceService,
    client: (access) => new TrialClient(access, { ...GOOD_HABITS, ...habits }, timeScale).play(orders),
  });
}
