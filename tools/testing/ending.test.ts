import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { mutantOf } from "../../suites/server/mutants/index.ts";
import type { Mutate } from "../../suites/server/mutants/mutant.ts";
import { DEFAULT_POINT } from "../../suites/server/session/sample-data/settings.ts";
import { Session } from "../../suites/server/session/session.ts";
import { newOrder } from "../../suites/server/support/orders/orders.ts";
import { target } from "../../suites/server/variants/legal-servers.ts";
import type { Report } from "../report/model.ts";
import { runCli } from "./processes/cli-process.ts";
import { type FailingProxy, type FailingProxyOptions, startFailingProxy } from "./processes/failing-proxy.ts";
import { openLine } from "./processes/line.ts";

const TOKEN = "control-token-of-the-test";
/** The most requests after the target has stopped responding: those in progress, and polls for its restart. */
const MAX_LATER_REQUESTS = 200;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function aServer(mutate?: Mutate) {
  const server = await startReferenceServer({ controlToken: TOKEN, ...(mutate && { mutate }) });
  open.push(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

interface CertifiedRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly report: Report;
}

/**
 * Certifies a server by the command line.
 * @param interruptAt ends the run like Ctrl-C when the output matches this expression
 */
async function certify(url: string, args: readonly string[], interruptAt?: RegExp): Promise<CertifiedRun> {
  const folder = mkdtempSync(join(tmpdir(), "ending-"));
  let interrupted = false;
  const { code, stdout } = await runCli(
    ["conform", "--url", url, "--control-url", `${url}/control`, "--report", folder, ...args],
    {
      cwd: folder,
      env: { CONFORM_CONTROL_TOKEN: TOKEN },
      onOutput: (said, child) => {
        if (interrupted || !interruptAt?.test(said)) return;
        interrupted = true;
        child.kill("SIGINT");
      },
    },
  );
  return { code, stdout, report: JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) };
}

const count = (report: Report, status: string) =>
  report.checks.filter((check) => check.status === status).length;

test("requests that were repeated after a lost connection are reported, for the whole run", async () => {
  const { port } = await aServer();
  const line = await openLine({ port, resets: 0.5 });
  open.push(() => line.close());
  const { stdout, report } = await certify(line.url, ["--claims", "api", "--only", "delivery-fields.*"]);
  const counts = (report.repeated_requests ?? []).map(({ count }) => count);
  const all = counts.reduce((sum, one) => sum + one, 0);
  expect(line.resets()).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(0);
  expect(stdout).toMatch(new RegExp(`^${all} requests? lost (its|their) connection before a response`, "m"));
});

describe("a target that is gone in the middle of a run", () => {
  const REQUESTS = 500;
  async function throughFailingProxy(
    port: number,
    then: FailingProxyOptions["then"],
    ...args: readonly string[]
  ) {
    const proxy: FailingProxy = await startFailingProxy({ port, requests: REQUESTS, then });
    open.push(() => proxy.close());
    return { proxy, ...(await certify(proxy.url, ["--claims", "api", ...args])) };
  }

  test("a target that was killed: INCOMPLETE, with the results until then, and no failures because of missing responses", async () => {
    const { port } = await aServer();
    const { code, stdout, report } = await throughFailingProxy(port, "dies");
    expect(report.checks.filter(({ status }) => status === "failed" || status === "errored")).toEqual([]);
    expect(code).toBe(2);
    expect(report).toMatchObject({ verdict: "INCOMPLETE", run: { complete: false } });
    expect(count(report, "passed")).toBeGreaterThan(0);
    expect(count(report, "not_verified")).toBeGreaterThan(0);
    expect(stdout).toMatch(/^Cut short: the target stopped responding/m);
    expect(report.left_behind).toContainEqual(
      expect.objectContaining({ kind: "delivery", why: expect.stringMatching(/stopped responding/) }),
    );
  });

  test("a target that hangs: INCOMPLETE, with few further requests", async () => {
    const { port } = await aServer();
    const { code, report, proxy } = await throughFailingProxy(port, "hangs", "--timeout", "4s");
    expect(report.checks.filter(({ status }) => status === "failed" || status === "errored")).toEqual([]);
    expect(code).toBe(2);
    expect(report).toMatchObject({ verdict: "INCOMPLETE", run: { complete: false } });
    expect(proxy.unanswered()).toBeLessThan(MAX_LATER_REQUESTS);
  });

  test.each([500, 0])("a target that is back after %i ms without its data: INCOMPLETE", async (afterMs) => {
    const { port } = await aServer();
    const other = await aServer();
    const then = { comesBackAt: other.port, afterMs };
    const { code, stdout, report } = await throughFailingProxy(port, then);
    expect(code, stdout).toBe(2);
    expect(report).toMatchObject({ verdict: "INCOMPLETE", run: { complete: false } });
    expect(stdout).toMatch(/^Cut short: the target .* without its data/m);
    expect(report.gone).toContainEqual({ kind: "delivery", count: expect.any(Number) });
    expect(report.left_behind).toEqual([]);
    expect(stdout).toMatch(/^Lost when the target restarted: .*\d deliver/m);
    expect(stdout).not.toContain("Left on the target");
  });

  test("earlier failures are kept", async () => {
    const { port } = await aServer(mutantOf("refusals-as-text").mutate);
    const { code, stdout, report } = await throughFailingProxy(port, "dies");
    expect(report.checks).toContainEqual(
      expect.objectContaining({ id: "passive.bodies-are-json", status: "failed" }),
    );
    expect(code).toBe(1);
    expect(report).toMatchObject({ verdict: "NONCONFORMANT", run: { complete: false } });
    expect(stdout).toMatch(/^Cut short: /m);
  });
});

