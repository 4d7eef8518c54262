import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { pause } from "../core/clock.ts";
import { certify } from "./certify.ts";
import { checks } from "./checks/index.ts";
import { certifyIndependentServer } from "./testing/independent-server.ts";
import { target, unexpectedTrouble } from "./variants/legal-servers.ts";
import { windowsThatEndAtTheLimit } from "./variants/limits.ts";
import { startRewritingProxy } from "./variants/proxy.ts";

/** The duration of a stall. */
const STALL_MS = 8_000;
/** A balancer answers one in this many requests. */
const BALANCER_ONE_OF = 40;

/** Checks of SHOULD clauses that fail on the independent server. */
const INDEPENDENT_SERVER_WARNINGS: readonly string[] = [
  "authentication.malformed-token-code",
  "authentication.missing-token-code",
  "creation-bounds.schedule-refusal",
  "delivery-fields.complete",
  "delivery-fields.dropoff-complete",
  "idempotency.key-refusal-is-400",
  "paging.last-page-exactly-full",
  "quotes.all-fields",
  "subscriptions.all-fields",
  "tracking.unknown-key",
];

test("an independent server with other legal choices is CONFORMANT", async () => {
  const certification = await certifyIndependentServer();
  expect(unexpectedTrouble(certification, INDEPENDENT_SERVER_WARNINGS)).toEqual([]);
  expect(certification.grade.verdict).toBe("CONFORMANT");
});

test("a window that ends when its limit is reached is no fault", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: windowsThatEndAtTheLimit });
  try {
    const limits = checks.filter(({ id }) => ["limits.integrator", "limits.other-integrator"].includes(id));
    const certification = await certify(target(server.url, controlToken), limits, {});
    expect(certification.trouble).toEqual({});
  } finally {
    await server.close();
  }
});

test("occasional 502 responses of a balancer fail no check of limits", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  let answers = 0;
  const proxy = await startRewritingProxy(server.url, (response) => {
    answers += 1;
    if (answers % BALANCER_ONE_OF !== 0) return;
    response.status = 502;
    response.headers = { "content-type": "text/html" };
    response.json = undefined;
    response.bytes = Buffer.from("<h1>502 Bad Gateway</h1>");
  });
  try {
    const limits = checks.filter(({ id }) => id.startsWith("limits.") || id === "tracking.limit");
    const certification = await certify(target(proxy.url, controlToken), limits, {});
    expect(certification.trouble).toEqual({});
  } finally {
    await proxy.close();
    await server.close();
  }
});

test("a server that closes credentials despite its declaration fails", async () => {
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
        ],
      },
      { name: "other-credentials", disproved_by: [{ check: "authentication.other-credential" }] },
    ]);
  } finally {
    await server.close();
  }
});

/** Declarations that the reference server disproves, and the checks that show it. */
const DISPROVED = {
  "courier-offers": ["event-kinds.offered", "event-kinds.lapsed-offer", "courier.offered-again"],
  "failed-deliveries": [
    "courier.failed-cancellation",
    "courier.failed-string",
    "event-kinds.failed",
    "tracking.privacy-of-a-failure",
  ],
  "returned-deliveries": ["courier.returned", "event-kinds.return", "signatures.of-returns"],
  "courier-positions": ["event-kinds.position", "envelope.position-data", "tracking.position"],
  "price-tables": ["service-area.fee", "quotes.same-fee"],
  credit: ["credit.cancelled", "credit.quoted", "credit.test-delivery"],
  "courier-companies": ["pairing.company-of-the-code"],
} as const satisfies Partial<Record<DeclarationName, readonly string[]>>;

test("each disproved declaration fails the server", async () => {
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

test("a service that stalls once for longer than the response timeout passes", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  let answers = 0;
  let standsStill: Promise<void> | undefined;
  const proxy = await startRewritingProxy(server.url, async () => {
    answers += 1;
    if (answers === 60) standsStill = pause(STALL_MS);
    await standsStill;
  });
  try {
    const settings = { ...target(proxy.url, controlToken), answerMs: STALL_MS - 2_000 };
    const { trouble, outcomes } = await certify(settings, creating, { jobs: 16 });
    expect(trouble).toEqual({});
    const confirmations = [...outcomes.values()].flatMap(({ confirmation = [] }) => confirmation);
    expect(confirmations).toContainEqual(
      expect.stringMatching(/^ran again, since \w+ didn't respond in time/),
    );
  } finally {
    await proxy.close();
    await server.close();
  }
});

test("a service that never responds to an operation fails", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  const proxy = await startRewritingProxy(server.url, ({ method }) =>
    method === "PATCH" ? new Promise(() => {}) : undefined,
  );
  try {
    const settings = { ...target(proxy.url, controlToken), answerMs: 2_000 };
    const { grade, trouble } = await certify(settings, creating, { jobs: 16 });
    expect(trouble["changes.notes"]).toMatch(/^failed: expected a response to PATCH/);
    expect(grade.verdict).toBe("NONCONFORMANT");
  } finally {
    await proxy.close();
    await server.close();
  }
});
