import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { certifyReceiver } from "../../suites/receiver/certify.ts";
import { ANSWER_LIMIT_MS } from "../../suites/receiver/session/settings.ts";

const SECRET = `whsec_${Buffer.from("the samples' key, of some length").toString("base64")}`;
const START_MS = 20_000;
const LONGEST_MS = 120_000;
const MOST_LINES = 60;

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const effects = ["--import", path("effects.ts")];

/** Each sample's file, and how it is started with its effects interface beside it. */
const samples: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  "express.ts": [process.execPath, ...effects, path("express.ts")],
  "fastify.ts": [process.execPath, ...effects, path("fastify.ts")],
  "node-http.ts": [process.execPath, ...effects, path("node-http.ts")],
  "queue.ts": [process.execPath, ...effects, path("queue.ts")],
  "python/receiver.py": ["python3", path("python/effects.py")],
};

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

/** The ports that a sample says it listens on, its effects interface's first. */
function started(child: ChildProcess): Promise<readonly [effects: number, receiver: number]> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`it didn't start: ${said}`)), START_MS);
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const port = (who: string) => Number(new RegExp(`${who} [^}]*port'?: (\\d+)[^}]*}`).exec(said)?.[1]);
      const ports = [port("effects"), port("listening")] as const;
      if (ports.some(Number.isNaN)) return;
      clearTimeout(timer);
      resolve(ports);
    });
  });
}

const missing = (command: string): boolean => spawnSync(command, ["--version"]).status !== 0;

describe("the sample receivers are CONFORMANT, down to the last SHOULD", () => {
  for (const [file, [command, ...args]] of Object.entries(samples)) {
    const skipped = process.env.REQUIRE_SERVICES !== "1" && missing(command);
    test.skipIf(skipped)(
      `${file}${skipped ? ` (there is no ${command} here)` : ""}`,
      {
        timeout: LONGEST_MS,
      },
      async () => {
        const child = spawn(command, args, {
          env: { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET, PORT: "0", EFFECTS_PORT: "0" },
          stdio: ["ignore", "pipe", "pipe"],
        });
        children.push(child);
        const [effectsPort, port] = await started(child);
        const certification = await certifyReceiver({
          url: `http://127.0.0.1:${port}/hooks`,
          secret: SECRET,
          effectsUrl: `http://127.0.0.1:${effectsPort}`,
          answerMs: ANSWER_LIMIT_MS,
          limitMs: ANSWER_LIMIT_MS,
          returnMs: 1_000,
          effectMs: 30_000,
        });
        expect(certification.trouble).toEqual({});
        expect(certification.grade.verdict).toBe("CONFORMANT");
      },
    );
  }
});

test.each(Object.keys(samples))("%s is short", (file) => {
  expect(readFileSync(path(file), "utf8").split("\n").length).toBeLessThanOrEqual(MOST_LINES);
});
