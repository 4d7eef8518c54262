import { afterEach, expect, test } from "vitest";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import type { Parts } from "../../../reference-server/parts.ts";
import { triedOf } from "../../../suites/core/mutation/scope.ts";
import { fuzz } from "./fuzzer.ts";
import { startForFuzzing } from "./server.ts";

let server: RunningServer | undefined;
const faults: unknown[] = [];

afterEach(async () => {
  await server?.close();
});

async function findingIn(mutate: (parts: Parts) => Parts, requests = 2000): Promise<string | undefined> {
  faults.length = 0;
  server = await startForFuzzing({ mutate, reportFault: (error) => faults.push(error) });
  return (await fuzz(server, { requests, seed: 1 })).finding;
}

test("2,000 requests of all kinds are answered as the document has it", async () => {
  expect(await findingIn((parts) => parts)).toBeUndefined();
  expect(faults).toEqual([]);
});

/** Faults that lie behind something: an unusual value, a sequence, a status, a header. */
const broken: Record<string, (parts: Parts) => Parts> = {
  "breaks at an unusual value": (parts) => ({
    ...parts,
    phone: {
      international(text) {
        if (text.length > 20) throw new Error("too long");
        return parts.phone.international(text);
      },
    },
  }),
  "breaks at a second cancellation": (parts) => {
    const { SON_DURUM, ...errors } = parts.errors;
    return { ...parts, errors: { ...errors, SON_DURUM: { ...SON_DURUM, status: 410 } } };
  },
  "writes a time in another form": (parts) => ({
    ...parts,
    views: {
      ...parts.views,
      delivery(all, delivery) {
        const view = parts.views.delivery(all, delivery);
        return { ...view, cancelled_at: view.cancelled_at?.replace("Z", "+00:00") ?? null };
      },
    },
  }),
  "leaves headers out where it refuses": (parts) => ({
    ...parts,
    limitHeaders: (standing, status) => (status === 404 ? {} : parts.limitHeaders(standing, status)),
  }),
  "refuses with a code of its own": (parts) => ({
    ...parts,
    views: {
      ...parts.views,
      failure: (failure) =>
        parts.views.failure({ ...failure, code: failure.code.replace("GECERSIZ", "INVALID") }),
    },
  }),
};

test.each(triedOf(Object.keys(broken)))(
  "a server is found out that %s",
  async (what) => {
    expect(await findingIn(broken[what] ?? ((parts) => parts), 20_000)).toMatch(/--seed \d+/);
  },
  180_000,
);
