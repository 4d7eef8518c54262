import { spawn } from "node:child_process";

/** The system's functions for ending processes. */
export interface Ending {
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals): void;
  /** Starts a program without waiting for it. */
  start(program: string, args: readonly string[]): void;
}

const ofSystem: Ending = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  start: (program, args) => {
    // If the program is missing, the process has to exit by itself.
    spawn(program, args, { stdio: "ignore", windowsHide: true }).on("error", () => {});
  },
};

/**
 * Ends a process and all processes that it started. On Windows, which has neither process groups nor signals,
 * it kills the tree at once.
 * @param pid the leader of a process group, except on Windows
 */
export function endTree(pid: number, signal: NodeJS.Signals, { platform, kill, start } = ofSystem): void {
  if (platform === "win32") {
    start("taskkill", ["/pid", String(pid), "/t", "/f"]);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {
    // The process has already exited.
  }
}
