import { randomBytes } from "node:crypto";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Outcome } from "../../core/outcome.ts";
import { type AnyCheck, isExperiment, isPassive } from "../check.ts";
import { Watch } from "../passive-observer.ts";
import { examine } from "../run-check.ts";
import { Session } from "../session/session.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/settings.ts";
import type { Mutant } from "./mutant.ts";
import { tour } from "./traffic.ts";

/** Ends what hangs; several trials share a busy processor. */
const ANSWER_MS = 30_000;
/** What a mutant doesn't send is waited for no longer than this fraction of the time. */
const HASTE = 5;
/** One seed for all trials, so that a kill can be repeated. */
const SEED = 1;

/**
 * Runs checks on a reference server with one fault, one after the other, and says how each ended. Passive checks look
 * at the traffic of the others and of a tour through all operations.
 */
export async function tryMutant(
  mutant: Mutant,
  checks: readonly AnyCheck[],
): Promise<ReadonlyMap<string, Outcome>> {
  const controlToken = randomBytes(24).toString("base64url");
  // What a mutant breaks inside the server is found from outside; its own complaints are of no interest.
  const server = await startReferenceServer({ mutate: mutant.mutate, controlToken, reportFault: () => {} });
  const passive = checks.filter(isPassive);
  const watch = new Watch(passive);
  const outcomes = new Map<string, Outcome>();
  try {
    const session = await Session.open(
      {
        url: server.url,
        credentials: [],
        pairingCodes: [],
        control: { url: server.controlUrl, token: controlToken },
        point: DEFAULT_POINT,
        answerMs: ANSWER_MS,
        patienceMs: 0,
        receiver: { ...LOOPBACK_RECEIVER, haste: HASTE },
      },
      {
        observe: (exchange) => watch.observe(exchange),
        receiver: checks.filter(isExperiment).some(({ needs }) => needs.includes("receiver")),
      },
    );
    try {
      for (const check of checks.filter(isExperiment)) {
        outcomes.set(check.id, await examine(check, session, SEED));
      }
      if (passive.length > 0) await examine(tour, session, SEED);
      for (const check of passive) outcomes.set(check.id, watch.outcome(check, session.redact));
    } finally {
      await session.close();
    }
  } finally {
    await server.close();
  }
  return outcomes;
}
