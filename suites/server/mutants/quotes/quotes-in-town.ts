import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Store } from "../../../../reference-server/domain/model.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { alterDelivery, withBodyMembers } from "../operators/answers.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";
import { measureFromFirstLocations, treatAsActive } from "../operators/stores.ts";
import { alterQuote, type Quote } from "./quotes.ts";

/** A server that computes quotes with other dependencies. */
const quoteWithDependencies = (change: (deps: Dependencies) => Dependencies) =>
  replaceOperation("createQuote", (call, original) => original({ ...call, deps: change(call.deps) }));

/** Quotes for each store of an integrator measure from the store for which it asked first. */
function measureFromTheFirstStore(): (deps: Dependencies) => Dependencies {
  const firstStores = new Map<string, Pick<Store, "id" | "lat" | "lng">>();
  return (deps) => ({
    ...deps,
    serviceArea: {
      ...deps.serviceArea,
      assess(running, store, to) {
        const known = firstStores.get(store.integrator_id);
        const first = known === undefined || known.id === store.id ? store : known;
        firstStores.set(store.integrator_id, first);
        return deps.serviceArea.assess(running, { ...store, lat: first.lat, lng: first.lng }, to);
      },
    },
  });
}

/** A server that remembers these members of a serviceable quote by the drop-off, whatever the store. */
function rememberByPlace(...members: readonly ("distance_m" | "fee")[]) {
  return (deps: Dependencies): Dependencies => {
    const firstQuotes = new Map<string, Quote>();
    return alterQuote((quote, { dropoff: { lat, lng } }) => {
      const place = `${lat} ${lng}`;
      const remembered = firstQuotes.get(place) ?? quote;
      if (quote.serviceable) firstQuotes.set(place, remembered);
      return { ...quote, ...Object.fromEntries(members.map((member) => [member, remembered[member]])) };
    })(deps);
  };
}

