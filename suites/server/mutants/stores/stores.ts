import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutants } from "../mutant.ts";
import { asLocalTime, escapedForHtml, withoutMembers } from "../operators/answers.ts";
import { alterProperty, alterSchema, makeOptional } from "../operators/documents.ts";
import { alterCreation, onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import { alterStoreRecords, ignoreUseOfCodes, linkStoreUnchecked } from "../operators/stores.ts";

type Store = Schemas["Store"];

const alterStore =
  (change: (store: Store) => object) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    views: {
      ...deps.views,
      store(store) {
        const shown = deps.views.store(store);
        return { ...shown, ...change(shown) };
      },
    },
  });

const requireProperty = (name: string, key: string) =>
  alterSchema(name, (changed) => {
    changed.required = [changed.required, key].flat();
  });

type IsTakenFor = (asked: string, linked: string) => boolean;

/** A server that confuses stores with similar external_store_ids. `caseName` is how they differ. */
const confuseStores = (fault: string, caseName: string, isTakenFor: IsTakenFor): Mutant => ({
  fault,
  breaks: breaking(caseName, "REG-6", "REG-26", "QUOTE-22", "NEW-10", "LIST-20"),
  caughtBy: [
    "creation.unknown-store",
    "list-filters.external-store-id",
    "quotes.own-store",
    "stores.reading",
    "stores.repeat",
  ],
  mutate: (deps) => {
    const mistaking = alterStoreRecords((stores) => ({
      async find(db, integratorId, asked) {
        const exact = await stores.find(db, integratorId, asked);
        if (exact) return exact;
        const linked = await stores.list(db, integratorId);
        return linked.find(({ external_store_id }) => isTakenFor(asked, external_store_id));
      },
    }));
    // A registration with a pairing code still links a new store.
    const linking = replaceOperation("registerStore", (call, original) =>
      original(call.body.pairing_code === undefined ? call : { ...call, deps }),
    );
    return linking(mistaking(deps));
  },
});

const hundredths = (degrees: number) => Math.round(degrees * 100) / 100;
const toFourDecimals = (degrees: number | null | undefined) =>
  degrees == null ? null : Math.round(degrees * 1e4) / 1e4;
export const hundredthsOrNull = (degrees: number | null | undefined) =>
  degrees == null ? null : hundredths(degrees);

