import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import {
  correctDependencies,
  type ReceiverDependencies,
} from "../../../suites/receiver/reference-receiver/dependencies.ts";
import {
  type RunningReceiver,
  type ServeOptions,
  serveReceiver,
} from "../../../suites/receiver/reference-receiver/serve.ts";
import { STATES_WITHOUT_STRING } from "../../../suites/receiver/session/statuses.ts";
import { certificatesFor } from "../../../suites/server/session/webhook-receiver/certificates.ts";
import schema from "../../settings/conform.schema.json" with { type: "json" };
import { runCli } from "../../testing/processes/cli-process.ts";
import { type ReceiverFlags, receiverSettings } from "./settings.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const folder = (): string => mkdtempSync(join(tmpdir(), "receiver-"));

/** Runs the command to its end. */
const run = (args: readonly string[], env: Record<string, string> = { CONFORM_WEBHOOK_SECRET: secret }) =>
  runCli(["receiver", ...args], { env });

async function aReceiver(
  change: Partial<ReceiverDependencies> = {},
  options: ServeOptions = {},
): Promise<RunningReceiver> {
  const receiver = await serveReceiver({ ...correctDependencies(secret), ...change }, options);
  open.push(() => receiver.close());
  return receiver;
}

describe("wrong settings are reported in one line", () => {
  const url = "http://127.0.0.1:1/hooks";
  const mistakes: readonly [string, ReceiverFlags, RegExp][] = [
    ["no URL", { secret }, /^no receiver to certify: give .* --url/],
    ["an invalid URL", { secret, url: "hooks" }, /^--url is not a URL: hooks/],
    ["another scheme", { secret, url: "ftp://localhost/x" }, /must begin with http:\/\/ or https:\/\//],
    [
      "an address with a password",
      { secret, url: "http://u:p@localhost" },
      /^--url must not contain a user or password: the service sends neither, so a receiver can't require them$/,
    ],
    ["a URL with a fragment", { secret, url: `${url}#there` }, /^--url must have no # part/],
    ["no secret", { url }, /^no secret to sign with: give .* CONFORM_WEBHOOK_SECRET/],
    ["an empty secret", { url, secret: "" }, /^no secret to sign with/],
    ["a secret without its prefix", { url, secret: secret.slice(6) }, /doesn't begin with whsec_/],
    ["a secret that is only a prefix", { url, secret: "whsec_" }, /^nothing follows whsec_/],
    ["a secret that isn't base64", { url, secret: "whsec_%%%%" }, /isn't base64/],
    ["a secret with a line break", { url, secret: `${secret}\n` }, /contains a space or a line break/],
    ["an invalid effects URL", { url, secret, effects: "effects" }, /^--effects is not a URL/],
    ["a timeout above the limit", { url, secret, timeout: "20s" }, /^--timeout takes at most 15s/],
    ["an invalid duration", { url, secret, effectWithin: "soon" }, /^--effect-within takes a duration/],
    [
      "a status for an unknown state",
      { url, secret, statuses: ["IPTAL"] },
      /^--statuses: IPTAL names no state: write/,
    ],
    [
      "a status that the specification gives",
      { url, secret, statuses: ["assigned=X"] },
      /^--statuses: assigned isn't a state with/,
    ],
    ["a state twice", { url, secret, statuses: ["FAILED", "failed=X"] }, /^--statuses gives failed twice$/],
    [
      "an unknown event type",
      { url, secret, eventTypes: ["delivery.gone"] },
      /^--event-types: delivery.gone isn't an event type of a subscription; the types are delivery.created, /,
    ],
    [
      "a kind that isn't listed",
      { url, secret, eventTypes: ["webhook.test"] },
      /^--event-types: webhook.test isn't an event type/,
    ],
    ["an empty list of event types", { url, secret, eventTypes: [] }, /^--event-types names no event type/],
    [
      "the declaration of other event types without a list",
      { url, secret, without: ["other-event-types"] },
      /^--without other-event-types needs --event-types/,
    ],
    ["a missing settings file", { url, secret, config: "none.yaml" }, /^cannot read none.yaml/],
    ["a timeout of 0", { url, secret, timeout: "0s" }, /^--timeout takes/],
    [
      "a level of servers",
      { url, secret, claims: "api" },
      /api is not a level; the levels are responses, effects/,
    ],
    ["too many jobs", { url, secret, jobs: "99" }, /^--jobs takes a whole number from 1 to 96/],
  ];
  test.each(mistakes)("%s", (_, flags, message) => {
    expect(() => receiverSettings(flags, {})).toThrow(message);
    expect(() => receiverSettings(flags, {})).not.toThrow(/\n/);
    expect(() => receiverSettings(flags, {})).not.toThrow(secret.slice(6));
  });

  test("the environment gives what the flags don't", () => {
    const { target } = receiverSettings(
      {},
      {
        CONFORM_RECEIVER_URL: `${url}?a=b`,
        CONFORM_WEBHOOK_SECRET: secret,
        CONFORM_EFFECTS_URL: "http://x/e/",
      },
    );
    expect(target).toMatchObject({ url: `${url}?a=b`, secret, effectsUrl: "http://x/e" });
  });
});

describe("statuses", () => {
  const url = "http://127.0.0.1:1/hooks";
  const written = (text: string): string => {
    const file = join(folder(), "conform.yaml");
    writeFileSync(file, text);
    return file;
  };
  const statusesOf = (flags: ReceiverFlags) =>
    receiverSettings({ url, secret, ...flags }, {}).target.statuses;

  test("are given as state=status, or as a status that spells the state's name", () => {
    expect(statusesOf({})).toEqual({});
    expect(statusesOf({ statuses: ["delivered=TESLIM", "AtPickup", "EN_ROUTE"] })).toEqual({
      delivered: "TESLIM",
      at_pickup: "AtPickup",
      en_route: "EN_ROUTE",
    });
  });

  test("may be in conform.yaml without any other setting", () => {
    const config = written("url: $" + "{NOT_SET}\nstatuses: { cancelled: IPTAL }\n");
    expect(statusesOf({ config })).toEqual({ cancelled: "IPTAL" });
    expect(statusesOf({ config, statuses: ["FAILED"] })).toEqual({ failed: "FAILED" });
    expect(() => statusesOf({ config: written("statuses: { assigned: X }\n") })).toThrow(
      /: statuses.assigned is not a setting; /,
    );
    expect(() => statusesOf({ config: written("status: {}\n") })).toThrow(/: status is not a setting; /);
  });

  test("may all be in conform.yaml", () => {
    expect(Object.keys(schema.properties.statuses.properties).toSorted()).toEqual(
      STATES_WITHOUT_STRING.toSorted(),
    );
  });
});

describe("kinds", () => {
  const kindsOf = (flags: ReceiverFlags, environment: Record<string, string> = {}) => {
    const { target, without } = receiverSettings(
      { url: "http://127.0.0.1:1/hooks", secret, ...flags },
      environment,
    );
    return { eventTypes: target.eventTypes, without };
  };
  const some = { eventTypes: ["delivery.failed", "delivery.delivered"], without: ["other-event-types"] };

  test("are the default ones or those in the list, and a shorter list declares that the others never arrive", () => {
    expect(kindsOf({})).toEqual({ eventTypes: DEFAULT_KINDS, without: [] });
    expect(kindsOf({ eventTypes: ["delivery.failed", "delivery.delivered", "delivery.failed"] })).toEqual(
      some,
    );
    expect(
      kindsOf({ without: ["other-event-types"] }, { CONFORM_EVENT_TYPES: some.eventTypes.join() }),
    ).toEqual(some);
  });

  test("beyond the default ones add no declaration", () => {
    const all = [...DEFAULT_KINDS, "delivery.courier_location"];
    expect(kindsOf({ eventTypes: all })).toEqual({ eventTypes: all, without: [] });
  });

  test("stand in conform.yaml", () => {
    const config = join(folder(), "conform.yaml");
    writeFileSync(
      config,
      "event_types: [delivery.failed, delivery.delivered]\nwithout: [stored-deliveries]\n",
    );
    expect(kindsOf({ config })).toEqual({ ...some, without: ["stored-deliveries", "other-event-types"] });
    expect(kindsOf({ config, eventTypes: ["delivery.created"] }).eventTypes).toEqual(["delivery.created"]);
  });
});

describe("an unreachable receiver is reported in one line with exit code 3", () => {
  const told = async (args: readonly string[], message: RegExp) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout).toBe("");
    expect(code).toBe(3);
  };

  test("a port where nothing listens", () =>
    told(
      ["--url", "http://127.0.0.1:1"],
      /^error: no receiver at http:\/\/127.0.0.1:1: nothing listens there$/m,
    ));

  test("a missing effects interface", async () => {
    const { url } = await aReceiver();
    await told(
      ["--url", url, "--effects", url],
      /^error: --effects .*\/hooks: the effects interface is unusable/,
    );
  });
});

describe("runs", () => {
  test("a correct receiver is CONFORMANT, and no output or file contains its secret", async () => {
    const { url, effectsUrl } = await aReceiver();
    const report = folder();
    const { code, stdout, stderr } = await run(["--url", url, "--effects", effectsUrl, "--report", report]);
    expect(stdout).toMatch(/^CONFORMANT {2}\(exit 0\)/m);
    expect(code).toBe(0);
    const files = readdirSync(report).map((name) => readFileSync(join(report, name), "utf8"));
    expect(files.length).toBeGreaterThan(0);
    expect([stdout, stderr, ...files].filter((text) => text.includes(secret.slice(6)))).toEqual([]);
    expect(JSON.parse(readFileSync(join(report, "report.json"), "utf8"))).toMatchObject({
      verdict: "CONFORMANT",
      suite: { subject: "receiver" },
      levels: { responses: { verdict: "CONFORMANT" }, effects: { verdict: "CONFORMANT" } },
    });
  });

  test("without effects it is INCOMPLETE, and CONFORMANT if only responses are claimed", async () => {
    const { url } = await aReceiver();
    const whole = await run(["--url", url]);
    expect(whole.stdout).toMatch(/give the URL of the effects interface with --effects/);
    expect(whole.code).toBe(2);
    const answers = await run(["--url", url, "--claims", "responses", "--quiet"]);
    expect(answers.code).toBe(0);
  });

  test("a receiver declared to store no deliveries isn't asked for one before the run either", async () => {
    const { url, effectsUrl } = await aReceiver({}, { holdsDeliveries: false });
    const some = ["--url", url, "--effects", effectsUrl, "--only", "kinds.default"];
    const undeclared = await run(some);
    expect(undeclared.stderr).toMatch(
      /the effects interface is unusable: GET \/deliveries\/\S+ answered 404/,
    );
    expect(undeclared.code).toBe(3);
    const declared = await run([...some, "--without", "stored-deliveries"]);
    expect(declared.stderr).toBe("");
    expect(declared.stdout).toMatch(/1 check, all passed/);
  });

  test("a slow receiver gets an estimate of the duration at the start", async () => {
    const { receive } = correctDependencies(secret);
    const { url } = await aReceiver({
      receive: async (...of) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        return receive(...of);
      },
    });
    const { stdout } = await run(["--url", url, "--only", "kinds.default"]);
    expect(stdout).toMatch(
      /^the receiver takes [\d.]+ seconds? to respond: this run takes about [\d.]+ seconds?$/m,
    );
  });

  test("a receiver may return null for a delivery that it doesn't have", async () => {
    const { url, effectsUrl } = await aReceiver({}, { bareNull: true });
    const { code, stderr } = await run([
      "--url",
      url,
      "--effects",
      effectsUrl,
      "--claims",
      "effects",
      "--quiet",
    ]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  test("a non-conforming receiver is NONCONFORMANT, and the failure explains why", async () => {
    const { url } = await aReceiver({ isGenuine: () => true });
    const { code, stdout } = await run([
      "--url",
      `${url}?token=a-secret-of-the-address`,
      "--only",
      "RECV-17",
    ]);
    expect(stdout).toMatch(/clause\s+RECV-17 \(MUST/);
    expect(stdout).toMatch(
      /message\s+the receiver: expected status 401, got \d+: accepted as genuine.* \(request was invalid on purpose: in the signed body, the version is raised/,
    );
    expect(stdout).toMatch(/expected\s+401/);
    expect(stdout).toMatch(/re-run\s+npm run receiver -- --url .* --only tampering.body/);
    expect(stdout).not.toContain("a-secret-of-the-address");
    expect(stdout).not.toContain(secret.slice(6));
    expect(code).toBe(1);
  });

  test("a receiver that restarts once passes, and the report mentions the restart", async () => {
    // Before the run, the command sends test events. Their number grows if the receiver is slow.
    let left = 40;
    const { process } = correctDependencies(secret);
    const { url } = await aReceiver(
      {
        process: async (...of) => (of[3].type !== "webhook.test" && --left === 0 ? "die" : process(...of)),
      },
      { backAfterMs: 200 },
    );
    const report = folder();
    const { code } = await run(["--url", url, "--claims", "responses", "--report", report]);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(report, "report.json"), "utf8")).outages).toEqual([
      expect.stringMatching(/^the receiver went down at delivery\.\w+.* and was back [\d.]+ s later$/),
    ]);
  });

  test("a receiver with another signature recipe gets one failure, and a line for all blocked checks", async () => {
    const { url, effectsUrl } = await aReceiver({ keys: (text) => [text] });
    const { code, stdout } = await run(["--url", url, "--effects", effectsUrl]);
    expect(stdout.match(/^(FAILED|WARNING) .*$/gm)).toEqual(["FAILED  signatures.genuine"]);
    expect(stdout).toMatch(
      /message\s+a genuine event .* that are signed with the secret's text \(the key is the base64/,
    );
    expect(stdout).toMatch(/^1 failure; it blocks \d+ checks\. Begin with the first:$/m);
    expect(stdout).toMatch(/^ +\d+ {2}a genuine event .* \(signatures.genuine, /m);
    expect(stdout).not.toContain(secret.slice(6));
    expect(code).toBe(1);
  });

  test("a receiver behind TLS is reached with its CA; without it the error names the variable to set", async () => {
    const { url } = await aReceiver();
    const { cert, key, ca } = certificatesFor(["127.0.0.1"]);
    const proxy = createTlsServer({ cert, key }, (socket) => {
      const through = connect(Number(new URL(url).port), "127.0.0.1");
      for (const end of [socket, through]) end.on("error", () => end.destroy());
      socket.pipe(through).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    open.push(() => proxy.close());
    const address = proxy.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const args = ["--url", `https://127.0.0.1:${port}/hooks`, "--claims", "responses", "--only", "kinds.*"];
    const unknown = await run(args);
    expect(unknown.stderr).toMatch(/its certificate's CA is unknown: set NODE_EXTRA_CA_CERTS to it/);
    expect(unknown.code).toBe(3);
    const file = join(folder(), "ca.pem");
    writeFileSync(file, ca);
    const known = await run(args, { CONFORM_WEBHOOK_SECRET: secret, NODE_EXTRA_CA_CERTS: file });
    expect(known.stdout).toMatch(/^responses\s+INCOMPLETE\s+3\s+0/m);
    expect(known.code).toBe(2);
  });

  test("an explanation shows the reason, the sent events and what fails", async () => {
    const { code, stdout } = await run(["--explain", "duplicates.after-a-failure"]);
    expect(stdout).toMatch(/RECV-35 \(MUST, level effects/);
    expect(stdout).toMatch(/delivery.assigned, \d+ bytes → 500/);
    expect(code).toBe(0);
  });
});
