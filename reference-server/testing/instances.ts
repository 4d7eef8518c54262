/**
 * Several instances of the reference server for tests, each in its own process, on one database and one
 * Redis.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Reachable } from "./accounts.ts";

export interface Instance extends Reachable {
  /** Ends the process and returns its exit code; null if it was killed. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

export class Instances {
  readonly controlToken = randomBytes(16).toString("hex");
  readonly #environment: NodeJS.ProcessEnv;
  readonly #processes = new Set<ChildProcess>();

  constructor(settings: { database: string; redis: string }) {
    this.#environment = {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: "0",
      DATABASE_URL: settings.database,
      REDIS_URL: settings.redis,
      PUBLIC_URL: "https://courier.example",
      CONTROL_TOKEN: this.controlToken,
      WEBHOOK_KEY: randomBytes(32).toString("base64"),
    };
  }

  async start(): Promise<Instance> {
    const main = new URL("../../sandbox/main.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [main], {
      env: this.#environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child));
    const [line] = await once(createInterface(child.stdout), "line");
    const url = /reference server at (http:\S+),/.exec(String(line))?.[1];
    if (url === undefined) throw new Error(`unexpected output of an instance: ${line}`);
    return {
      url,
      controlUrl: `${url}/control`,
      controlToken: this.controlToken,
      async end(signal) {
        const ended = once(child, "exit");
        child.kill(signal);
        const [code]: (number | null)[] = await ended;
        return code ?? null;
      },
    };
  }

  async stop(): Promise<void> {
    const ended = [...this.#processes].map((child) => once(child, "exit"));
    for (const child of this.#processes) child.kill("SIGKILL");
    await Promise.all(ended);
  }
}
