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
  /** The command that starts it with its effects interface. Compiles it first if necessary. */
  start(): CommandLine | Promise<CommandLine>;
  /** True if it can't choose a free port. */
  readonly wantsPorts?: boolean;
  /** The maximum number of lines of its main file. */
  readonly lines: number;
}

/** By main file. */
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
    wantsPorts: true,
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

/** The addresses in a sample's output. PHP has one server for both, with its own message. */
function addressesIn(said: string): Addresses | undefined {
  const both = /Development Server \((.*)\) started/.exec(said)?.[1];
  if (both !== undefined) return { url: `${both}/hooks`, effectsUrl: `${both}/effects` };
  const [effects, listening] = ["effects", "listening"].map(
    (who) => new RegExp(`^${who} .*?(\\d+)\\D*$`, "m").exec(said)?.[1],
  );
  if (effects === undefined || listening === undefined) return undefined;
  return { url: `http://127.0.0.1:${listening}/hooks`, effectsUrl: `http://127.0.0.1:${effects}` };
}

function started(child: ChildProcess): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`it didn't start: ${said}`)), START_MS);
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const addresses = addressesIn(said);
      if (addresses === undefined) return;
      clearTimeout(timer);
      resolve(addresses);
    };
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
  });
}

/**
 * A free port below the ephemeral ones. It connects instead of listening, because a starting child process would keep a
 * listening socket open.
 */
async function freePort(): Promise<string> {
  const port = 10_000 + Math.floor(Math.random() * 10_000);
  const knock = connect(port, "127.0.0.1");
  const isFree = await once(knock, "connect").then(
    () => false,
    () => true,
  );
  knock.destroy();
  return isFree ? String(port) : freePort();
}

describe("the sample receivers are CONFORMANT without warnings", () => {
  for (const [file, { language, start, wantsPorts }] of Object.entries(samples)) {
    const why = leftOut(language);
    test.skipIf(why !== undefined)(`${file}${why === undefined ? "" : ` (${why})`}`, async () => {
      const [command, ...args] = await start();
      const child = spawn(command, args, {
        env: {
          PATH: process.env.PATH,
          WEBHOOK_SECRET: SECRET,
          PORT: wantsPorts ? await freePort() : "0",
          EFFECTS_PORT: wantsPorts ? await freePort() : "0",
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
