import { afterEach, expect, test } from "vitest";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import { triedOf } from "../../../suites/core/mutation/scope.ts";
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

test("2,000 requests of all kinds are answered as the document has it", async () => {
  expect(await findingIn((deps) => deps)).toBeUndefined();
  expect(faults).toEqual([]);
});

/** Faults that lie behind something: an unusual value, a sequence, a status, a header. */
const broken: Record<string, (deps: Dependencies) => Dependencies> = {
  "breaks at an unusual value": (deps) => ({
    ...deps,
    phone: {
      international(text) {
        if (text.length > 20) throw new Error("too long");
        return deps.phone.international(text);
      },
    },
  }),
  "breaks at a second cancellation": (deps) => {
    const { SON_DURUM, ...errors } = deps.errors;
    return { ...deps, errors: { ...errors, SON_DURUM: { ...SON_DURUM, status: 410 } } };
  },
  "writes a time in another form": (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      delivery(all, delivery) {
        const view = deps.views.delivery(all, delivery);
        return { ...view, cancelled_at: view.cancelled_at?.replace("Z", "+00:00") ?? null };
      },
    },
  }),
  "leaves headers out where it refuses": (deps) => ({
    ...deps,
    limitHeaders: (standing, status) => (status === 404 ? {} : deps.limitHeaders(standing, status)),
  }),
  "refuses with a code of its own": (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      failure: (failure) =>
        deps.views.failure({ ...failure, code: failure.code.replace("GECERSIZ", "INVALID") }),
    },
  }),
};

test.each(triedOf(Object.keys(broken)))(
  "a server is found out that %s",
  async (what) => {
    expect(await findingIn(broken[what] ?? ((deps) => deps), 20_000)).toMatch(/--seed \d+/);
  },
  180_000,
);
