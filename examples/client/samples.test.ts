import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { certifyClient } from "../../suites/client/certify.ts";
import { clientChecks } from "../../suites/client/checks/index.ts";
import { startReferenceService } from "../../suites/client/reference-client/service.ts";
import type { ClientAccess } from "../../suites/client/session/session.ts";
import { type CommandLine, cSharp, java, type Language, leftOut } from "../testing/languages.ts";

const SEED = 7;
/** With a smaller scale, waits would be shorter than a runtime's own delays. */
const TIME_SCALE = 0.1;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** There is no client in Ruby yet. */
type ClientLanguage = Exclude<Language, "Ruby">;

const samples: Readonly<Record<ClientLanguage, () => CommandLine | Promise<CommandLine>>> = {
  TypeScript: () => [process.execPath, path("play.ts")],
  Python: () => ["python3", path("python/dispatch_client.py")],
  PHP: () => ["php", path("php/play.php")],
  Java: () => java(path("java"), "Play"),
  "C#": () => cSharp(path("csharp"), "Play"),
};

/** Runs a sample with only the access data from the sandbox. */
async function play([command, ...args]: CommandLine, access: ClientAccess): Promise<void> {
  const env = {
    PATH: process.env.PATH,
    BASE_URL: access.baseUrl,
    CLIENT_ID: access.clientId,
    CLIENT_SECRET: access.clientSecret,
    PAIRING_CODE: access.pairingCode,
    TIME_SCALE: String(TIME_SCALE),
  };
  const child = spawn(command, args, { env, stdio: "ignore" });
  await once(child, "exit");
}

test.skipIf(leftOut("C#") !== undefined)("the sample client in C# compiles", async () => {
  // The client isn't graded: on a busy machine Mono's connections can stall for seconds, which look like waits.
  expect(await samples["C#"]()).not.toEqual([]);
});

describe.concurrent("the sample client passes every check", () => {
  for (const language of ["TypeScript", "Python", "PHP", "Java"] as const) {
    const why = leftOut(language);
    test.skipIf(why !== undefined)(`in ${language}${why === undefined ? "" : ` (${why})`}`, async () => {
      const command = await samples[language]();
      const { outcomes, trouble } = await certifyClient({
        timeScale: TIME_SCALE,
        seed: SEED,
        startService: startReferenceService,
        client: (access) => play(command, access),
      });
      expect(trouble).toEqual({});
      expect(outcomes.size).toBe(clientChecks.length);
    });
  }
});
