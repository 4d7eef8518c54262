import { afterEach, expect, test } from "vitest";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import { itemsToTry } from "../../../suites/core/mutation/scope.ts";
import { fuzz } from "./fuzzer.ts";
import { startForFuzzing } from "./server.ts";

let server: RunningServer | undefined;
const faults: unknown[] = [];

afterEach(async () => {
  await server?.close();
});

async function findingIn(
  mutate: (deps: Dependencies) => Dependencies,
  requests = 2000,
): Promise<string | undefined> {
  faults.length = 0;
  server = await startForFuzzing({ mutate, reportFault: (error) => faults.push(error) });
  return (await fuzz(server, { requests, seed: 1 })).finding;
}

test("2,000 random requests get responses that fit the document", async () => {
  expect(await findingIn((deps) => deps)).toBeUndefined();
  expect(faults).toEqual([]);
});

/** Faults that need an unusual value, a sequence, a status or a header to occur. */
const broken: Record<string, (deps: Dependencies) => Dependencies> = {
  "returns a 500 for an unusual value": (deps) => ({
    ...deps,
    phone: {
      international(text) {
        if (text.length > 20) throw new Error("too long");
        return deps.phone.international(text);
      },
    },
  }),
  "returns a 500 for a second cancellation": (deps) => {
    const { SON_DURUM, ...errors } = deps.errors;
    return { ...deps, errors: { ...errors, SON_DURUM: { ...SON_DURUM, status: 410 } } };
  },
  "returns a time in another format": (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      delivery(all, delivery) {
        const view = deps.views.delivery(all, delivery);
        return { ...view, cancelled_at: view.cancelled_at?.replace("Z", "+00:00") ?? null };
      },
    },
  }),
  "omits headers in error responses": (deps) => ({
    ...deps,
    limitHeaders: (standing, status) => (status === 404 ? {} : deps.limitHeaders(standing, status)),
  }),
  "returns an unknown error code": (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      failure: (failure) =>
        deps.views.failure({ ...failure, code: failure.code.replace("GECERSIZ", "INVALID") }),
    },
  }),
};

test.each(itemsToTry(Object.keys(broken)))(
  "the fuzzer detects a server that %s",
  async (what) => {
    expect(await findingIn(broken[what] ?? ((deps) => deps), 20_000)).toMatch(/--seed \d+/);
  },
  180_000,
);