describe("what a run leaves", () => {
  async function aSession() {
    const server = await aServer();
    const session = await Session.open(target(server.url, TOKEN));
    open.push(() => session.close());
    const [grant] = await session.identities.acquire(1, { alone: false });
    if (!grant?.identity || !session.control) throw new Error("no identity");
    const { identity } = grant;
    const api = identity.api(() => {});
    const { external_store_id: externalStoreId } = await session.stores.of(identity);
    const anotherDelivery = async () =>
      (
        await api.createDelivery(newOrder({ externalStoreId, paymentType: "NAKIT", point: DEFAULT_POINT }))
      ).body(201).id;
    const webhook = { url: "https://example.com/hooks" };
    const { id: webhookId } = (await api.call("createWebhook", { body: webhook })).body(201);
    return { session, control: session.control, identity, api, anotherDelivery, webhookId };
  }

  test("open deliveries are cancelled and webhooks deleted; other objects are reported with the reason", async () => {
    const { session, control, api, anotherDelivery } = await aSession();
    const waiting = await anotherDelivery();
    const withCourier = await anotherDelivery();
    (await api.cancelDelivery(await anotherDelivery())).expectSuccess();
    for (const action of ["offered", "assigned", "at_pickup", "picked_up"] as const) {
      await control.actAsCourier(withCourier, { action });
    }
    const { cleaned_up, left_behind } = await session.cleanUp();
    expect(cleaned_up).toEqual({ deliveries: 1, webhooks: 1 });
    expect(left_behind).toMatchObject([
      { kind: "delivery", count: 1, ids: [withCourier], why: "the courier has the package (KURYE_ALDI)" },
      { kind: "store", count: 1, why: "the API deletes no stores" },
      { kind: "integrator", count: 1 },
    ]);
    expect((await api.getDelivery(waiting)).body(200).cancelled_at).toEqual(expect.any(String));
    expect((await api.call("listWebhooks")).json).toMatchObject({ items: [] });
  });

  test("a closed credential prevents the cleanup, and everything is reported", async () => {
    const closed = await aSession();
    await closed.anotherDelivery();
    await closed.control.closeIntegrator(closed.identity.credentials.client_id);
    const { cleaned_up, left_behind } = await closed.session.cleanUp();
    expect(cleaned_up).toEqual({ deliveries: 0, webhooks: 0 });
    const refused = expect.stringMatching(
      /^the control interface responded to issueToken with 409: [^{}]+ \(KIMLIK_KAPALI\)$/,
    );
    expect(left_behind.map(({ kind, why }) => [kind, why])).toEqual([
      ["webhook", refused],
      ["delivery", refused],
      ["store", "the API deletes no stores"],
    ]);
  });

  test("an interrupted run cleans up too", async () => {
    const { url } = await aServer();
    const { code, stdout, report } = await certify(url, [], /^\d+\/\d+ checks/m);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Cleaned up: [1-9]\d* (delivery|deliveries) cancelled/m);
    expect(stdout).toContain("Interrupted");
    expect(report.left_behind).toContainEqual(expect.objectContaining({ kind: "store" }));
  });
});

/** Refuses each cancellation with a 429. */
const cancelsNothing = (deps: Dependencies): Dependencies => ({
  ...deps,
  bucketOf: (counted) => {
    const bucket = deps.bucketOf(counted);
    return counted.operationId === "cancelDelivery" ? { ...bucket, subject: "cancellations" } : bucket;
  },
  limiter: {
    ...deps.limiter,
    count: async (key) => (key.includes("cancellations") ? 100_000 : deps.limiter.count(key)),
  },
});

