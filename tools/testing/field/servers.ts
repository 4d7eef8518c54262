import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { ControlClient } from "../../../suites/core/control.ts";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { startIndependentServer } from "../../../suites/server/independent-server/server.ts";
import { slidingWindows } from "../../../suites/server/variants/limits.ts";

/** A right server, whoever wrote it. */
export interface FieldServer {
  readonly port: number;
  readonly control: { readonly url: string; readonly token: string };
  close(): Promise<void>;
}

const TOKEN = "control-token-of-the-field";

async function reference(mutate?: typeof slidingWindows): Promise<FieldServer> {
  const server = await startReferenceServer({ controlToken: TOKEN, ...(mutate && { mutate }) });
  const { port } = new URL(server.url);
  return { port: Number(port), control: { url: server.controlUrl, token: TOKEN }, close: server.close };
}

async function independent(): Promise<FieldServer> {
  const { url, controlUrl, controlToken, close } = await startIndependentServer();
  return { port: Number(new URL(url).port), control: { url: controlUrl, token: controlToken }, close };
}

export const fieldServers = {
  "the reference server": () => reference(),
  "one whose windows slide": () => reference(slidingWindows),
  "the independent server": independent,
} as const;

export type FieldServerName = keyof typeof fieldServers;

/** What the operator of a service hands to whoever certifies it without a control interface. */
export interface HandedOut {
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
