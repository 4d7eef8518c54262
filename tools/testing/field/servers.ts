import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { ControlClient } from "../../../suites/core/control.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { startIndependentServer } from "../../../suites/server/independent-server/server.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";
import type { Mutate } from "../../../suites/server/mutants/mutant.ts";
import { alterPost, alterRetryDelays } from "../../../suites/server/mutants/operators/webhooks.ts";
import { slidingWindows } from "../../../suites/server/variants/limits.ts";

/** A server that a field test certifies. */
export interface FieldServer {
  readonly port: number;
  readonly control: { readonly url: string; readonly token: string };
  close(): Promise<void>;
}

const TOKEN = "control-token-of-the-field";

/** A function that is called just before each retry of a webhook. */
type OnRetry = () => void;

/** Makes the server call `onRetry` before each retry of a webhook. */
function reportingRetries(onRetry: OnRetry): Mutate {
  const begun = new Set<string>();
  return alterPost((post) => (all, outgoing, signal) => {
    const attempt = `${outgoing.headers["webhook-id"]} ${outgoing.url}`;
    if (begun.has(attempt)) onRetry();
    begun.add(attempt);
    return post(all, outgoing, signal);
  });
}

const unchanged: Mutate = (deps) => deps;

async function reference(mutate = unchanged, onRetry: OnRetry = () => {}): Promise<FieldServer> {
  const server = await startReferenceServer({
    controlToken: TOKEN,
    mutate: (deps) => reportingRetries(onRetry)(mutate(deps)),
  });
  const { port } = new URL(server.url);
  return { port: Number(port), control: { url: server.controlUrl, token: TOKEN }, close: server.close };
}

async function independent(): Promise<FieldServer> {
  const { url, controlUrl, controlToken, close } = await startIndependentServer();
  return { port: Number(new URL(url).port), control: { url: controlUrl, token: controlToken }, close };
}

export const fieldServers = {
  "the reference server": (onRetry?: OnRetry) => reference(unchanged, onRetry),
  "one with sliding rate windows": (onRetry?: OnRetry) => reference(slidingWindows, onRetry),
  "the independent server": independent,
} as const;

/** The factor by which retries are late. Conforming retries may deviate by a fifth (OPEN-191). */
const LATE = 1.25;

/** Servers with one fault, which a disturbance of the suite's machine must not hide. */
export const faultyServers = {
  "one whose retries are late": (onRetry?: OnRetry) =>
    reference(
      alterRetryDelays((delays) => delays.map((delay) => delay * LATE)),
      onRetry,
    ),
  "one that answers 200 for 201": (onRetry?: OnRetry) =>
    reference(mutantOf("creation-answers-200").mutate, onRetry),
} as const;

export type FieldServerName = keyof typeof fieldServers;
export type FaultyServerName = keyof typeof faultyServers;

/** The credentials and pairing codes that a run without a control interface gets. */
interface HandedOut {
  readonly credentials: readonly { readonly client_id: string; readonly client_secret: string }[];
  readonly pairingCodes: readonly string[];
}

export async function handOut(
  { control }: FieldServer,
  { credentials, codes }: { readonly credentials: number; readonly codes: number },
): Promise<HandedOut> {
  const company = new ControlClient(control, new Redactor());
  await company.describe();
  const times = <T>(many: number, make: () => Promise<T>) => Promise.all(Array.from({ length: many }, make));
  return {
    credentials: await times(credentials, () => company.createIntegrator("integrator")),
    pairingCodes: await times(codes, async () => (await company.issuePairingCode({})).pairing_code),
  };
}
