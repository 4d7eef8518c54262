import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isObject } from "../../core/json.ts";
import type { Verification } from "./verifier-messages.ts";

/** The functions that the verifier calls, by name. */
interface VerifierCallbacks {
  state(name: string): Promise<unknown>;
  event(description: string): Promise<unknown>;
  /** Called with each line of the verifier's output. */
  show(line: string): void;
}

/** The verifier's program, next to this module and with the same extension. */
const PROGRAM = new URL(`verifier-process${extname(import.meta.url)}`, import.meta.url);

/** Escape sequences that change the style of text. */
const STYLES = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]{0,12}m`, "g");

/**
 * Verifies the contract.
 * @param signal ends the process
 * @throws Error with the library's message if an expectation fails
 */
export async function runVerifier(
  verification: Verification,
  callbacks: VerifierCallbacks,
  signal: AbortSignal,
): Promise<void> {
  const child = fork(PROGRAM, { execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"], signal });
  const allOutput = Promise.all(
    [child.stdout, child.stderr].map((stream) => readLines(stream, callbacks.show)),
  );
  const outcome = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`the contract verifier exited unexpectedly with code ${code}`)),
    );
    child.on("message", (message: unknown) => {
      if (!isObject(message)) return;
      if (message.ended === "held") resolve();
      else if (message.ended === "failed") reject(new Error(String(message.message)));
      else void provide(child, message, callbacks);
    });
  });
  child.send(verification);
  try {
    await outcome;
  } finally {
    if (child.connected) child.disconnect();
    // Waits for all output before the result.
    await allOutput;
  }
}

async function readLines(stream: Readable | null, show: (line: string) => void): Promise<void> {
  if (!stream) return;
  for await (const line of createInterface({ input: stream })) show(line.replaceAll(STYLES, ""));
}

async function provide(
  child: ChildProcess,
  { ask, name, id }: Record<string, unknown>,
  callbacks: VerifierCallbacks,
): Promise<void> {
  if (typeof name !== "string" || typeof id !== "number") return;
  try {
    const value = await (ask === "event" ? callbacks.event(name) : callbacks.state(name));
    child.send({ id, value });
  } catch (error) {
    child.send({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
