import { randomBytes } from "node:crypto";
import { matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { pause } from "../core/clock.ts";
import { CLAIMS } from "../core/contract/claims.ts";
import type { Certification } from "../core/grading/certification.ts";
import { certify } from "./certify.ts";
import { checks } from "./checks/index.ts";
import { startIndependentServer } from "./independent-server/server.ts";
import { LOOPBACK_RECEIVER, type TargetSettings } from "./session/settings.ts";
import { variants } from "./variants/index.ts";
import { windowsThatEndAtTheLimit } from "./variants/limits.ts";
import { startRewritingProxy } from "./variants/proxy.ts";

/** A slow variant waits hundreds of milliseconds for each of thousands of answers. */
const TIMEOUT_MS = 300_000;

/** How long a machine stands still for a moment. */
const STILL_MS = 8_000;

/** What the second server leaves unsaid or says otherwise, where the specification only recommends. */
const INDEPENDENT_SERVER_WARNINGS: readonly string[] = [
  "authentication.malformed-token-code",
  "authentication.missing-token-code",
  "creation-bounds.schedule-refusal",
  "delivery-fields.all-there",
  "delivery-fields.dropoff-all-there",
  "idempotency.key-refusal-is-400",
  "paging.last-page-exactly-full",
  "quotes.all-fields",
  "subscriptions.all-fields",
  "tracking.unknown-key",
];

const target = (url: string, controlToken: string): TargetSettings => ({
  url,
  credentials: [],
  pairingCodes: [],
  control: { url: `${url}/control`, token: controlToken },
  receiver: LOOPBACK_RECEIVER,
  point: { lat: 41.0082, lng: 28.9784 },
  answerMs: 30_000,
  patienceMs: 0,
});

/** Ids and messages of the checks that didn't pass, declared warnings aside. */
const unexpected = ({ trouble }: Certification, warnings: readonly string[]) =>
  Object.entries(trouble).filter(([id]) => !warnings.includes(id));

test("an independent server that takes every other legal choice is CONFORMANT", {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await startIndependentServer();
  try {
    const certification = await certify(target(server.url, server.controlToken), checks, {
      jobs: 16,
      claims: ["api", "events"],
    });
    expect(unexpected(certification, INDEPENDENT_SERVER_WARNINGS)).toEqual([]);
    expect(certification.grade.verdict).toBe("CONFORMANT");
  } finally {
    await server.close();
  }
});

test("a window that ends just as its limit was met is no fault: what follows is limited by the next", {
  timeout: TIMEOUT_MS,
}, async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: windowsThatEndAtTheLimit });
  try {
    const limits = checks.filter(({ id }) => ["limits.identity", "limits.other-identity"].includes(id));
    const certification = await certify(target(server.url, controlToken), limits, {});
    expect(certification.trouble).toEqual({});
  } finally {
    await server.close();
  }
});

test("a server that is declared to close no credential, and closes one, fails", async () => {
  const server = await startReferenceServer({ controlToken: randomBytes(24).toString("base64url") });
  try {
    const closing = checks.filter(({ id }) => id.startsWith("authentication."));
    const { grade, declarations } = await certify(target(server.url, server.controlToken ?? ""), closing, {
      without: ["closed-credentials", "other-credentials"],
    });
    expect(grade.verdict).toBe("NONCONFORMANT");
    expect(declarations).toMatchObject([
      {
        name: "closed-credentials",
        disproved_by: [
          { check: "authentication.closed-credential" },
          { check: "authentication.closed-credential-code" },
          { check: "authentication.closed-credential-tokens" },
        ],
      },
      { name: "other-credentials", disproved_by: [{ check: "authentication.other-credential" }] },
    ]);
  } finally {
    await server.close();
  }
});

/** What nobody may do who declares not to, and checks that see it done. */
const DISPROVED = {
  "courier-offers": ["event-kinds.offered", "event-kinds.lapsed-offer", "courier.offered-again"],
  "failed-deliveries": [
    "courier.failed-cancellation",
    "courier.failed-string",
    "event-kinds.failed",
    "tracking.privacy-of-a-failure",
  ],
  "returned-deliveries": ["courier.returned", "event-kinds.way-back", "signatures.of-the-way-back"],
  "courier-positions": ["event-kinds.position", "envelope.position-data", "tracking.position"],
  "price-tables": ["service-area.fee", "quotes.same-fee"],
  credit: ["credit.cancelled", "credit.quoted", "credit.test-delivery"],
  "courier-companies": ["pairing.company-of-the-code"],
} as const satisfies Partial<Record<DeclarationName, readonly string[]>>;

