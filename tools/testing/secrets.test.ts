import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { pause } from "../../suites/core/clock.ts";
import { isObject } from "../../suites/core/json.ts";
import { startRewritingProxy } from "../../suites/server/variants/proxy.ts";
import { runCli } from "./processes/cli-process.ts";

const HANDED_OUT_LATE_MS = 100;

/** The places of secrets in bodies, by interface. */
const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];

function secretsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    SECRET_KEYS.includes(key) && typeof member === "string" ? [member] : secretsIn(member),
  );
}

interface Leaky {
  readonly url: string;
  readonly controlUrl: string;
  /** All secrets that it has issued. */
  readonly handedOut: ReadonlySet<string>;
  close(): Promise<void>;
}

/**
 * A server that repeats every issued secret in each response, in fields with harmless names. Its rate-limit headers and
 * times are wrong, so that many checks fail and show its responses.
 */
async function leakyServer(controlToken: string): Promise<Leaky> {
  const server = await startReferenceServer({ controlToken, reportFault: () => {} });
  const handedOut = new Set<string>();
  const proxy = await startRewritingProxy(server.url, async (passing) => {
    const given = secretsIn(passing.json);
    for (const secret of given) handedOut.add(secret);
    const told = [...handedOut].slice(-12);
    const { json } = passing;
    if (isObject(json)) {
      passing.json = {
        ...json,
        id: told.at(-1),
        created_at: told.at(-1),
        status: told.at(-2),
        debug: `secrets: ${told.join(" ")}`,
        dump: JSON.stringify({ told }),
      };
    }
    passing.headers = { ...passing.headers, "x-debug": told.join(",") };
    delete passing.headers["x-ratelimit-limit"];
    // Concurrent responses repeat the secret before it arrives here.
    if (given.length > 0) await pause(HANDED_OUT_LATE_MS);
  });
  return {
    url: proxy.url,
    controlUrl: server.controlUrl,
    handedOut,
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

interface Ran {
  readonly code: number | null;
  /** The output and the written files, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

async function conform(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const ended = await runCli(["conform", "--seed", "1", "--report", "out", "--har", ...args], {
    cwd: folder,
    env,
  });
  const files = readdirSync(join(folder, "out"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "utf8")] as const);
  const summary = readFileSync(join(folder, "summary"), "utf8");
  const said = ended.stdout + ended.stderr;
  return { code: ended.code, outputs: { ...Object.fromEntries(files), said, summary } };
}

/** The secrets found in each output, plain or encoded in an address or in JSON. */
const leaks = ({ outputs }: Ran, secrets: readonly string[]) =>
  Object.entries(outputs).flatMap(([name, text]) =>
    secrets
      .filter((secret) =>
        [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((form) =>
          text.includes(form),
        ),
      )
      .map((secret) => `${name}: ${secret}`),
  );

const CONTROL_TOKEN = "control-token-of-the-environment";
const SELECTION =
  "passive.*,idempotency.*,subscriptions.*,authentication.*,tokens.*,stores.*,pairing.*,retries.first-immediately,signatures.*";

describe("no output contains a secret", () => {
  let leaky: Leaky;
  let ran: Ran;
  let secretOfFile: string;

  beforeAll(async () => {
    leaky = await leakyServer(CONTROL_TOKEN);
    const made = await fetch(`${leaky.controlUrl}/integrators`, {
      method: "POST",
      headers: { authorization: `Bearer ${CONTROL_TOKEN}`, "content-type": "application/json" },
      body: "{}",
    });
    const { client_id, client_secret } = JSON.parse(await made.text());
    secretOfFile = client_secret;
    const folder = mkdtempSync(join(tmpdir(), "secrets-"));
    writeFileSync(join(folder, "summary"), "");
    writeFileSync(
      join(folder, "conform.yaml"),
      `url: ${leaky.url}\ncontrol: { url: "${leaky.controlUrl}", token: "\${TOKEN_OF_CONTROL}" }\ncredentials: [{ client_id: "${client_id}", client_secret: "${client_secret}" }]\n`,
    );
    ran = await conform(folder, ["--only", SELECTION, "--pairing-code", "pairing-code-of-a-flag"], {
      TOKEN_OF_CONTROL: CONTROL_TOKEN,
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
    });
  });
  afterAll(() => leaky.close());

  test("the run has many kinds of failures, and shows their exchanges", () => {
    expect(ran.code).toBe(1);
    const requests = Object.keys(ran.outputs).filter((name) => name.endsWith(".http"));
    expect(requests).toContain("stores.first-registration.http");
    expect(
      Object.keys(ran.outputs)
        .filter((name) => !requests.includes(name))
        .toSorted(),
    ).toEqual([
      "attestation.json",
      "badge.svg",
      "ctrf.json",
      "exchanges.har",
      "junit.xml",
      "report.html",
      "report.json",
      "said",
      "summary",
      "summary.md",
    ]);
    expect(ran.outputs["report.json"]).toContain("secrets: [redacted]");
    expect(leaky.handedOut.size).toBeGreaterThan(5);
  });

  test("from flags, environment or settings file", () => {
    expect(leaks(ran, ["pairing-code-of-a-flag", CONTROL_TOKEN, secretOfFile])).toEqual([]);
  });

  test("that the server issued during the run", () => {
    expect(leaks(ran, [...leaky.handedOut])).toEqual([]);
  });

  test("a GitHub job is annotated", () => {
    expect(ran.outputs.said).toMatch(/^::error title=/m);
    expect(ran.outputs.summary).toBe(ran.outputs["summary.md"]);
  });
});
