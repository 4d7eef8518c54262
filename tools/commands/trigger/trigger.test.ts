import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ALL_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { callCli } from "../../testing/processes/cli-in-process.ts";
import { openPlainReceiver, type PlainReceiver } from "../../testing/sandbox/plain-receiver.ts";
import { type SandboxProcess, startSandbox } from "../../testing/sandbox/sandbox-process.ts";

const SECRET = `whsec_${randomBytes(24).toString("base64")}`;
const TOKEN = "control-token-of-the-test";

let sandbox: SandboxProcess;
let receiver: PlainReceiver;
/** The number of events received when the test began. */
let before: number;
/** If set, the receiver responds once this many events have arrived. */
let together: number | undefined;
/** The delay of each response, in ms. */
let slowness = 0;
let waiting: (() => void)[] = [];

beforeAll(async () => {
  receiver = await openPlainReceiver(SECRET, async () => {
    if (together !== undefined) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === together) for (const go of waiting.splice(0)) go();
      });
    }
    await setTimeout(slowness);
    return 204;
  });
  sandbox = await startSandbox(["--forward-to", receiver.url, "--events", "all"], {
    CONTROL_TOKEN: TOKEN,
    WEBHOOK_SECRET: SECRET,
  });
});
afterAll(async () => {
  receiver.close();
  sandbox.stop();
  await sandbox.ended;
});
beforeEach(() => {
  before = receiver.arrivals.length;
  together = undefined;
  waiting = [];
  slowness = 0;
});

const call = (...args: readonly string[]) =>
  callCli(["trigger", ...args, "--control-url", `${sandbox.url}/control`], { CONTROL_TOKEN: TOKEN });
const arrived = () => receiver.arrivals.slice(before);
const until = (count: number) => expect.poll(() => arrived().length).toBe(count);

