import { spawn } from "node:child_process";

/** The system's functions for ending processes. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals): void;
  /** Starts a program without waiting for it. */
  start(program: string, args: readonly string[]): void;
}

const realSystem: ProcessSystem = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  start: (program, args) => {
    // If the program is missing, nothing can end the process.
    spawn(program, args, { stdio: "ignore", windowsHide: true }).on("error", () => {});
  },
};

/**
 * Ends a process and its descendants. Windows has neither process groups nor signals, so the processes are killed
 * there.
 * @param pid the leader of a process group, except on Windows
 */
export function endTree(pid: number, signal: NodeJS.Signals, { platform, kill, start } = realSystem): void {
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
