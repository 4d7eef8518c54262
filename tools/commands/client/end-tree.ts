import { spawn } from "node:child_process";

/** The ways of the system to end processes. */
export interface Ending {
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals): void;
  /** Starts a program, and doesn't wait for it. */
  start(program: string, args: readonly string[]): void;
}

const ofSystem: Ending = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  start: (program, args) => {
    // Without the program, the process is left to end by itself.
    spawn(program, args, { stdio: "ignore", windowsHide: true }).on("error", () => {});
  },
};

/**
 * Ends a process and all that it started. Windows has no groups of processes and no signal that one can handle, so
 * there the tree is ended at once.
 * @param pid the leader of a group of its own, except on Windows
 */
export function endTree(pid: number, signal: NodeJS.Signals, { platform, kill, start } = ofSystem): void {
  if (platform === "win32") {
    start("taskkill", ["/pid", String(pid), "/t", "/f"]);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