export const storeMutants: Mutants = {
  "stores-found-by-a-prefix": confuseStores(
    "a store is found by a prefix of its external_store_id",
    "without the last character",
    (asked, linked) => linked.startsWith(asked),
  ),
  "stores-found-with-additional-characters": confuseStores(
    "a store is found by its external_store_id with additional characters",
    "with one character more",
    (asked, linked) => asked.startsWith(linked),
  ),
  "stores-found-without-their-last-character": confuseStores(
    "the last character of an external_store_id isn't compared",
    "with another last character",
    (asked, linked) => asked.length === linked.length && linked.startsWith(asked.slice(0, -1)),
  ),
  "registration-answers-200": {
    fault: "a first registration returns 200",
    breaks: [{ clause: "REG-1" }],
    mutate: replaceOperation("registerStore", async (call, original) =>
      respondWith(200, (await original(call)).body),
    ),
  },
  "pairing-code-works-twice": {
    fault: "a used pairing code isn't marked as used",
    breaks: [{ clause: "REG-8" }],
    caughtBy: ["pairing.concurrent-registrations", "stores.first-registration"],
    mutate: ignoreUseOfCodes,
  },
  "store-id-is-no-uuid": {
    fault: "a store's id has a prefix",
    breaks: [{ clause: "STORE-3" }],
    mutate: alterStore(({ id }) => ({ id: `st_${id}` })),
  },
  "store-identifier-in-upper-case": {
    fault: "a store's external_store_id is returned in upper case",
    breaks: [{ clause: "STORE-4" }],
    mutate: alterStore(({ external_store_id }) => ({ external_store_id: external_store_id.toUpperCase() })),
  },
  "store-name-loses-emoji": {
    fault: "a store's name has a question mark for each emoji",
    breaks: [{ clause: "STORE-5" }],
    mutate: alterStore(({ name }) => ({ name: name.replaceAll(/\p{Extended_Pictographic}/gu, "?") })),
  },
  "store-name-escaped-for-html": {
    fault: "a store's name is returned HTML-escaped",
    breaks: [{ clause: "STORE-5" }],
    mutate: alterStore(({ name }) => ({ name: escapedForHtml(name) })),
  },
  "store-phone-lost-at-first": {
    fault: "only a repeated registration stores the phone",
    breaks: [{ clause: "STORE-6" }],
    caughtBy: ["stores.first-registration"],
    mutate: alterStoreRecords((stores) => ({
      insert: (tx, store) => stores.insert(tx, { ...store, phone: null }),
    })),
  },
  "store-phone-lost-in-the-list": {
    fault: "the list of stores contains no phones",
    breaks: [{ clause: "STORE-6" }],
    caughtBy: ["stores.first-registration"],
    mutate: alterStoreRecords((stores) => ({
      list: async (...given) => (await stores.list(...given)).map((store) => ({ ...store, phone: null })),
    })),
  },
  "store-address-in-ascii": {
    fault: "a store's address loses its Turkish letters",
    breaks: [{ clause: "STORE-7" }],
    mutate: alterStore(({ address_text }) => ({
      address_text: address_text.normalize("NFD").replaceAll(/\p{M}/gu, ""),
    })),
  },
  "store-name-cut-at-40": {
    fault: "a store's long name is cut",
    breaks: [{ clause: "STORE-5" }, { clause: "REG-4" }],
    caughtBy: ["stores.first-registration", "stores.repeat"],
    mutate: alterStore(({ name }) => ({ name: name.slice(0, 40) })),
  },
  "store-address-cut-at-100": {
    fault: "a store's long address is cut",
    breaks: [{ clause: "REG-4" }],
    caughtBy: ["stores.repeat", "stores.repeat"],
    mutate: alterStore(({ address_text }) => ({ address_text: address_text.slice(0, 100) })),
  },
  "store-coordinates-in-hundredths": {
    fault: "a store's coordinates are rounded to two decimals",
    breaks: [{ clause: "STORE-8" }],
    mutate: alterStore(({ lat, lng }) => ({ lat: hundredthsOrNull(lat), lng: hundredthsOrNull(lng) })),
  },
  "store-coordinates-lose-the-fifth-decimal": {
    fault: "a store's coordinates are rounded to four decimals",
    breaks: [{ clause: "REG-4" }],
    caughtBy: ["stores.repeat"],
    mutate: alterStore(({ lat, lng }) => ({ lat: toFourDecimals(lat), lng: toFourDecimals(lng) })),
  },
  "store-company-without-id": {
    fault: "courier_company lacks its id",
    breaks: [{ clause: "STORE-10" }],
    mutate: alterStore(({ courier_company }) => ({ courier_company: withoutMembers(courier_company, "id") })),
  },
  "missing-pairing-code-reported-as-wrong": {
    fault: "a missing pairing code returns the error of a wrong one",
    breaks: [{ clause: "REG-6" }],
    caughtBy: ["stores.refused-registration"],
    mutate: replaceOperation("registerStore", (call, original) =>
      original({ ...call, body: { ...call.body, pairing_code: call.body.pairing_code ?? "none" } }),
    ),
  },
  "wrong-pairing-code-answers-422": {
    fault: "a wrong pairing code returns 422",
    breaks: [{ clause: "REG-7" }],
    mutate: (deps) => ({
      ...deps,
      errors: {
        ...deps.errors,
        ESLEME_KODU_GECERSIZ: { ...deps.errors.ESLEME_KODU_GECERSIZ, status: 422 },
      },
    }),
  },
  "wrong-pairing-code-links-anyway": {
    fault: "a registration with a wrong pairing code is refused, but the store is linked",
    breaks: [{ clause: "REG-11" }],
    mutate: replaceOperation("registerStore", (call, original) =>
      onRefusal("ESLEME_KODU_GECERSIZ", original(call), async (refusal) => {
        await linkStoreUnchecked(call);
        throw refusal;
      }),
    ),
  },
  "pairing-code-with-suffix-accepted": {
    fault: "a pairing code is accepted with additional characters after it",
    breaks: [{ clause: "REG-7" }],
    mutate: replaceOperation("registerStore", (call, original) => {
      const pairing_code = call.body.pairing_code?.slice(0, call.deps.ids.pairingCode().length);
      return original({ ...call, body: { ...call.body, ...(pairing_code && { pairing_code }) } });
    }),
  },
  "pairing-code-prefix-accepted": {
    fault: "a pairing code is found by its first characters",
    breaks: [{ clause: "REG-7" }],
    mutate: (deps) => {
      const issued: string[] = [];
      const ids = {
        ...deps.ids,
        pairingCode: () => {
          const code = deps.ids.pairingCode();
          issued.push(code);
          return code;
        },
      };
      return replaceOperation("registerStore", (call, original) => {
        const { pairing_code: sent } = call.body;
        const pairing_code = issued.find((code) => sent && code.startsWith(sent)) ?? sent;
        return original({ ...call, body: { ...call.body, ...(pairing_code && { pairing_code }) } });
      })({ ...deps, ids });
    },
  },
  "external-store-id-optional": {
    fault: "a registration without external_store_id is accepted with a generated one",
    breaks: [{ clause: "REG-12" }],
    mutate: (deps) =>
      replaceOperation("registerStore", (call, original) => {
        const external_store_id = call.body.external_store_id ?? deps.ids.uuid();
        return original({ ...call, body: { ...call.body, external_store_id } });
      })(makeOptional("StoreRegistration", "external_store_id")(deps)),
  },
  "external-store-id-of-81": {
    fault: "an external_store_id may have 81 characters",
    breaks: [{ clause: "REG-13" }],
    mutate: alterProperty("StoreRegistration", "external_store_id", { maxLength: 81 }),
  },
  "store-name-optional": {
    fault: "a store's name is optional",
    breaks: [{ clause: "REG-14" }],
    mutate: makeOptional("StoreRegistration", "name"),
  },
  "store-address-text-optional": {
    fault: "a store's address.text is optional if it has coordinates",
    breaks: [{ clause: "REG-15" }],
    mutate: makeOptional("StoreAddress", "text"),
  },
  "missing-name-has-its-own-code": {
    fault: "a registration without a name returns ESLEME_KODU_GEREKLI",
    breaks: [{ clause: "REG-16" }],
    mutate: (deps) =>
      replaceOperation("registerStore", (call, original) => {
        if (call.body.name === undefined) throw new DomainError("ESLEME_KODU_GEREKLI");
        return original(call);
      })(makeOptional("StoreRegistration", "name")(deps)),
  },
  "store-phone-required": {
    fault: "a store can't be registered without a phone",
    breaks: [{ clause: "REG-18" }, { clause: "REG-19" }],
    mutate: requireProperty("StoreRegistration", "phone"),
  },
  "store-coordinates-required": {
    fault: "a store can't be registered without coordinates",
    breaks: [{ clause: "REG-18" }, { clause: "REG-19" }],
    mutate: requireProperty("StoreAddress", "lat"),
  },
  "unlocated-store-out-of-area": {
    fault: "a quote for a store without a location has the reason HIZMET_DISI",
    breaks: [{ clause: "QUOTE-7" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        quote: (quote) =>
          deps.views.quote(quote.reason === "MAGAZA_KONUMSUZ" ? { ...quote, reason: "HIZMET_DISI" } : quote),
      },
    }),
  },
  "order-of-an-unlocated-store-is-an-error": {
    fault: "an order with coordinates at a store without a location fails with an unexpected error",
    breaks: [{ clause: "REG-19" }],
    mutate: alterCreation(async (call, create) => {
      const { deps, integrator, body } = call;
      const store = await deps.records.stores.find(
        deps.database,
        integrator.id,
        body.store.external_store_id,
      );
      if (store !== undefined && store.lat === null && body.dropoff.lat !== undefined)
        throw new Error("the store has no location");
      return create(call);
    }),
  },
  "store-times-are-local": {
    fault: "a store's times are local time marked as UTC (Z)",
    breaks: [
      { clause: "GEN-14", case: "created_at of a store" },
      { clause: "GEN-14", case: "updated_at of a store" },
    ],
    caughtBy: ["times.utc"],
    mutate: alterStore(({ created_at, updated_at }) => ({
      created_at: asLocalTime(created_at),
      updated_at: asLocalTime(updated_at),
    })),
  },
  "store-without-phone": {
    fault: "a store has no phone",
    breaks: [{ clause: "STORE-2" }, { clause: "STORE-6" }],
    caughtBy: ["stores.all-fields", "stores.phone"],
    mutate: (deps) => ({
      ...deps,
      views: { ...deps.views, store: (store) => withoutMembers(deps.views.store(store), "phone") },
    }),
  },
  "store-phone-masked": {
    fault: "a store's phone shows only its last four digits",
    breaks: [{ clause: "STORE-6" }],
    caughtBy: ["stores.phone"],
    mutate: alterStore(({ phone }) => ({ phone: phone?.replace(/\d(?=\d{4})/g, "*") ?? null })),
  },
};