/** Faults of the area, the fee and the couriers of a quote. */
export const quotesInTownMutants: Mutants = {
  "far-quote-is-serviceable": {
    fault: "a quote with the reason HIZMET_DISI is serviceable",
    breaks: [{ clause: "QUOTE-5" }],
    caughtBy: ["quotes.far"],
    mutate: alterQuote((quote) => (quote.reason === "HIZMET_DISI" ? { ...quote, serviceable: true } : quote)),
  },
  "far-quote-for-later-is-serviceable": {
    fault: "a scheduled quote outside the area is serviceable",
    breaks: [{ clause: "QUOTE-5", case: "scheduled for tomorrow" }],
    caughtBy: ["quotes.far"],
    mutate: alterQuote((quote, asked) =>
      quote.reason === "HIZMET_DISI" && asked.scheduled_for !== undefined
        ? { ...quote, serviceable: true, reason: null }
        : quote,
    ),
  },
  "far-quote-with-ready-at-is-serviceable": {
    fault: "a quote with ready_at outside the area is serviceable",
    breaks: [{ clause: "QUOTE-5", case: "ready in an hour" }],
    caughtBy: ["quotes.far"],
    mutate: alterQuote((quote, asked) =>
      quote.reason === "HIZMET_DISI" && asked.ready_at !== undefined
        ? { ...quote, serviceable: true, reason: null }
        : quote,
    ),
  },
  "quote-for-a-suspended-store": {
    fault: "a quote for a suspended store is serviceable",
    breaks: [{ clause: "QUOTE-6" }],
    mutate: replaceOperation("createQuote", (call, original) => {
      const { records } = call.deps;
      const stores: typeof records.stores = {
        ...records.stores,
        async find(db, integratorId, externalStoreId) {
          const store = await records.stores.find(db, integratorId, externalStoreId);
          return store && { ...store, status: "ACTIVE" };
        },
      };
      return original({ ...call, deps: { ...call.deps, records: { ...records, stores } } });
    }),
  },
  "quote-for-later-at-a-suspended-store": {
    fault: "a quote with scheduled_for is serviceable although the store is suspended",
    breaks: [{ clause: "QUOTE-6", case: "suspended" }],
    mutate: replaceOperation("createQuote", (call, original) =>
      original(call.body.scheduled_for ? { ...call, deps: treatAsActive("SUSPENDED")(call.deps) } : call),
    ),
  },
  "quote-for-a-closed-store": {
    fault: "a quote for a closed store is serviceable",
    breaks: [{ clause: "QUOTE-6", case: "closed" }],
    mutate: replaceOperation("createQuote", (call, original) =>
      original({ ...call, deps: treatAsActive("CLOSED")(call.deps) }),
    ),
  },
  "suspension-affects-quotes-of-all-stores": {
    fault: "while one store of an integrator is suspended, quotes for its other stores have MAGAZA_PASIF",
    breaks: [{ clause: "QUOTE-32", case: "suspended" }],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const { database, records } = call.deps;
      const stores = await records.stores.list(database, call.integrator.id);
      if (!stores.some(({ status }) => status === "SUSPENDED")) return original(call);
      return respondWith(200, {
        ...(await original(call)).body,
        serviceable: false,
        reason: "MAGAZA_PASIF" as const,
      });
    }),
  },
  "suspended-store-out-of-area": {
    fault: "a quote for a suspended store has the reason HIZMET_DISI",
    breaks: [{ clause: "QUOTE-6" }],
    mutate: alterQuote((quote) =>
      quote.reason === "MAGAZA_PASIF" ? { ...quote, reason: "HIZMET_DISI" } : quote,
    ),
  },
  "scheduled-delivery-has-no-fee": {
    fault: "a scheduled delivery has no fee",
    breaks: [{ clause: "QUOTE-13" }],
    caughtBy: ["quotes.same-fee"],
    mutate: alterDelivery(({ scheduled_for }) => (scheduled_for === null ? {} : { fee: null })),
  },
  "quote-fee-missing-when-scheduled": {
    fault: "a quote for a scheduled order has no fee",
    breaks: [{ clause: "QUOTE-13" }],
    caughtBy: ["quotes.same-fee"],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const reply = await original(call);
      return call.body.scheduled_for ? withBodyMembers(reply, { fee: null }) : reply;
    }),
  },
  "quote-fee-missing-when-ready-later": {
    fault: "a quote with ready_at has no fee",
    breaks: [{ clause: "QUOTE-13", case: "ready in an hour" }],
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const reply = await original(call);
      return call.body.ready_at ? withBodyMembers(reply, { fee: null }) : reply;
    }),
  },
  "quote-invents-a-reason": {
    fault: "a quote outside the area has an unknown reason",
    breaks: [{ clause: "QUOTE-4", case: "41.20604172661871,28.9784" }],
    mutate: alterQuote((quote) =>
      quote.reason === "HIZMET_DISI" ? { ...quote, reason: "COK_UZAK" } : quote,
    ),
  },
  "quote-fee-always-in-liras": {
    fault: "a quote's fee is always in liras, unlike a delivery's",
    breaks: [{ clause: "QUOTE-13" }],
    caughtBy: ["quotes.same-fee-in-euros"],
    mutate: alterQuote((quote) => ({
      ...quote,
      fee: quote.fee == null ? null : { ...quote.fee, currency: "TRY" },
    })),
  },
  "quote-at-the-restaurant-has-no-fee": {
    fault: "a quote has no fee if its distance is 0",
    breaks: [{ clause: "QUOTE-13", case: "at the restaurant itself" }],
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: alterQuote((quote) => (quote.distance_m === 0 ? { ...quote, fee: null } : quote)),
  },
  "quote-fee-in-whole-liras": {
    fault: "a quote's fee is rounded to whole liras, unlike a delivery's",
    breaks: [{ clause: "QUOTE-13" }],
    caughtBy: ["quotes.same-fee"],
    mutate: alterQuote((quote) => ({
      ...quote,
      fee: quote.fee == null ? null : { ...quote.fee, amount: Math.round(Number(quote.fee.amount)) },
    })),
  },
  "quote-fee-by-straight-line": {
    fault: "a quote's fee is computed from the straight-line distance, unlike a delivery's",
    breaks: [{ clause: "QUOTE-13" }],
    caughtBy: ["quotes.same-fee"],
    mutate: quoteWithDependencies((deps) => ({
      ...deps,
      serviceArea: {
        ...deps.serviceArea,
        assess(running, store, to) {
          const assessment = deps.serviceArea.assess(running, store, to);
          const km = Number(assessment.distance_m) / 1000;
          return { ...assessment, fee: deps.prices.fee(store.settings.price, km) };
        },
      },
    })),
  },
  "quote-from-the-stores-first-location": {
    fault: "quotes use a store's location at its first quote",
    breaks: breaking(["one store", "another store"], "QUOTE-28"),
    mutate: (deps) => quoteWithDependencies(measureFromFirstLocations())(deps),
  },
  "quote-from-another-store-of-the-integrator": {
    fault: "quotes for any store measure from the same store of the integrator",
    breaks: [
      { clause: "QUOTE-30", case: "another store" },
      { clause: "QUOTE-28", case: "another store" },
    ],
    mutate: (deps) => quoteWithDependencies(measureFromTheFirstStore())(deps),
  },
  "quote-fee-from-the-stores-first-location": {
    fault: "a quote's fee uses the store's location at its first quote",
    breaks: breaking(["one store", "another store"], "QUOTE-28"),
    mutate: (deps) => {
      const measure = measureFromFirstLocations();
      return quoteWithDependencies((running) => ({
        ...running,
        serviceArea: {
          ...running.serviceArea,
          assess: (...asked) => ({
            ...running.serviceArea.assess(...asked),
            fee: measure(running).serviceArea.assess(...asked).fee,
          }),
        },
      }))(deps);
    },
  },
  "quote-distance-remembered-by-place": {
    fault: "a quote's distance_m is that of the first quote for the same drop-off, whatever the store",
    breaks: [
      { clause: "QUOTE-30", case: "another store" },
      { clause: "QUOTE-28", case: "another store" },
    ],
    mutate: rememberByPlace("distance_m"),
  },
  "quote-fee-remembered-by-place": {
    fault: "a quote's fee is that of the first quote for the same drop-off, whatever the store",
    breaks: [{ clause: "QUOTE-28", case: "another store" }],
    mutate: rememberByPlace("fee"),
  },
  "quote-couriers-on-shift-by-default-if-none": {
    fault: "couriers_on_shift is the default while no courier is on shift",
    breaks: [{ clause: "QUOTE-14", case: "0" }],
    mutate: (deps) =>
      alterQuote((quote) => ({
        ...quote,
        couriers_on_shift: quote.couriers_on_shift || deps.storeDefaults.couriers_on_shift,
      }))(deps),
  },
  "quote-couriers-on-shift-by-default": {
    fault: "couriers_on_shift is always the default",
    breaks: [{ clause: "QUOTE-14" }],
    mutate: (deps) =>
      alterQuote((quote) => ({ ...quote, couriers_on_shift: deps.storeDefaults.couriers_on_shift }))(deps),
  },
  ...forEachElement(
    ["first", "last"],
    (which) => `quote-couriers-on-shift-of-the-${which}-store`,
    (which) => ({
      fault: `couriers_on_shift of a quote is that of the integrator's ${which} store`,
      breaks: [{ clause: "QUOTE-14" }],
      mutate: replaceOperation("createQuote", async (call, original) => {
        const { status, body } = await original(call);
        const stores = await call.deps.records.stores.list(call.deps.database, call.integrator.id);
        const store = stores.at(which === "first" ? 0 : -1);
        return respondWith(status, { ...body, couriers_on_shift: store?.settings.couriers_on_shift ?? 0 });
      }),
    }),
  ),
  "quote-couriers-on-shift-at-most-five": {
    fault: "couriers_on_shift is at most five",
    breaks: [{ clause: "QUOTE-14", case: "7" }],
    mutate: alterQuote((quote) => ({
      ...quote,
      couriers_on_shift: Math.min(5, quote.couriers_on_shift ?? 0),
    })),
  },
};