test("a server that is declared not to do what it does fails by each such declaration", {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await startReferenceServer({ controlToken: randomBytes(24).toString("base64url") });
  try {
    const seeing: readonly string[] = Object.values(DISPROVED).flat();
    const { grade, trouble, declarations } = await certify(
      target(server.url, server.controlToken ?? ""),
      checks.filter(({ id }) => seeing.includes(id)),
      {
        jobs: 16,
        without: [
          "courier-offers",
          "failed-deliveries",
          "returned-deliveries",
          "courier-positions",
          "price-tables",
          "credit",
          "courier-companies",
        ],
      },
    );
    expect(trouble).toEqual({});
    expect(grade.verdict).toBe("NONCONFORMANT");
    const disproved = declarations.map(({ name, disproved_by }) => [
      name,
      disproved_by.map(({ check }) => check).toSorted(),
    ]);
    expect(Object.fromEntries(disproved)).toEqual(
      Object.fromEntries(Object.entries(DISPROVED).map(([name, by]) => [name, by.toSorted()])),
    );
  } finally {
    await server.close();
  }
});

const creating = checks.filter(({ id }) => /^(creation|changes)\./.test(id));

test("a service that stands still for longer than an answer is waited for, once, is at no fault", {
  timeout: TIMEOUT_MS,
}, async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  let answers = 0;
  let standsStill: Promise<void> | undefined;
  const proxy = await startRewritingProxy(server.url, async () => {
    answers += 1;
    if (answers === 60) standsStill = pause(STILL_MS);
    await standsStill;
  });
  try {
    const settings = { ...target(proxy.url, controlToken), answerMs: STILL_MS - 2_000 };
    const { trouble, outcomes } = await certify(settings, creating, { jobs: 16 });
    expect(trouble).toEqual({});
    const told = [...outcomes.values()].flatMap(({ account = [] }) => account);
    expect(told).toContainEqual(expect.stringMatching(/^tried again, since no answer came in time at /));
  } finally {
    await proxy.close();
    await server.close();
  }
});

test("one that never answers an operation fails", { timeout: TIMEOUT_MS }, async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  const proxy = await startRewritingProxy(server.url, ({ method }) =>
    method === "PATCH" ? new Promise(() => {}) : undefined,
  );
  try {
    const settings = { ...target(proxy.url, controlToken), answerMs: 2_000 };
    const { grade, trouble } = await certify(settings, creating, { jobs: 16 });
    expect(trouble["changes.notes"]).toMatch(/^failed: no answer to PATCH/);
    expect(grade.verdict).toBe("NONCONFORMANT");
  } finally {
    await proxy.close();
    await server.close();
  }
});

describe("legal servers that aren't like the reference are CONFORMANT", () => {
  for (const [name, variant] of Object.entries(variants)) {
    const { mutate, rewrite, claims = CLAIMS, without = [], warnings = [], leaves = [] } = variant;
    const tried = checks.filter(({ id }) => !leaves.some((pattern) => matchesGlob(id, pattern)));
    // One after the other: side by side in one process they would wait for each other's seconds, which checks measure.
    test(name, { timeout: TIMEOUT_MS }, async () => {
      const controlToken = randomBytes(24).toString("base64url");
      const server = await startReferenceServer({ controlToken, ...(mutate && { mutate }) });
      const proxy = await startRewritingProxy(server.url, rewrite ?? (() => {}));
      try {
        const certification = await certify(target(proxy.url, controlToken), tried, {
          jobs: 32,
          claims,
          without,
        });
        expect(unexpected(certification, warnings)).toEqual([]);
        expect(Object.keys(certification.trouble).toSorted(), "the warnings").toEqual(warnings.toSorted());
        expect(certification.grade.verdict).toBe("CONFORMANT");
      } finally {
        await proxy.close();
        await server.close();
      }
    });
  }
});
