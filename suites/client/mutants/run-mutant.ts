import type { Outcome } from "../../core/grading/outcome.ts";
import type { ClientCheck } from "../check.ts";
import { CORRECT_BEHAVIOUR } from "../reference-client/behaviour.ts";
import { ReferenceClient } from "../reference-client/client.ts";
import { startReferenceService } from "../reference-client/service.ts";
import { type ClientRun, runClientChecks } from "../run-target.ts";
import { virtualClock } from "../session/run-clock.ts";
import { SCENARIOS } from "../session/scenarios/scenarios.ts";
import type { ClientMutant } from "./mutant.ts";

/** A small time scale, because some clients wait in real time. */
export const FAST_TIME_SCALE = 0.06;
const SEED = 20_261_121;
/** The number of orders that suffices for all scenarios of pages. */
const FOR_PAGES = 12;

const pageScenarios: readonly string[] = Object.entries(SCENARIOS).flatMap(([name, { target }]) =>
  target === "page" ? [name] : [],
);

/** Runs a client mutant through the scenarios of these checks, and runs the checks. */
export async function runClientMutant(
  { behaviour }: ClientMutant,
  checks: readonly ClientCheck[],
  options: Pick<ClientRun, "confirms"> = {},
): Promise<ReadonlyMap<string, Outcome>> {
  const named: readonly string[] = checks.flatMap((check) => check.scenarios);
  const catchesUp = checks.some(({ id }) => id.startsWith("catch-up."));
  const scenarios = catchesUp ? [...named, ...pageScenarios] : named;
  const orders = Math.max(new Set(scenarios).size, FOR_PAGES);
  const clock = virtualClock();
  return runClientChecks({
    ...options,
    checks,
    scenarios,
    timeScale: FAST_TIME_SCALE,
    clock,
    seed: SEED,
    startService: startReferenceService,
    client: (access) =>
      new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, ...behaviour }, FAST_TIME_SCALE, clock).play(
        orders,
      ),
  });
}
