/** Runs each command once in its own process. `npm run test:all` tests them in full. */
import { expect, test } from "vitest";
import { commandNames } from "./processes/cli-in-process.ts";
import { runCli } from "./processes/cli-process.ts";

interface Smoke {
  readonly args: readonly string[];
  readonly code: number;
  readonly says: RegExp;
}

const COMMANDS: Readonly<Record<string, Smoke>> = {
  init: { args: [], code: 3, says: /^error: init needs --url/ },
  conform: {
    args: ["--only", "payment-types.*", "--partial"],
    code: 0,
    says: /^INCOMPLETE {2}\(exit 0 because of --partial\)/m,
  },
  receiver: { args: ["--url", "http://127.0.0.1:9", "--secret", "none"], code: 3, says: /^error: / },
  client: { args: ["--list"], code: 0, says: /retry-after/ },
  pact: { args: ["--pact", "nowhere.json"], code: 3, says: /^error: .*nowhere\.json/ },
  diff: { args: ["nowhere", "nowhere"], code: 3, says: /^error: nowhere can't be read/ },
  verify: { args: ["nowhere"], code: 3, says: /^error: nowhere can't be read/ },
  results: { args: ["nowhere"], code: 3, says: /^error: / },
  submit: {
    args: ["nowhere", "--name", "A", "--release", "1", "--by", "B", "--url", "https://a.example"],
    code: 3,
    says: /^error: nowhere can't be read/,
  },
  mcp: { args: ["--url", "nowhere"], code: 3, says: /^error: --url is not a URL/ },
  serve: { args: ["--port", "none"], code: 3, says: /^error: --port/ },
  trigger: { args: ["--list"], code: 0, says: /delivery\.created/ },
  webhook: { args: ["verify", "nowhere.json"], code: 3, says: /^error: / },
  samples: { args: ["--json", "--seed", "1"], code: 0, says: /"body_base64"/ },
  mutants: { args: ["--only", "nothing-of-this-name"], code: 3, says: /^error: --only .* isn't a mutant/ },
  bench: { args: ["--only", "nothing"], code: 3, says: /^error: / },
  fuzz: { args: ["--requests", "20", "--seed", "1"], code: 0, says: /20/ },
  complete: { args: ["bash"], code: 0, says: /courier-conform/ },
};

test("each command has a smoke test", async () => {
  expect(Object.keys(COMMANDS)).toEqual(expect.arrayContaining([...(await commandNames())]));
});

test.each(Object.entries(COMMANDS))("%s", async (command, { args, code, says }) => {
  const ended = await runCli([command, ...args]);
  const said = ended.stdout + ended.stderr;
  expect(said).toMatch(says);
  expect(ended.code, said).toBe(code);
});
