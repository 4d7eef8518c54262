import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import { collectionOf } from "../../sandbox/documents/postman/collection.ts";
import { allOperations } from "../../suites/core/contract/document.ts";
import { parseJson, textMember } from "../../suites/core/json.ts";
import { packageFolder } from "../package.ts";
import { readApiDocument } from "./artifacts.ts";

const run = promisify(execFile);
const NEWMAN = join(packageFolder, "node_modules/newman/bin/newman.js");

const collection = collectionOf(await readApiDocument());
const items = collection.item.flatMap(({ item }) => item);

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number };
  readonly assertions?: readonly { readonly error?: { readonly message: string } }[];
}

/** Runs the collection with Postman's own runner and these variables. */
async function played(variables: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "postman-"));
  const inFolder = (name: string) => join(folder, `${name}.json`);
  const [file, environment, report] = [inFolder("collection"), inFolder("environment"), inFolder("report")];
  writeFileSync(file, JSON.stringify(collection));
  const values = Object.entries(variables).map(([key, value]) => ({ key, value }));
  writeFileSync(environment, JSON.stringify({ name: "test", values }));
  const reporter = ["--reporters", "json", "--reporter-json-export", report];
  const args = [NEWMAN, "run", file, "--environment", environment, ...reporter, ...flags];
  // A failed assertion makes it exit with 1. The report names it.
  await run(process.execPath, args).catch(() => {});
  const { executions }: { executions: readonly Execution[] } = JSON.parse(readFileSync(report, "utf8")).run;
  return executions.map(({ item, response, assertions = [] }) => ({
    name: item.name,
    status: response?.code,
    failures: assertions.flatMap(({ error }) => (error ? [error.message] : [])),
  }));
}

let server: RunningServer;
const variables: Record<string, string> = {};
beforeAll(async () => {
  server = await startReferenceServer({ trustedOrigins: ["https://pos.test"] });
  const made = async (path: string, ...names: readonly string[]) => {
    const answer = await control(path, { "content-type": "application/json" }, Buffer.from("{}"));
    const body = parseJson(await answer.text());
    return Object.fromEntries(names.map((name) => [name, textMember(body, name) ?? ""]));
  };
  const identity = await made("/integrators", "client_id", "client_secret");
  const code = await made("/pairing-codes", "pairing_code");
  Object.assign(variables, identity, code, { base_url: server.url, webhook_url: "https://pos.test/hooks" });
});
afterAll(() => server.close());

const control = (path: string, headers: Record<string, string>, body: Buffer): Promise<Response> =>
  fetch(`${server.controlUrl}${path}`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${server.controlToken}` },
    body: new Uint8Array(body),
  });

test("has each operation of the document, in the folders of its tags", () => {
  const sent = items.map(({ request: { method, url } }) =>
    `${method} ${url.raw.replace("{{base_url}}", "")}`.replaceAll(/:(\w+)/g, "{$1}"),
  );
  expect([...new Set(sent)].toSorted()).toEqual(
    allOperations.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

test("uses only declared variables, and contains no secret", () => {
  const used = [...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  const declared = collection.variable.map(({ key }) => key);
  expect(used.filter((name) => !declared.includes(name ?? ""))).toEqual([]);
  expect(collection.variable.find(({ key }) => key === "client_secret")?.value).toBe("");
});

describe("the collection in Postman's runner on the reference server", () => {
  test("each request gets a documented response, in order; a missing photo isn't requested", async () => {
    const executions = await played(variables);
    expect(executions.filter(({ failures }) => failures.length > 0)).toEqual([]);
    const names = items.map(({ name }) => name);
    expect(executions.map(({ name }) => name)).toEqual(names.filter((name) => name !== "Read one photo"));
  });

  test("a second run with the same pairing code passes too", async () => {
    const executions = await played(variables);
    expect(executions.filter(({ failures }) => failures.length > 0)).toEqual([]);
  });

  test("an existing photo is listed and read", async () => {
    const { client_id, client_secret } = variables;
    const grant = { grant_type: "client_credentials", client_id, client_secret };
    const granted = await fetch(`${server.url}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(grant),
    });
    const { access_token }: { access_token: string } = JSON.parse(await granted.text());
    const listed = await fetch(`${server.url}/v1/deliveries?limit=1`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    const [delivery]: [{ id: string }] = JSON.parse(await listed.text()).items;
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    expect(
      await control(`/deliveries/${delivery.id}/proofs`, { "content-type": "image/png" }, png),
    ).toMatchObject({ status: 201 });
    const given = { ...variables, access_token, delivery_id: delivery.id };
    expect(await played(given, "--folder", "Proofs")).toEqual([
      { name: "List a delivery's photos", status: 200, failures: [] },
      { name: "Read one photo", status: 200, failures: [] },
    ]);
  });
});

test("an error response fails the request's test: a wrong secret gets no token", async () => {
  const [token] = await played({ ...variables, client_secret: "wrong" }, "--folder", "Token");
  expect(token).toMatchObject({ status: 401, failures: [expect.stringContaining("401")] });
});
