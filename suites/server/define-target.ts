import { readLedger } from "../core/contract/ledger.ts";
import { failureText } from "../core/grading/failure-text.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { type AnyCheck, isExperiment, isPassive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { PassiveObserver } from "./passive-observer.ts";
import { runCheck } from "./run-check.ts";
import type { Credentials } from "./session/identities/identity.ts";
import { Session } from "./session/session.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "./session/settings.ts";
import type { ReceiverSettings } from "./session/webhook-receiver/receiver.ts";

/** What is to be certified, and how the suite gets in: as in conform.yaml. */
export interface TargetDefinition {
  /** Base address of the service. */
  readonly url: string;
  readonly control?: { readonly url: string; readonly token: string };
  readonly credentials?: readonly Credentials[];
  readonly pairingCodes?: readonly string[];
  readonly receiver?: ReceiverSettings;
  /** A point that is served, in degrees. */
  readonly point?: { readonly lat: number; readonly lng: number };
  /** How long one answer may take, in milliseconds (10,000). */
  readonly answerMs?: number;
  /** How long a check may wait for time to pass where nobody can move the clock, in milliseconds (0). */
  readonly patienceMs?: number;
  /** Seed of everything random (1). */
  readonly seed?: number;
}

/** What a test of one's own runner offers to say that nothing was verified; vitest's test context fits. */
export interface TestContext {
  skip(reason?: string): void;
}

/** A service that checks are run on inside tests of one's own. */
export interface Target {
  /** How the check ended. A passive check looks at what was exchanged so far: verify those last. */
  examine(check: AnyCheck): Promise<Outcome>;
  /**
   * The same as an assertion.
   * @param context where given, a check that can't be tested skips the test; without it that is an error too
   * @throws ConformanceError when the check didn't pass
   */
  verify(check: AnyCheck, context?: TestContext): Promise<void>;
  /** Ends what the target's checks have opened. */
  close(): Promise<void>;
}

/** A check that didn't pass: its message holds the clauses in words, the exchange, and a curl line that repeats it. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly check: string;
  readonly outcome: Outcome;
  readonly expected: string | undefined;
  readonly actual: string | undefined;

  constructor({ id, clauses }: AnyCheck, outcome: Outcome) {
    const found = failureText({ ...outcome, clauses }, readLedger().clauses);
    super([`${id}: ${outcome.status}`, ...found].join("\n"));
    this.check = id;
    this.outcome = outcome;
    this.expected = outcome.expected;
    this.actual = outcome.actual;
  }
}

/** Makes a target for tests of one's own. Nothing is sent before the first check. */
export function defineTarget(definition: TargetDefinition): Target {
  const { url, control, credentials = [], pairingCodes = [], seed = 1 } = definition;
  const observer = new PassiveObserver(checks.filter(isPassive));
  let opening: Promise<Session> | undefined;
  const session = () => {
    opening ??= Session.open(
      {
        url: url.replace(/\/+$/, ""),
        control,
        credentials,
        pairingCodes,
        receiver: definition.receiver ?? LOOPBACK_RECEIVER,
        point: definition.point ?? DEFAULT_POINT,
        answerMs: definition.answerMs ?? 10_000,
        patienceMs: definition.patienceMs ?? 0,
      },
      { observe: (exchange) => observer.observe(exchange), receiver: true, seed },
    );
    return opening;
  };
  const examined = async (check: AnyCheck): Promise<Outcome> => {
    const open = await session();
    return isExperiment(check) ? runCheck(check, open, seed) : observer.outcome(check, open.redact);
  };
  return {
    examine: examined,
    verify: async (check, context) => {
      const outcome = await examined(check);
      if (outcome.status === "passed") return;
      if (outcome.status === "not_testable" && context) context.skip(outcome.message);
      else throw new ConformanceError(check, outcome);
    },
    close: async () => {
      const open = await opening?.catch(() => undefined);
      await open?.close();
    },
  };
}
