import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterEach, describe, expect, test } from "vitest";
import control from "../../openapi/generated/control.json" with { type: "json" };
import { ControlClient } from "../../suites/core/control.ts";
import { Redactor } from "../../suites/core/text/redact.ts";
import { leftOut } from "../testing/languages.ts";

const TOKEN = "control-token-of-the-sample";
const START_MS = 240_000;
const file = fileURLToPath(new URL("service.py", import.meta.url));
const isPythonMissing = leftOut("Python") !== undefined;

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

/** Starts the sample. @returns its base URL */
function start(environment: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn("python3", [file], {
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1", PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the sample didn't start")), START_MS);
    child.stdout.once("data", (chunk: Buffer) => {
      clearTimeout(timer);
      resolve(`http://127.0.0.1:${/'port': (\d+)/.exec(chunk.toString())?.[1]}`);
    });
  });
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(control, "control");

interface Sent {
  readonly status: number;
  readonly json: unknown;
}

async function send(url: string, method: string, token: string | undefined, body?: unknown): Promise<Sent> {
  const answer = await fetch(url, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === "" ? undefined : JSON.parse(text) };
}

const codeOf = ({ json }: Sent): unknown =>
  typeof json === "object" && json !== null && "error" in json && typeof json.error === "object"
    ? json.error !== null && "code" in json.error && json.error.code
    : undefined;

describe.skipIf(isPythonMissing)("the control interface in Python, through the suite's client", () => {
  async function driver() {
    const base = await start({ CONTROL_TOKEN: TOKEN });
    const client = new ControlClient({ url: `${base}/control`, token: TOKEN }, new Redactor());
    await client.describe();
    const signIn = async (kind: "integrator" | "other") => {
      const credentials = await client.createIntegrator(kind);
      const form = { grant_type: "client_credentials", ...credentials };
      const { status, json } = await send(`${base}/oauth/token`, "POST", undefined, form);
      expect(status).toBe(200);
      const token =
        typeof json === "object" && json !== null && "access_token" in json ? json.access_token : "";
      return { ...credentials, form, token: String(token) };
    };
    const link = (token: string, pairing_code: string) =>
      send(`${base}/v1/stores`, "POST", token, {
        external_store_id: "example-1",
        pairing_code,
        name: "Moda Mutfak",
        address: { text: "Moda Caddesi 1" },
      });
    return { base, client, signIn, link };
  }

  test("the description matches its schema, and names only existing operations", async () => {
    const { base, client } = await driver();
    const { json } = await send(`${base}/control/`, "GET", TOKEN);
    const isDescription = ajv.compile({ $ref: "control#/components/schemas/ControlDescription" });
    expect(isDescription(json), JSON.stringify(isDescription.errors)).toBe(true);
    expect(client).toMatchObject({ service: "example-dispatch", version: "1.0.0", clock: "real" });
    expect(client.offers("issuePairingCode")).toBe(true);
    expect(client.offers("actAsCourier")).toBe(false);
    const known = Object.values(control.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => ("operationId" in operation ? operation.operationId : [])),
    );
    const listed =
      typeof json === "object" && json !== null && "operations" in json ? json.operations : undefined;
    expect(known).toEqual(expect.arrayContaining([listed].flat()));
  });

  test("a new integrator gets a token, and is refused once it is closed", async () => {
    const { base, client, signIn } = await driver();
    const { client_id, form, token } = await signIn("integrator");
    await client.closeIntegrator(client_id);
    expect((await send(`${base}/v1/stores`, "POST", token, {})).status).toBe(401);
    expect(codeOf(await send(`${base}/oauth/token`, "POST", undefined, form))).toBe("invalid_client");
    await expect(client.closeIntegrator("nobody")).rejects.toThrow(/responded to closeIntegrator with 404/);
  });

  test("an issued token is valid until its credential is closed", async () => {
    const { base, client, link } = await driver();
    const { client_id } = await client.createIntegrator("integrator");
    const { access_token } = await client.issueToken(client_id);
    const { pairing_code } = await client.issuePairingCode({});
    expect((await link(access_token, pairing_code)).status).toBe(201);
    await client.closeIntegrator(client_id);
    expect((await send(`${base}/v1/stores`, "POST", access_token, {})).status).toBe(401);
    await expect(client.issueToken(client_id)).rejects.toThrow(/responded to issueToken with 409/);
  });

  test("a credential of another kind is refused with YETKI_YOK", async () => {
    const { signIn, link } = await driver();
    const { token } = await signIn("other");
    expect(codeOf(await link(token, "any"))).toBe("YETKI_YOK");
  });

  test("a pairing code links a restaurant to its company once", async () => {
    const { client, signIn, link } = await driver();
    const { token } = await signIn("integrator");
    const first = await client.issuePairingCode({ courier_company: "Marmara Kurye" });
    const second = await client.issuePairingCode({ courier_company: "Marmara Kurye" });
    expect(second.courier_company).toEqual(first.courier_company);
    expect(second.pairing_code).not.toBe(first.pairing_code);
    expect(await link(token, first.pairing_code)).toMatchObject({
      status: 201,
      json: { courier_company: first.courier_company },
    });
    expect(codeOf(await link(token, first.pairing_code))).toBe("ESLEME_KODU_GECERSIZ");
    const expired = await client.issuePairingCode({ expires_in: 0 });
    expect(codeOf(await link(token, expired.pairing_code))).toBe("ESLEME_KODU_GECERSIZ");
  });

  test("a second integrator can't link the same restaurant", async () => {
    const { client, signIn, link } = await driver();
    const [one, other] = [await signIn("integrator"), await signIn("integrator")];
    const codes = [
      await client.issuePairingCode({ restaurant: "moda" }),
      await client.issuePairingCode({ restaurant: "moda" }),
      await client.issuePairingCode({}),
    ];
    const [mine = "", taken = "", free = ""] = codes.map(({ pairing_code }) => pairing_code);
    expect((await link(one.token, mine)).status).toBe(201);
    expect(codeOf(await link(other.token, taken))).toBe("BASKA_POS");
    expect((await link(other.token, free)).status).toBe(201);
  });

  test.each([
    ["an unknown kind", "/integrators", { kind: "courier" }],
    ["a lifetime that isn't a number", "/pairing-codes", { expires_in: "soon" }],
    ["text that isn't JSON", "/pairing-codes", "{"],
  ])("an invalid body is refused: %s", async (_, path, body) => {
    const { base } = await driver();
    const refused = await send(`${base}/control${path}`, "POST", TOKEN, body);
    expect([refused.status, codeOf(refused)]).toEqual([400, "DOGRULAMA"]);
  });

  test("a wrong or missing token is refused", async () => {
    const { base } = await driver();
    for (const token of ["wrong", "", undefined]) {
      const refused = await send(`${base}/control/integrators`, "POST", token, {});
      expect([refused.status, codeOf(refused)]).toEqual([401, "KIMLIK_YOK"]);
    }
  });

  test("without a token in its environment there is no control interface", async () => {
    const base = await start({});
    for (const token of ["", "None", undefined]) {
      expect((await send(`${base}/control/`, "GET", token)).status).toBe(404);
      expect((await send(`${base}/control/integrators`, "POST", token, {})).status).toBe(404);
    }
  });
});