test("a second Ctrl-C ends a cleanup that waits for rate limits", async () => {
  const server = await aServer(cancelsNothing);
  const laboratory = await Session.open(target(server.url, TOKEN));
  open.push(() => laboratory.close());
  const { control } = laboratory;
  if (!control) throw new Error("no control interface");
  const cwd = mkdtempSync(join(tmpdir(), "ending-"));
  const settings = {
    url: server.url,
    credentials: [await control.createIntegrator("integrator")],
    pairing_codes: [(await control.issuePairingCode({})).pairing_code],
    claims: ["api"],
  };
  // JSON is YAML.
  writeFileSync(join(cwd, "conform.yaml"), JSON.stringify(settings));
  let isEnded = false;
  const args = ["conform", "--config", "conform.yaml", "--only", "delivery-fields.notes"];
  const { stdout } = await runCli([...args, "--report", "report"], {
    cwd,
    onOutput: (said, child) => {
      if (isEnded || !/cleaning up: waiting \d+ s for the target's limit/.test(said)) return;
      isEnded = true;
      child.kill("SIGINT");
    },
  });
  expect(isEnded, stdout).toBe(true);
  const report: Report = JSON.parse(readFileSync(join(cwd, "report/report.json"), "utf8"));
  expect(report.left_behind, stdout).toContainEqual(
    expect.objectContaining({ kind: "delivery", why: "cleaning up was interrupted" }),
  );
  expect(stdout).toContain("Interrupted");
});

describe("a target that a request crashes, and that is restarted", () => {
  /** Crashes the server at the last request of `errors.not-json`: JSON in single quotes. */
  const ENDS_IT = /\r\n\r\n\{'/;

  async function certifySupervised(
    comesBackAt: number,
    port: number,
    { requests = ENDS_IT, answers = false, only = "errors.*,delivery-fields.*" } = {},
  ) {
    // The outage must last until the suite, on a busy machine, notices it.
    const then = { comesBackAt, afterMs: 2_000 };
    const proxy = await startFailingProxy({ port, requests, answers, then });
    open.push(() => proxy.close());
    return {
      proxy,
      ...(await certify(proxy.url, ["--claims", "api", "--only", only])),
    };
  }
  const notJson = ({ checks }: Report) => checks.find(({ id }) => id === "errors.not-json");

  test("only its check fails, and shows the request", async () => {
    const { port } = await aServer();
    const { proxy, report, stdout } = await certifySupervised(port, port);
    expect(notJson(report)).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /^expected a response to POST \S+, got nothing: the target stopped responding$/,
      ),
      confirmation: expect.stringMatching(/^the target stopped responding at \w+ in each of 3 runs$/),
      curl: expect.stringContaining("--data-raw"),
    });
    const blamed = report.checks.filter(
      ({ status, message = "" }) =>
        status === "failed" || status === "errored" || /stopped responding|lost/.test(message),
    );
    expect(blamed.map(({ id }) => id)).toEqual(["errors.not-json"]);
    expect(proxy.downs()).toBe(3);
    expect(stdout).not.toMatch(/^Cut short/m);
  });

  test("a target that lost its data gets no more requests, and the request still fails", async () => {
    const { port } = await aServer();
    const other = await aServer();
    const { report, stdout } = await certifySupervised(other.port, port);
    expect(notJson(report)?.status).toBe("failed");
    expect(report.checks.filter(({ status }) => status === "failed")).toHaveLength(1);
    expect(stdout).toMatch(/^Cut short: .* without its data/m);
    expect(notJson(report)?.curl).toContain("--data-raw");
    expect(stdout).toMatch(/^Sent right before the target stopped responding:\n {2}curl -i -X /m);
  });

  test.each([
    ["in the middle of its check", ENDS_IT, "errors.not-json", "errors.*,delivery-fields.*"],
    ["at the end of the last check", /\{"reason":"(?!yok)/, "errors.absent-records", "errors.absent-records"],
  ])(
    "after its response, %s: only this check fails, and shows the request",
    async (_, requests, id, only) => {
      const { port } = await aServer();
      const { proxy, report, stdout } = await certifySupervised(port, port, {
        requests,
        answers: true,
        only,
      });
      expect(report.checks.find((check) => check.id === id)).toMatchObject({
        status: "failed",
        message: expect.stringMatching(/^the target responded to POST \S+ with \d{3} and stopped/),
        confirmation: expect.stringMatching(/^the target stopped responding at \w+ in each of 3 runs$/),
        curl: expect.stringContaining("--data-raw"),
      });
      const blamed = report.checks.filter(({ status }) => status === "failed" || status === "errored");
      expect(
        blamed.map((check) => check.id),
        blamed.map(({ message }) => message).join("\n"),
      ).toEqual([id]);
      // More than one if other crashing requests were pending when it stopped.
      expect(proxy.downs()).toBeGreaterThanOrEqual(3);
      const wentDown = /^the target stopped responding.*, after it had responded to .* s later$/m;
      expect(stdout).toMatch(wentDown);
      expect(report.outages).toEqual(expect.arrayContaining([expect.stringMatching(wentDown)]));
      expect(stdout).not.toMatch(/^Cut short/m);
    },
  );
});
