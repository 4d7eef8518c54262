import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { curlCommand, type Exchange } from "./exchange.ts";
import { Redactor } from "./text/redact.ts";

/** Texts that escape from their quotes in some shell, or have a special meaning to curl. */
const INJECTIONS = [
  ...[
    "$(touch MARK)",
    "`touch MARK`",
    "';touch MARK;'",
    '";touch MARK;"',
    "'$(touch MARK)'",
    "\\';touch MARK;#",
  ],
  ...[
    "'\\'';touch MARK;'\\''",
    "\ntouch MARK\n",
    "\rtouch MARK\r",
    "'\ntouch MARK\n'",
    "|touch MARK",
    "&touch MARK&",
  ],
  ...[
    "&&touch MARK",
    "||touch MARK",
    ";touch MARK",
    ">MARK",
    "<(touch MARK)",
    "{touch,MARK}",
    "!touch",
    "!!",
  ],
  ...[
    "$'\\x27;touch MARK'",
    "\u2019;touch MARK;\u2019",
    "\u001b[200~touch MARK\n",
    "--output MARK",
    "-oMARK",
  ],
  ...[
    "@/etc/passwd",
    "[1-9]",
    "{a,b}",
    "%0atouch MARK",
    "\\",
    "'",
    '"',
    "~",
    "*",
    "#",
    "=x",
    "$IFS",
    "$HOME",
  ],
];
/** The text alone and in contexts. */
const CONTEXTS = [
  (way: string) => way,
  (way: string) => `a${way}b`,
  (way: string) => `${way}${way}`,
  (way: string) => `'${way}`,
];
const TEXTS = INJECTIONS.flatMap((way) => CONTEXTS.map((around) => around(way)));

const exchangeWith = (changes: Partial<Exchange>): Exchange => ({
  operation: "getDelivery",
  method: "POST",
  url: "http://127.0.0.1:1/v1/deliveries",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 1,
  response: undefined,
  failure: undefined,
  violates: undefined,
  ...changes,
});

describe("a curl command that contains text from the target", () => {
  const folder = mkdtempSync(join(tmpdir(), "curl-"));
  const log = join(folder, "calls");
  beforeAll(() => {
    const curl = join(folder, "curl");
    writeFileSync(curl, `#!/bin/sh\nprintf '%s\\0' "$@" >'${log}'\n`);
    chmodSync(curl, 0o755);
  });

  /** The words that curl is called with, by this shell. */
  function wordsOf(exchange: Exchange, shell: string): readonly string[] {
    const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, TOKEN: "the-token" };
    execFileSync(shell, ["-c", curlCommand(exchange, new Redactor())], { cwd: folder, env, stdio: "pipe" });
    return readFileSync(log, "utf8").split("\0").slice(0, -1);
  }

  test.each(["sh", "bash"])("sends the text unchanged in %s, and the shell executes none of it", (shell) => {
    expect(TEXTS.length).toBeGreaterThan(140);
    for (const text of TEXTS) {
      const words = wordsOf(
        exchangeWith({
          url: `http://127.0.0.1:1/v1/${text}`,
          requestHeaders: { "idempotency-key": text },
          requestBody: text,
        }),
        shell,
      );
      expect(words).toEqual([
        ...["-i", ...(/[[\]{}]/.test(text) ? ["-g"] : []), "-X", "POST", `http://127.0.0.1:1/v1/${text}`],
        ...["-H", `idempotency-key: ${text}`, "--data-raw", text],
      ]);
    }
    expect(readdirSync(folder).toSorted()).toEqual(["calls", "curl"]);
  });
});
