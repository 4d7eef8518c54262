import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Outcome } from "../../core/outcome.ts";
import { Redactor } from "../../core/redact.ts";
import type { ClientCheck } from "../check.ts";
import { GOOD_HABITS } from "../reference-client/behaviour.ts";
import { TrialClient } from "../reference-client/client.ts";
import { examine } from "../run-check.ts";
import { playedBy, SCENARIOS } from "../session/scenarios.ts";
import { type ClientAccess, ClientSession, type Service } from "../session/session.ts";
import type { ClientMutant } from "./index.ts";

export async function startService(publicUrl: string): Promise<Service> {
  const server = await startReferenceServer({ publicUrl });
  const { url, controlUrl, controlToken, close } = server;
  if (controlToken === null) throw new Error("the reference server has no control interface");
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

export interface ClientTrial {
  readonly checks: readonly ClientCheck[];
  /** Names of the scenarios that are played. */
  readonly scenarios: readonly string[];
  readonly timeScale: number;
  readonly seed: number;
  /** Plays the client; it ends when the client does. */
  readonly client: (access: ClientAccess) => Promise<void>;
}

/** Lets a client play the scenarios, and puts the checks to what was seen of it. */
export async function tryClient(trial: ClientTrial): Promise<ReadonlyMap<string, Outcome>> {
  const redact = new Redactor();
  const session = await ClientSession.open({
    port: 0,
    scenarios: playedBy(trial.seed, trial.scenarios),
    seed: trial.seed,
    timeScale: trial.timeScale,
    redact,
    notice: () => {},
    startService,
  });
  try {
    await trial.client(session.access);
    const evidence = session.evidence(true);
    return new Map(trial.checks.map((check) => [check.id, examine(check, evidence, redact)]));
  } finally {
    await session.close();
  }
}

/** Much faster than nominal: waits can only seem longer than they are, never shorter. */
export const FAST = 0.02;
const SEED = 20_261_121;
/** As many orders make pages enough for every scenario that is played on pages. */
const FOR_PAGES = 12;

const pageScenarios: readonly string[] = Object.entries(SCENARIOS).flatMap(([name, { target }]) =>
  target === "page" ? [name] : [],
);

/** Lets a broken client play the scenarios of these checks, and puts the checks to it. */
export function tryClientMutant(
  { habits, timeScale = FAST }: ClientMutant,
  checks: readonly ClientCheck[],
): Promise<ReadonlyMap<string, Outcome>> {
  const named: readonly string[] = checks.flatMap((check) => check.scenarios);
  const catchesUp = checks.some(({ id }) => id.startsWith("catch-up."));
  const scenarios = catchesUp ? [...named, ...pageScenarios] : named;
  const orders = Math.max(new Set(scenarios).size, FOR_PAGES);
  return tryClient({
    checks,
    scenarios,
    timeScale,
    seed: SEED,
    client: (access) => new TrialClient(access, { ...GOOD_HABITS, ...habits }, timeScale).play(orders),
  });
}
