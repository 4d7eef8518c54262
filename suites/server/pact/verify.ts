import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { reasonText } from "../../core/grading/skip-reasons.ts";
import type { Capability } from "../capabilities.ts";
import type { Check, FullContext } from "../check.ts";
import { runCheck } from "../run-check.ts";
import { missingPrerequisite } from "../schedule/prerequisites.ts";
import type { Session } from "../session/session.ts";
import { type BoundedProxyOptions, startBoundedProxy } from "./bounded-proxy.ts";
import { eventIn, eventOf } from "./events.ts";
import { STATES } from "./states.ts";
import { runVerifier } from "./verifier.ts";

/** The used part of a pact file's interaction (Pact specification, version 3 or 4). */
interface Interaction {
  readonly description: string;
  readonly type?: string;
  readonly providerStates?: readonly { readonly name: string }[];
  /** Header values are texts; since version 4, also lists. */
  readonly request?: {
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string | string[]>>;
  };
}

export interface PactFile {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions?: readonly Interaction[];
  readonly messages?: readonly Interaction[];
}

export interface PactResult {
  /** The number of verified expectations that passed. */
  readonly verified: number;
  /** The number of failed expectations; at least one if `failure` is set. */
  readonly failed: number;
  /** Expectations that couldn't be verified, with the reason. */
  readonly notVerified: readonly { readonly description: string; readonly why: string }[];
  /** The verifier's text about failures; undefined if there are none. */
  readonly failure: string | undefined;
  /** Failed expectations whose requests got no token, because the contract has no authorization header. */
  readonly withoutToken: readonly string[];
}

const isState = (name: string): name is keyof typeof STATES => Object.hasOwn(STATES, name);

/** Why an expectation can't be verified on this target; undefined if it can. */
function obstacle(interaction: Interaction, isEvent: boolean, session: Session): string | undefined {
  const needs: Capability[] = [];
  for (const { name } of interaction.providerStates ?? []) {
    if (!isState(name)) {
      return `the state "${name}" is unknown; known states: ${Object.keys(STATES).join(", ")}`;
    }
    needs.push(...STATES[name].needs);
  }
  if (isEvent) {
    const event = eventIn(interaction.description);
    if (!event) return "its description names no event type, such as delivery.created";
    needs.push(...event.needs);
  }
  const reason = needs.map((need) => missingPrerequisite(session, need)).find((why) => why !== undefined);
  return typeof reason === "object" ? reasonText(reason) : reason;
}

const isMessage = ({ type }: Interaction): boolean => type?.startsWith("Asynchronous") ?? false;

/**
 * Verifies a session's service against a contract with @pact-foundation/pact, as a new integrator.
 * @param show called with each line of the library's output, which may contain the service's text
 * @param signal ends the verification early; the result then says nothing about the service
 */
export async function verifyPact(
  pact: PactFile,
  session: Session,
  show: (line: string) => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<PactResult> {
  const notVerified: { description: string; why: string }[] = [];
  const testable = (some: readonly Interaction[] | undefined, areMessages = false) =>
    (some ?? []).filter((interaction) => {
      const why = obstacle(interaction, areMessages || isMessage(interaction), session);
      if (why !== undefined) notVerified.push({ description: interaction.description, why });
      return why === undefined;
    });
  const interactions = testable(pact.interactions);
  const messages = testable(pact.messages, true);
  const testablePact = {
    ...pact,
    ...(pact.interactions && { interactions }),
    ...(pact.messages && { messages }),
  };
  const testableInteractions = [...interactions, ...messages];
  if (testableInteractions.length === 0)
    return { verified: 0, failed: 0, notVerified, failure: undefined, withoutToken: [] };
  let results: readonly VerifierResult[] = [];
  const { url, answerMs } = session.settings;
  // The contract's own requests don't pass through the session.
  const onBody = (bytes: Uint8Array) => session.redact.learnFrom(new TextDecoder().decode(bytes));
  const verify = (context: FullContext) =>
    verifyWith(
      { pact: testablePact, testableInteractions, target: { target: url, answerMs, onBody }, show, signal },
      context,
    ).catch((error: unknown) => {
      results = resultsOf(error);
      throw error;
    });
  const outcome = await runCheck(asCheck(verify), session, 1);
  if (outcome.status === "passed") {
    return {
      verified: testableInteractions.length,
      failed: 0,
      notVerified,
      failure: undefined,
      withoutToken: [],
    };
  }
  const broken = results.filter(({ result }) => result !== "OK");
  return {
    // If the verifier has no result, no expectation counts as verified.
    verified: results.length - broken.length,
    failed: broken.length || testableInteractions.length,
    notVerified,
    failure: broken.map(({ description }) => description).join("; ") || outcome.message,
    withoutToken: interactions
      .filter((interaction) => lacksToken(interaction))
      .map(({ description }) => description)
      .filter((description) => broken.some((result) => result.description === description)),
  };
}

const BEARER = "Bearer ";
/** Paths that need no token (Authentication, 3). */
const OPEN_PATHS = /^\/(oauth\/token|healthz|v1\/public\/)/;

function lacksToken({ request }: Interaction): boolean {
  if (request === undefined || OPEN_PATHS.test(request.path ?? "")) return false;
  const given = Object.entries(request.headers ?? {}).find(
    ([name]) => name.toLowerCase() === "authorization",
  );
  return ![given?.[1] ?? []].flat().some((value) => value.startsWith(BEARER));
}

interface VerifierResult {
  readonly description: string;
  readonly result: string;
}

/** The verifier's results, which it throws as JSON. */
function resultsOf(error: unknown): readonly VerifierResult[] {
  const [text = ""] = (error instanceof Error ? error.message : "").split("\n");
  try {
    return JSON.parse(text).interactionResults ?? [];
  } catch {
    return [];
  }
}

const SENDABLE_TOKEN = /^[\x20-\x7e]+$/;

/** Runs the verification like a check, with exclusive use of an integrator. */
const asCheck = (run: (context: FullContext) => Promise<void>): Check => ({
  kind: "active",
  id: "pact",
  title: "a consumer's contract holds",
  clauses: ["VER-1"],
  needs: [],
  isolation: "own-integrator",
  virtualSeconds: 0,
  run,
});

interface VerificationInput {
  readonly pact: PactFile;
  readonly testableInteractions: readonly Interaction[];
  readonly target: BoundedProxyOptions;
  readonly show: (line: string) => void;
  readonly signal: AbortSignal;
}

async function verifyWith(
  { pact, testableInteractions, target, show, signal }: VerificationInput,
  context: FullContext,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pact-"));
  const file = join(folder, "pact.json");
  await writeFile(file, JSON.stringify(pact));
  const kinds = new Map(
    testableInteractions.flatMap(({ description }) => {
      const event = eventIn(description);
      return event ? [[description, event.kind] as const] : [];
    }),
  );
  const token = await context.token();
  // The library prints a stack trace for a header that it can't send.
  if (!SENDABLE_TOKEN.test(token))
    throw new CheckSkipped("the access token has characters that no header can hold");
  const proxy = await startBoundedProxy(target);
  try {
    await runVerifier(
      {
        provider: pact.provider.name,
        url: proxy.url,
        file,
        token,
        states: Object.keys(STATES),
        events: [...kinds.keys()],
      },
      {
        state: async (name) => (isState(name) ? STATES[name].setUp(context) : undefined),
        event: async (description) => {
          const kind = kinds.get(description);
          return kind && eventOf(kind, context);
        },
        show,
      },
      signal,
    );
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}
