import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Outcome } from "../../outcome.ts";
import { Redactor } from "../../target/redact.ts";
import type { ClientCheck } from "../check.ts";
import { examine } from "../examine.ts";
import { playedBy } from "../scenarios.ts";
import { type ClientAccess, ClientSession, type Service } from "../session.ts";

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
