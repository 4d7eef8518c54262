import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isObject } from "../../core/json.ts";
import type { Verification } from "./verifier-messages.ts";

/** What the verifier asks for on its way, by name. */
interface Providing {
  state(name: string): Promise<unknown>;
  event(description: string): Promise<unknown>;
  /** Told of each line that it writes. */
  show(line: string): void;
}

/** Beside this module, compiled or not as this one is. */
const PROGRAM = new URL(`verifier-process${extname(import.meta.url)}`, import.meta.url);

/** What changes the style of text on a terminal. */
const STYLES = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]{0,12}m`, "g");

/**
 * Has the contract verified.
 * @param signal ends the process that does it
 * @throws Error with what the library says where an expectation doesn't hold
 */
export async function runVerifier(
  verification: Verification,
  providing: Providing,
  signal: AbortSignal,
): Promise<void> {
  const child = fork(PROGRAM, { execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"], signal });
  const read = Promise.all([child.stdout, child.stderr].map((stream) => readLines(stream, providing.show)));
  const outcome = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the verifier of contracts ended by itself (${code})`)));
    child.on("message", (message: unknown) => {
      if (!isObject(message)) return;
      if (message.ended === "held") resolve();
      else if (message.ended === "failed") reject(new Error(String(message.message)));
      else void provide(child, message, providing);
    });
  });
  child.send(verification);
  try {
    await outcome;
  } finally {
    if (child.connected) child.disconnect();
    // What it has written is shown before anything is said of it.
    await read;
  }
}

async function readLines(stream: Readable | null, show: (line: string) => void): Promise<void> {
  if (!stream) return;
  for await (const line of createInterface({ input: stream })) show(line.replaceAll(STYLES, ""));
}

async function provide(
  child: ChildProcess,
  { ask, name, id }: Record<string, unknown>,
  providing: Providing,
): Promise<void> {
  if (typeof name !== "string" || typeof id !== "number") return;
  try {
    const value = await (ask === "event" ? providing.event(name) : providing.state(name));
    child.send({ id, value });
  } catch (error) {
    child.send({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
