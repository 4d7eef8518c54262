import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../../suites/core/contract/event-kinds.ts";
import { certifyReceiver } from "../../suites/receiver/certify.ts";
import { ANSWER_LIMIT_MS } from "../../suites/receiver/session/settings.ts";
import { type CommandLine, cSharp, java, type Language, leftOut } from "../testing/languages.ts";

const SECRET = `whsec_${Buffer.from("the samples' key, of some length").toString("base64")}`;
const START_MS = 240_000;

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const node = (file: string) => (): CommandLine => [
  process.execPath,
  "--import",
  path("effects.ts"),
  path(file),
];

interface Sample {
  readonly language: Language;
  /** Compiles the sample if necessary. Returns the command that starts it with its effects interface. */
  start(): CommandLine | Promise<CommandLine>;
  /** True if the sample can't choose a free port. */
  readonly needsPorts?: boolean;
  /** The maximum number of lines of the sample's main file. */
  readonly lines: number;
}

/** The samples by their main file. */
const samples: Readonly<Record<string, Sample>> = {
  "express.ts": { language: "TypeScript", start: node("express.ts"), lines: 60 },
  "fastify.ts": { language: "TypeScript", start: node("fastify.ts"), lines: 60 },
  "node-http.ts": { language: "TypeScript", start: node("node-http.ts"), lines: 60 },
  "queue.ts": { language: "TypeScript", start: node("queue.ts"), lines: 60 },
  "python/receiver.py": {
    language: "Python",
    start: () => ["python3", path("python/effects.py")],
    lines: 60,
  },
  "php/receiver.php": {
    language: "PHP",
    start: () => ["php", "-S", "127.0.0.1:0", path("php/effects.php")],
    lines: 60,
  },
  "java/Receiver.java": { language: "Java", start: () => java(path("java"), "Effects"), lines: 100 },
  "csharp/Receiver.cs": {
    language: "C#",
    start: () => cSharp(path("csharp"), "Effects"),
    needsPorts: true,
    lines: 100,
  },
};

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children
    .splice(0)
    .filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

interface Addresses {
  readonly url: string;
  readonly effectsUrl: string;
}

/** Returns the URLs in a sample's output; undefined if one is missing. PHP's server prints one URL for both. */
function addressesIn(output: string): Addresses | undefined {
  const both = /Development Server \((.*)\) started/.exec(output)?.[1];
  if (both !== undefined) return { url: `${both}/hooks`, effectsUrl: `${both}/effects` };
  const [effects, listening] = ["effects", "listening"].map(
    (who) => new RegExp(`^${who} .*?(\\d+)\\D*$`, "m").exec(output)?.[1],
  );
  if (effects === undefined || listening === undefined) return undefined;
  return { url: `http://127.0.0.1:${listening}/hooks`, effectsUrl: `http://127.0.0.1:${effects}` };
}

function started(child: ChildProcess): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`the sample didn't start: ${output}`)), START_MS);
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      const addresses = addressesIn(output);
      if (addresses === undefined) return;
      clearTimeout(timer);
      resolve(addresses);
    };
    child.once("exit", (code) => reject(new Error(`the sample exited with ${code}: ${output}`)));
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
  });
}

/**
 * Returns a free port below the ephemeral range. Tests a port by connecting instead of listening, because a child process
 * that starts meanwhile would keep a listening socket open.
 */
async function freePort(): Promise<string> {
  const port = 10_000 + Math.floor(Math.random() * 10_000);
  const socket = connect(port, "127.0.0.1");
  const isFree = await once(socket, "connect").then(
    () => false,
    () => true,
  );
  socket.destroy();
  return isFree ? String(port) : freePort();
}

describe("the sample receivers are CONFORMANT without warnings", () => {
  for (const [file, { language, start, needsPorts }] of Object.entries(samples)) {
    const why = leftOut(language);
    test.skipIf(why !== undefined)(`${file}${why === undefined ? "" : ` (${why})`}`, async () => {
      const [command, ...args] = await start();
      const child = spawn(command, args, {
        env: {
          PATH: process.env.PATH,
          WEBHOOK_SECRET: SECRET,
          PORT: needsPorts ? await freePort() : "0",
          EFFECTS_PORT: needsPorts ? await freePort() : "0",
          EVENTS_DATABASE: join(mkdtempSync(join(tmpdir(), "receiver-")), "events.sqlite"),
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      children.push(child);
      const certification = await certifyReceiver({
        ...(await started(child)),
        secret: SECRET,
        eventTypes: DEFAULT_KINDS,
        statuses: {},
        answerMs: ANSWER_LIMIT_MS,
        limitMs: ANSWER_LIMIT_MS,
        returnMs: 1_000,
        effectMs: 30_000,
      });
      expect(certification.trouble).toEqual({});
      expect(certification.grade.verdict).toBe("CONFORMANT");
    });
  }
});

test.each(Object.entries(samples))("%s is short", (file, { lines }) => {
  expect(readFileSync(path(file), "utf8").split("\n").length).toBeLessThanOrEqual(lines);
});
