import { describe, expect, test } from "vitest";
import { formatInstant } from "../../../reference-server/domain/instants.ts";
import { DomainError } from "../../../reference-server/errors.ts";
import type { Capability } from "../capabilities.ts";
import { isActive, isPassive } from "../check.ts";
import { checks } from "../checks/index.ts";
import type { Mutate } from "../mutants/mutant.ts";
import { compose } from "../mutants/operators/compose.ts";
import { replaceOperation, respondWith } from "../mutants/operators/operations.ts";
import { control, outcomesOn } from "../testing/outcomes-on.ts";

/** A target on which something never occurs, although it reports to the client that it has. */
interface Absence {
  readonly what: string;
  /** The checks that are about it: those that need this. */
  readonly need: Capability;
  readonly mutate: Mutate;
  /** Checks that need it as a means alone: their own subject still occurs. */
  readonly besides?: readonly string[];
}

const absences: readonly Absence[] = [
  {
    what: "no event of a delivery is sent",
    need: "receiver",
    mutate: (deps) => ({ ...deps, emit: async () => {} }),
    // Their subject is webhook.test, which is sent.
    besides: [
      "emission.test-event",
      "envelope.test-has-no-data",
      "subscriptions.query-of-the-url",
      "subscriptions.test-event",
      "subscriptions.test-event-to-no-other",
      "subscriptions.test-event-within-seconds",
    ],
  },
  {
    what: "no courier makes a move",
    need: "courier",
    mutate: control(() => ({ actAsCourier: async () => ({ status: 204 }) })),
  },
  {
    what: "no move of a courier is allowed",
    need: "courier",
    mutate: control(() => ({
      async actAsCourier() {
        throw new DomainError("SON_DURUM");
      },
    })),
  },
  {
    what: "no credit is consumed",
    need: "credit",
    mutate: control(() => ({ readCredit: async () => respondWith(200, { consumed: 0 }) })),
  },
  {
    what: "no credential is closed",
    need: "close",
    mutate: control(() => ({ closeIntegrator: async () => ({ status: 204 }) })),
  },
  {
    what: "no credential is of another kind",
    need: "other-credential",
    mutate: control(({ createIntegrator }) => ({
      createIntegrator: (call) => createIntegrator({ ...call, body: { kind: "integrator" } }),
    })),
  },
  {
    what: "no photo is listed",
    need: "proofs",
    mutate: replaceOperation("listProofs", async () => respondWith(200, { items: [] })),
  },
  {
    what: "no time passes",
    need: "clock",
    mutate: (deps) => {
      const passed = new Map<string, number>();
      return control(() => ({
        async advanceClock({ path, body }) {
          const ms = (passed.get(path.client_id) ?? 0) + body.seconds * 1000;
          passed.set(path.client_id, ms);
          return respondWith(200, { now: formatInstant(deps.clock.now() + ms) });
        },
      }))(deps);
    },
  },
  {
    what: "no store is set otherwise",
    need: "store-settings",
    mutate: compose(
      control(() => ({ configureStore: async () => ({ status: 204 }) })),
      // No price or courier exists by default, and the area covers the earth.
      (deps) => ({
        ...deps,
        storeDefaults: { radius_m: 20_100_000, max_road_km: 99_999, couriers_on_shift: 0, price: null },
      }),
    ),
    // Their subject exists by itself: an area, a store without a price, a place that is none, a store that moves,
    // another store, a road.
    besides: [
      "areas.every-store",
      "service-area.no-fee",
      "service-area.road-of-a-new-address",
      "quotes.reasons",
      "quotes.after-a-move",
      "quotes.of-two-stores",
    ],
  },
  {
    what: "no pairing code links a store",
    need: "pairing",
    mutate: replaceOperation("registerStore", async () => {
      throw new DomainError("ESLEME_KODU_GECERSIZ");
    }),
  },
  {
    what: "no code is of a company, a restaurant or a time of its own",
    need: "company-codes",
    mutate: control(({ issuePairingCode }) => ({
      issuePairingCode: (call) => issuePairingCode({ ...call, body: {} }),
    })),
    // Any code satisfies these checks.
    besides: ["service-area.fee-is-the-price", "stores.encoded-identifier", "stores.slash-in-an-identifier"],
  },
  {
    what: "no integrator is another one",
    need: "second-integrator",
    mutate: control(({ createIntegrator }) => {
      let first: ReturnType<typeof createIntegrator> | undefined;
      return {
        createIntegrator(call) {
          first ??= createIntegrator(call);
          return first;
        },
      };
    }),
  },
];

describe("what needs something that never occurs isn't passed", () => {
  for (const { what, need, mutate, besides = [] } of absences) {
    test(what, async () => {
      const concerned = checks.filter((check) => isActive(check) && check.needs.some((one) => one === need));
      expect(concerned.length).toBeGreaterThan(0);
      const outcomes = await outcomesOn(mutate, concerned);
      const passed = [...outcomes].filter(([, { status }]) => status === "passed").map(([id]) => id);
      expect(passed.filter((id) => !besides.includes(id))).toEqual([]);
    });
  }
});

/** Leaves lists empty that a service may leave empty, so that checks of their records see none. */
const emptyLists: Mutate = compose(
  replaceOperation("listDeliveryAreas", async () => respondWith(200, { items: [] })),
  replaceOperation("listProofs", async () => respondWith(200, { items: [] })),
);
const AREA_CLAUSES = ["AREA-1", "AREA-2", "AREA-3", "AREA-4", "AREA-5", "AREA-8"];

test("what looks at records of a list isn't passed where the list is empty", async () => {
  const concerned = checks.filter(
    ({ id, clauses }) => id === "passive.proof-schema" || clauses.every((one) => AREA_CLAUSES.includes(one)),
  );
  expect(concerned.filter(isPassive)).toHaveLength(2);
  const outcomes = await outcomesOn(emptyLists, concerned);
  expect([...outcomes].map(([id, { status }]) => [id, status])).toEqual(
    [...outcomes].map(([id]) => [id, "not_verified"]),
  );
});
