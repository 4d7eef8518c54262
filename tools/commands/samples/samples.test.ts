import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { namedSchemaError } from "../../../suites/core/contract/document.ts";
import { ALL_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { member, parseJson } from "../../../suites/core/json.ts";
import { callCli } from "../../testing/processes/cli-in-process.ts";
import type { Sample } from "./sample.ts";

const SECRET = `whsec_${Buffer.from("a key for the samples, and no other").toString("base64")}`;
const AT = "2030-05-01T18:30:00+03:00";

const aFolder = (): string => join(mkdtempSync(join(tmpdir(), "samples-")), "made", "for", "them");
const textsIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

/** The samples by kind. */
async function written(...flags: readonly string[]): Promise<ReadonlyMap<string, Sample>> {
  const folder = aFolder();
  expect(await callCli(["samples", "--out", folder, ...flags])).toMatchObject({ code: 0, stderr: "" });
  const samples = Object.values(textsIn(folder)).map((text): Sample => JSON.parse(text));
  return new Map(samples.map((sample) => [sample.type, sample]));
}

const dataOf = (samples: ReadonlyMap<string, Sample>, kind: string): unknown =>
  member(parseJson(samples.get(kind)?.body ?? ""), "data");

describe("samples", () => {
  test("is one file per event type, named after it, that the standardwebhooks package verifies", async () => {
    const folder = aFolder();
    expect(await callCli(["samples", "--out", folder])).toMatchObject({ code: 0 });
    expect(readdirSync(folder).toSorted()).toEqual(ALL_KINDS.map((kind) => `${kind}.json`).toSorted());
    expect(ALL_KINDS).toHaveLength(16);
    for (const [name, text] of Object.entries(textsIn(folder))) {
      const { type, secret, headers, body, body_base64 }: Sample = JSON.parse(text);
      expect(`${type}.json`).toBe(name);
      const event = new Webhook(secret).verify(body, { ...headers });
      expect(event).toMatchObject({ id: headers["webhook-id"], type });
      expect(Buffer.from(body_base64, "base64").toString()).toBe(body);
    }
  });

  test("contains events that fit the document, each with data that fits its type", async () => {
    const samples = await written();
    for (const [kind, { body }] of samples) {
      const schema = kind === "webhook.test" ? "TestEvent" : "DeliveryEvent";
      expect([kind, namedSchemaError(schema, parseJson(body))]).toEqual([kind, undefined]);
    }
    const courier = { name: expect.any(String) };
    expect(dataOf(samples, "delivery.created")).toMatchObject({ version: 1, courier: null });
    expect(dataOf(samples, "delivery.assigned")).toMatchObject({ courier, assigned_at: expect.any(String) });
    expect(dataOf(samples, "delivery.picked_up")).toMatchObject({
      courier,
      picked_up_at: expect.any(String),
    });
    expect(dataOf(samples, "delivery.courier_location")).toMatchObject({
      courier: { lat: expect.any(Number), location_at: expect.any(String) },
    });
    expect(dataOf(samples, "delivery.delivered")).toMatchObject({ delivered_at: expect.any(String) });
    expect(dataOf(samples, "delivery.failed")).toMatchObject({ failure_reason: expect.any(String) });
    expect(dataOf(samples, "delivery.returned")).toMatchObject({ returned_at: expect.any(String) });
    expect(dataOf(samples, "delivery.cancelled")).toMatchObject({ cancel_reason: expect.any(String) });
    expect(dataOf(samples, "webhook.test")).toBeNull();
  });

  test("is about one delivery from creation to its final state, with increasing versions", async () => {
    const samples = await written();
    const way = ["created", "updated", "offered", "assigned", "at_pickup", "picked_up", "en_route"];
    const told = [...way, "courier_location", "arrived", "delivered"].map((name) =>
      dataOf(samples, `delivery.${name}`),
    );
    expect(new Set(told.map((data) => member(data, "id"))).size).toBe(1);
    const versions = told.map((data) => Number(member(data, "version")));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(versions.at(-1)).toBeGreaterThan(versions.at(0) ?? 0);
  });

  test("is the same for the same time, secret and seed, and differs for another seed", async () => {
    const fixed = ["--at", AT, "--secret", SECRET];
    const first = await written(...fixed, "--seed", "1");
    expect([...first.values()].map(({ headers }) => headers["webhook-timestamp"])).toEqual(
      ALL_KINDS.map(() => "1903879800"),
    );
    expect([...first.values()].every(({ secret }) => secret === SECRET)).toBe(true);
    expect(await written(...fixed, "--seed", "1")).toEqual(first);
    const another = await written(...fixed, "--seed", "2");
    const ids = [...first.values(), ...another.values()].map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2 * ALL_KINDS.length);
  });

  test("uses the secret from the environment, and prints a JSON array with --json", async () => {
    const { code, stdout } = await callCli(["samples", "--json"], { CONFORM_WEBHOOK_SECRET: SECRET });
    const samples: readonly Sample[] = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(samples.map(({ type }) => type)).toEqual(ALL_KINDS);
    expect(new Set(samples.map(({ secret }) => secret))).toEqual(new Set([SECRET]));
  });
});

describe("samples reports an error in one line", () => {
  test.each([
    [["--at", "2030-05-01T15:30:00"], /--at takes a time with its zone.*2030-05-01T15:30:00\n/],
    [["--at", "2030-02-31T99:00:00Z"], /--at takes a time/],
    [["--secret", "s3cret"], /the secret doesn't begin with whsec_/],
    [["--secret", "whsec_!"], /isn't base64/],
    [["--out", "/dev/null/samples"], /--out \/dev\/null\/samples isn't writable \(\w+\)/],
  ])("%s", async (flags, message) => {
    const { code, stdout, stderr } = await callCli(["samples", ...flags]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd()).not.toContain("\n");
    expect(stderr).not.toContain("s3cret");
  });

  test("if a sample's name belongs to a different file; nothing is written then, but earlier samples are replaced", async () => {
    const folder = mkdtempSync(join(tmpdir(), "samples-"));
    expect(await callCli(["samples", "--out", folder, "--seed", "1"])).toMatchObject({ code: 0 });
    const before = textsIn(folder);
    expect(await callCli(["samples", "--out", folder, "--seed", "2"])).toMatchObject({ code: 0 });
    const after = textsIn(folder);
    expect(Object.keys(after).filter((name) => after[name] === before[name])).toEqual([]);

    const own = join(folder, "webhook.test.json");
    writeFileSync(own, '{"type":"webhook.test","mine":true}');
    const { code, stderr } = await callCli(["samples", "--out", folder, "--seed", "3"]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(`${own} wasn't written by this command`),
    });
    expect(textsIn(folder)).toEqual({ ...after, "webhook.test.json": '{"type":"webhook.test","mine":true}' });
  });
});
