import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

const MORE_FILES = "raise its limit of open files (ulimit -n 4096), or run fewer checks at a time (--jobs)";
const DNS = "check this machine's name resolution, or use an IP address";
const MEMORY = "give it more memory, or run fewer checks at a time (--jobs)";

/**
 * The system's error codes for a resource that this machine lacks. ENOTFOUND is excluded, because it means a
 * wrong host name.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  EMFILE: `this process can open no more files or connections: ${MORE_FILES}`,
  ENFILE: "this machine can open no more files or connections: raise its limit, or close other programs",
  ENOSPC: "no space is left on this machine: free some",
  EADDRNOTAVAIL:
    "this machine has no address or port left for another connection: run fewer checks at a time (--jobs)",
  ENOMEM: `this machine has no memory left: ${MEMORY}`,
  ENOBUFS: `this machine has no buffers left for another connection: ${MEMORY}`,
  EAI_AGAIN: `this machine could not look up a name: ${DNS}`,
  EAI_FAIL: `this machine could not look up a name: ${DNS}`,
  EAI_MEMORY: `this machine could not look up a name: ${MEMORY}`,
  EAI_SYSTEM: `this machine could not look up a name: ${DNS}`,
};

/** This machine ran out of a resource, which says nothing about the target. */
export class MachineError extends Error {
  override readonly name = "MachineError";
  readonly code: string;

  constructor(code: string, remedy: string) {
    super(`${code}: ${remedy}`);
    this.code = code;
  }
}

/** The maximum depth of nested causes. */
const MAX_DEPTH = 5;

/** The lack of a resource that caused an error, directly or as a nested cause. Undefined if there is none. */
export function machineErrorOf(error: unknown, depth = 0): MachineError | undefined {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined;
  if (error instanceof MachineError) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const remedy = REMEDIES[code];
  if (remedy !== undefined) return new MachineError(code, remedy);
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  for (const cause of causes) {
    const found = machineErrorOf(cause, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/**
 * The number of files to open: a connection on this machine takes two, and the database and webhooks some
 * more.
 */
const FILES_AT_ONCE = 8;

/**
 * Tests whether this process can still open files. If it can't, a server in the same process closes new
 * connections, and the client only sees a broken connection.
 */
export function openFilesExhausted(): MachineError | undefined {
  const opened: number[] = [];
  try {
    for (let count = 0; count < FILES_AT_ONCE; count += 1) opened.push(openSync(devNull, "r"));
    return undefined;
  } catch (error) {
    return machineErrorOf(error);
  } finally {
    for (const file of opened) closeSync(file);
  }
}