describe("trigger", () => {
  test("simulates a delivery up to the event, and all events before it arrive in order and signed", async () => {
    const { code, stdout } = await call("delivery.failed");
    expect(code).toBe(0);
    const way = ["created", "queued", "offered", "assigned", "at_pickup", "picked_up", "en_route", "arrived"];
    const kinds = [...way, "failed"].map((kind) => `delivery.${kind}`);
    await until(kinds.length);
    expect(arrived().map(({ type }) => type)).toEqual(kinds);
    const versions = arrived().map(({ version }) => version);
    expect(versions).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const { webhookId } of arrived()) expect(stdout).toContain(webhookId);
  });

  test.each(ALL_KINDS)("sends %s alone", async (kind) => {
    expect(await call(kind, "--single")).toMatchObject({ code: 0, stderr: "" });
    await until(1);
    expect(arrived().map(({ type }) => type)).toEqual([kind]);
  });

  test("--out-of-order sends the last event first", async () => {
    expect(await call("delivery.assigned", "--out-of-order")).toMatchObject({ code: 0 });
    await until(4);
    expect(arrived().map(({ version }) => version)).toEqual([3, 2, 1, 1]);
  });

  test("each event and each copy is sent after the response to the previous one", async () => {
    slowness = 300;
    expect(await call("queued", "--repeat", "2")).toMatchObject({ code: 0 });
    await until(4);
    const [first, again, second, last] = arrived();
    expect(again?.webhookId).toBe(first?.webhookId);
    expect(last?.webhookId).toBe(second?.webhookId);
    const begun = arrived().slice(1);
    const answered = arrived().slice(0, -1);
    for (const [index, { from }] of begun.entries()) {
      expect(from).toBeGreaterThanOrEqual(answered[index]?.to ?? Number.POSITIVE_INFINITY);
    }
  });

  test("--parallel sends ten copies of an event concurrently, with one webhook-id", async () => {
    together = 10;
    expect(await call("created", "--single", "--repeat", "10", "--parallel")).toMatchObject({ code: 0 });
    await until(10);
    expect(new Set(arrived().map(({ webhookId }) => webhookId)).size).toBe(1);
    const allBegan = Math.max(...arrived().map(({ from }) => from));
    const oneEnded = Math.min(...arrived().map(({ to }) => to));
    expect(allBegan).toBeLessThan(oneEnded);
  });

  test("copies are sent one after another by default", async () => {
    expect(await call("created", "--single", "--repeat", "3")).toMatchObject({ code: 0 });
    await until(3);
    expect(new Set(arrived().map(({ webhookId }) => webhookId)).size).toBe(1);
    const told = () => sandbox.outputSoFar().stdout.split("\n");
    const ofThis = (line: string) => line.includes(arrived()[0]?.webhookId ?? "none arrived");
    const copiesTold = () => told().filter((line) => ofThis(line) && line.includes("a copy"));
    await expect.poll(copiesTold).toHaveLength(2);
  });

  test("--count sends an event for each of several deliveries", async () => {
    const { stdout } = await call("created", "--single", "--count", "3", "--json");
    await until(3);
    expect(new Set(arrived().map(({ webhookId }) => webhookId)).size).toBe(3);
    const said: { events: { id: string; type: string; url: string }[] } = JSON.parse(stdout);
    expect(said.events.map(({ id }) => id).toSorted()).toEqual(
      arrived()
        .map(({ webhookId }) => webhookId)
        .toSorted(),
    );
  });

  describe("fields of one's own", () => {
    const dataOf = (index: number): unknown => arrived()[index]?.data;

    test("a new order has its number and fields, in every event", async () => {
      const file = join(mkdtempSync(join(tmpdir(), "trigger-")), "order.json");
      writeFileSync(file, JSON.stringify({ customer: { name: "Zeynep Ak" }, package_count: 2 }));
      const args = ["--order", "1042", "--data", file, "--set", "customer.note=iki kez çal"];
      const { code, stderr } = await call("delivery.failed", ...args, "--set", "payment.amount_due=90.5");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      await until(9);
      expect(dataOf(8)).toMatchObject({
        external_ref: "1042",
        status: "FAILED",
        customer: { name: "Zeynep Ak", note: "iki kez çal", phone: "+905325550123" },
        payment: { amount_due: 90.5 },
        package_count: 2,
      });
    });

    test("an existing order gets its new fields, and continues from its status", async () => {
      await call("delivery.assigned", "--order", "1043");
      await until(4);
      expect(await call("picked_up", "--order", "1043", "--set", "notes=arka kapı")).toMatchObject({
        code: 0,
      });
      await until(7);
      expect(
        arrived()
          .map(({ type }) => type)
          .slice(4),
      ).toEqual(["updated", "at_pickup", "picked_up"].map((kind) => `delivery.${kind}`));
      expect(dataOf(6)).toMatchObject({ external_ref: "1043", notes: "arka kapı" });
      const { code, stderr } = await call("created", "--order", "1043");
      expect(code).toBe(3);
      expect(stderr).toMatch(
        /^error: order 1043 can't reach delivery\.created from its status \(409 DURUM_UYGUN_DEGIL\)$/m,
      );
    });

    test.each([
      ["customer.nickname=x", /DOGRULAMA \(customer\.nickname: .*phone_extension/],
      ["package_count=many", /DOGRULAMA \(package_count: /],
      ["package_count=21", /DOGRULAMA \(package_count: en çok 20/],
      ["payment.type=BITCOIN", /DOGRULAMA \(payment\.type: /],
      ["items.0.quantity=two", /DOGRULAMA \(items\.0\.quantity: /],
    ])("%s is refused with the field's name", async (assignment, words) => {
      const { code, stderr } = await call("created", "--set", assignment);
      expect(code).toBe(3);
      expect(stderr).toMatch(words);
    });
  });

  test("--again sends a past event with its webhook-id", async () => {
    await call("created", "--single");
    await until(1);
    const id = arrived()[0]?.webhookId ?? "";
    expect(await call("--again", id)).toMatchObject({ code: 0, stdout: expect.stringContaining(id) });
    await until(2);
    expect(arrived()[1]?.webhookId).toBe(id);
    const { code, stderr } = await call("--again", "nothing");
    expect(code).toBe(3);
    expect(stderr).toMatch(/has sent no event with the webhook-id nothing/);
  });

  test("more than a hundred deliveries are simulated in batches", async () => {
    expect(await call("created", "--single", "--count", "120", "--parallel")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("120 events"),
    });
    await until(120);
    expect(new Set(arrived().map(({ webhookId }) => webhookId)).size).toBe(120);
  });

  test("lists every kind", async () => {
    const { stdout } = await callCli(["trigger", "--list"]);
    expect(stdout.split("\n").map((line) => line.split(" ")[0])).toEqual([...ALL_KINDS, ""]);
  });

  test("a forged event isn't recognized as genuine", () => {
    expect(receiver.refused()).toBe(0);
  });
});

describe("trigger reports an error in one line", () => {
  const oneLine = async (args: readonly string[], environment: Readonly<Record<string, string>>) => {
    const { code, stderr } = await callCli(["trigger", ...args], environment);
    expect(code).toBe(3);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    return stderr;
  };
  const given = { CONTROL_TOKEN: TOKEN };
  const there = () => ["--control-url", `${sandbox.url}/control`];

  test.each([
    [["delivery.vanished"], given, /unknown event type delivery\.vanished: .*--list/],
    [[], given, /no event type: /],
    [["created", "--list"], given, /--list takes no event type, not created: omit one of them/],
    [["created"], {}, /set CONTROL_TOKEN/],
    [
      ["created", "--set", "note"],
      given,
      /--set takes a field and its value, such as customer\.note=hello, not note/,
    ],
    [["created", "--data", "nowhere.json"], given, /--data nowhere\.json can't be read \(ENOENT\)/],
    [["created", "--order", "1", "--count", "2"], given, /--order names a single delivery/],
    [["created", "--again", "e1"], given, /omit created/],
    [["--again", "e1", "--parallel"], given, /omit --parallel/],
    [["created", "--repeat", "0"], given, /--repeat takes a whole number from 1 to 100, not 0/],
  ])("%j", async (args, environment, words) => {
    expect(await oneLine(args, environment)).toMatch(words);
  });

  test("a wrong token, which isn't printed", async () => {
    const stderr = await oneLine(["created", ...there()], { CONTROL_TOKEN: "a-wrong-token-0123456789" });
    expect(stderr).toMatch(/refused this CONTROL_TOKEN: use the token that serve prints/);
    expect(stderr).not.toContain("a-wrong-token");
  });

  test("a sandbox that isn't there", async () => {
    const gone = await openPlainReceiver(SECRET);
    gone.close();
    const stderr = await oneLine(["created", "--control-url", `${gone.url}/control`], given);
    expect(stderr).toMatch(
      /^error: no sandbox at .*: nothing listens there; start a sandbox with npm run serve/,
    );
  });

  test("events with values of other types", async () => {
    const odd = { toString: 1 };
    const other = createServer((_, response) => {
      response
        .writeHead(202)
        .end(JSON.stringify({ events: [{ id: odd, type: odd, external_ref: odd, url: 1 }] }));
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = Object(other.address());
    const { code, stdout } = await callCli(
      ["trigger", "created", "--control-url", `http://127.0.0.1:${port}/control`],
      given,
    );
    other.close();
    expect(code).toBe(0);
    expect(stdout).toContain('(webhook-id {"toString":1})');
  });

  test("an unknown integrator", async () => {
    expect(await oneLine(["created", ...there(), "--client-id", "ci_nobody"], given)).toMatch(
      /or has no integrator with this client_id/,
    );
  });
});
