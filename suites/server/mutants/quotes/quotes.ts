import { rejected } from "../../../../reference-server/errors.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { PLACES_OF_THE_COUNTRY } from "../../../core/contract/places-of-the-country.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import { alterCountry } from "../courier/states.ts";
import type { Mutants } from "../mutant.ts";
import { shiftInstant, withoutMembers } from "../operators/answers.ts";
import { makeOptional } from "../operators/documents.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";

export type Quote = Schemas["Quote"];
type QuoteRequest = Schemas["QuoteRequest"];

export const alterQuote = (change: (quote: Quote, asked: QuoteRequest) => Quote) =>
  replaceOperation("createQuote", async (call, original) =>
    respondWith(200, change((await original(call)).body, call.body)),
  );

/** Creates a delivery for each quote, with the drop-off that `dropoffOf` returns. */
const createDeliveryForQuotes = (dropoffOf: (asked: QuoteRequest) => Partial<QuoteRequest["dropoff"]>) =>
  replaceOperation("createQuote", async (call, original, deps) => {
    const reply = await original(call);
    const [type] = call.deps.paymentTypes;
    await deps.operations.createDelivery({
      ...call,
      headers: { "Idempotency-Key": deps.ids.uuid() },
      body: {
        external_ref: deps.ids.uuid(),
        store: call.body.store,
        dropoff: { text: "teklif", ...dropoffOf(call.body) },
        payment: { type: type?.kod ?? "", amount_due: 0 },
      },
    });
    return reply;
  });

const isInvalid = ({ reason }: Quote) => reason === "KONUM_GECERSIZ";
const isAtZero = ({ dropoff }: QuoteRequest) => dropoff.lat === 0 && dropoff.lng === 0;

export const quoteMutants: Mutants = {
  "quote-without-serviceable": {
    fault: "a serviceable quote lacks serviceable",
    breaks: [{ clause: "QUOTE-16" }],
    caughtBy: ["quotes.own-store"],
    mutate: alterQuote((quote) => (quote.serviceable ? withoutMembers(quote, "serviceable") : quote)),
  },
  "quote-for-an-unknown-store": {
    fault: "a quote for an unknown store is issued with MAGAZA_PASIF instead of a 404",
    breaks: [{ clause: "QUOTE-22" }],
    mutate: replaceOperation("createQuote", (call, original) =>
      onRefusal("MAGAZA_YOK", original(call), async () =>
        respondWith(200, { serviceable: false, reason: "MAGAZA_PASIF" }),
      ),
    ),
  },
  "unknown-store-of-a-quote-is-400": {
    fault: "a quote for an unknown store returns 400",
    breaks: [{ clause: "QUOTE-22" }],
    mutate: replaceOperation("createQuote", (call, original) =>
      onRefusal("MAGAZA_YOK", original(call), async () => {
        throw rejected("store.external_store_id", "böyle bir mağaza yok");
      }),
    ),
  },
  "quote-store-optional": {
    fault: "a quote without a store is issued for the integrator's first store",
    breaks: [{ clause: "QUOTE-17", case: "no store" }],
    mutate: (deps) =>
      replaceOperation("createQuote", async (call, original) => {
        const [first] = await call.deps.records.stores.list(call.deps.database, call.integrator.id);
        const store = call.body.store ?? { external_store_id: first?.external_store_id ?? "" };
        return original({ ...call, body: { ...call.body, store } });
      })(makeOptional("QuoteRequest", "store")(deps)),
  },
  "quote-latitude-optional": {
    fault: "a missing latitude counts as 0",
    breaks: [{ clause: "QUOTE-18", case: "no dropoff.lat" }],
    mutate: (deps) =>
      replaceOperation("createQuote", (call, original) =>
        original({
          ...call,
          body: { ...call.body, dropoff: { ...call.body.dropoff, lat: call.body.dropoff.lat ?? 0 } },
        }),
      )(makeOptional("QuoteDropoff", "lat")(deps)),
  },
  "quote-longitude-optional": {
    fault: "a missing longitude counts as 0",
    breaks: [{ clause: "QUOTE-19", case: "no dropoff.lng" }],
    mutate: (deps) =>
      replaceOperation("createQuote", (call, original) =>
        original({
          ...call,
          body: { ...call.body, dropoff: { ...call.body.dropoff, lng: call.body.dropoff.lng ?? 0 } },
        }),
      )(makeOptional("QuoteDropoff", "lng")(deps)),
  },
  "quote-refuses-ready-at": {
    fault: "a quote with ready_at is refused",
    breaks: breaking(["ready_at in UTC", "ready_at with an offset"], "QUOTE-20"),
    mutate: replaceOperation("createQuote", (call, original) => {
      if (call.body.ready_at !== undefined) throw rejected("ready_at", "bilinmeyen alan");
      return original(call);
    }),
  },
  "quote-accepts-schedules-in-utc-only": {
    fault: "a quote refuses a scheduled_for with an offset",
    breaks: [{ clause: "QUOTE-21", case: "scheduled_for with an offset" }],
    mutate: replaceOperation("createQuote", (call, original) => {
      if (call.body.scheduled_for?.endsWith("Z") === false) throw rejected("scheduled_for", "Z ile bitmeli");
      return original(call);
    }),
  },
  "quote-creates-a-delivery": {
    fault: "a quote creates a delivery",
    breaks: [{ clause: "QUOTE-23" }],
    mutate: createDeliveryForQuotes(({ dropoff }) => dropoff),
  },
  "quote-creates-a-delivery-without-coordinates": {
    fault: "a quote creates a delivery without coordinates",
    breaks: [{ clause: "QUOTE-23" }],
    mutate: createDeliveryForQuotes(() => ({})),
  },
  "quote-serves-0-0": {
    fault: "a quote for 0,0 is serviceable",
    breaks: breaking(["0,0", "0,0, scheduled for tomorrow"], "QUOTE-8"),
    mutate: alterQuote((quote, asked) =>
      isInvalid(quote) && isAtZero(asked) ? { ...quote, serviceable: true, reason: null } : quote,
    ),
  },
  "quote-serves-abroad": {
    fault: "a quote for a location outside the country is serviceable",
    breaks: breaking(
      [
        "-48.9,-123.4",
        "-48.9,-123.4, scheduled for tomorrow",
        "35.68,139.69",
        "35.68,139.69, scheduled for tomorrow",
      ],
      "QUOTE-9",
    ),
    mutate: alterQuote((quote, asked) =>
      isInvalid(quote) && !isAtZero(asked) ? { ...quote, serviceable: true, reason: null } : quote,
    ),
  },
  "quote-serves-abroad-for-later": {
    fault: "a scheduled quote for a location outside the country is serviceable",
    breaks: [{ clause: "QUOTE-9", case: "-48.9,-123.4, scheduled for tomorrow" }],
    mutate: alterQuote((quote, asked) =>
      isInvalid(quote) && asked.scheduled_for !== undefined && asked.dropoff.lng < 0
        ? { ...quote, serviceable: true, reason: null }
        : quote,
    ),
  },
  "quote-abroad-is-out-of-area": {
    fault: "a quote for a location outside the country has the reason HIZMET_DISI",
    breaks: [{ clause: "QUOTE-10" }],
    mutate: alterQuote((quote, asked) =>
      isInvalid(quote) && !isAtZero(asked) ? { ...quote, reason: "HIZMET_DISI" } : quote,
    ),
  },
  "unlocated-store-out-of-area-for-later": {
    fault: "a scheduled quote for a store without a location has the reason HIZMET_DISI",
    breaks: [{ clause: "QUOTE-7" }],
    mutate: alterQuote((quote, asked) =>
      quote.reason === "MAGAZA_KONUMSUZ" && asked.scheduled_for ? { ...quote, reason: "HIZMET_DISI" } : quote,
    ),
  },
  "quote-abroad-for-later-is-out-of-area": {
    fault: "a scheduled quote for a location outside the country has the reason HIZMET_DISI",
    breaks: [{ clause: "QUOTE-10" }],
    mutate: alterQuote((quote, asked) =>
      isInvalid(quote) && asked.scheduled_for ? { ...quote, reason: "HIZMET_DISI" } : quote,
    ),
  },
  ...forEachElement(
    elementsOf("places-of-the-country"),
    (place) => `${place}-counts-as-abroad`,
    (place) => ({
      fault: `${place} counts as outside the country`,
      breaks: breaking(place, "QUOTE-29"),
      mutate: alterCountry((lat, lng, inside) => {
        const { lat: north, lng: east } = PLACES_OF_THE_COUNTRY[place];
        return inside && !(Math.abs(lat - north) < 0.1 && Math.abs(lng - east) < 0.1);
      }),
    }),
  ),
  "quote-at-0-0-is-out-of-area": {
    fault: "a quote for 0,0 has the reason HIZMET_DISI",
    breaks: [{ clause: "QUOTE-26" }],
    mutate: alterQuote((quote, asked) => (isAtZero(asked) ? { ...quote, reason: "HIZMET_DISI" } : quote)),
  },
  "quote-omits-its-reason": {
    fault: "a quote for an invalid location has no reason",
    breaks: breaking(["0,0", "-48.9,-123.4", "35.68,139.69"], "QUOTE-3"),
    mutate: alterQuote((quote) => (isInvalid(quote) ? { ...quote, reason: null } : quote)),
  },
  "quote-always-has-a-reason": {
    fault: "a serviceable quote has a reason",
    breaks: [{ clause: "QUOTE-3", case: "41.0092,28.9794" }],
    mutate: alterQuote((quote) => ({ ...quote, reason: quote.reason ?? "HIZMET_VAR" })),
  },
  "unserviceable-quote-without-expiry": {
    fault: "a quote that isn't serviceable has no expires_at",
    breaks: [{ clause: "QUOTE-2", case: "0,0" }],
    mutate: alterQuote((quote) => (quote.serviceable ? quote : withoutMembers(quote, "expires_at"))),
  },
  "quote-without-null-fields": {
    fault: "a serviceable quote lacks reason",
    breaks: [{ clause: "QUOTE-2", case: "41.0092,28.9794" }],
    mutate: alterQuote((quote) => (quote.serviceable ? withoutMembers(quote, "reason") : quote)),
  },
  "quote-distance-rounded-to-tens": {
    fault: "a quote's distance is rounded, unlike a delivery's",
    breaks: [
      { clause: "QUOTE-11", case: "ready in an hour" },
      { clause: "QUOTE-11", case: "scheduled for tomorrow" },
    ],
    mutate: alterQuote((quote) => ({
      ...quote,
      distance_m: quote.distance_m == null ? null : Math.round(quote.distance_m / 10) * 10,
    })),
  },
  "quote-distance-of-0-is-null": {
    fault: "a quote's distance is null at the restaurant itself",
    breaks: [{ clause: "QUOTE-11", case: "at the restaurant itself" }],
    mutate: alterQuote((quote) => ({ ...quote, distance_m: quote.distance_m || null })),
  },
  "quote-for-later-has-no-distance": {
    fault: "a quote with scheduled_for has no distance",
    breaks: [{ clause: "QUOTE-11", case: "scheduled for tomorrow" }],
    mutate: alterQuote((quote, asked) => (asked.scheduled_for ? { ...quote, distance_m: null } : quote)),
  },
  "quote-estimates-swapped": {
    fault: "a quote's eta_pickup_at and eta_dropoff_at are swapped",
    breaks: [{ clause: "QUOTE-31" }],
    mutate: alterQuote((quote) => ({
      ...quote,
      eta_pickup_at: quote.eta_dropoff_at ?? null,
      eta_dropoff_at: quote.eta_pickup_at ?? null,
    })),
  },
  "quote-road-in-tenths": {
    fault: "a quote's road_km has one decimal place, a delivery's has two",
    breaks: [
      { clause: "QUOTE-12", case: "ready in an hour" },
      { clause: "QUOTE-12", case: "scheduled for tomorrow" },
    ],
    mutate: alterQuote((quote) => ({
      ...quote,
      road_km: quote.road_km == null ? null : Math.round(quote.road_km * 10) / 10,
    })),
  },
  "quote-expires-immediately": {
    fault: "a quote's expires_at is in the past",
    breaks: [{ clause: "QUOTE-15" }],
    mutate: (deps) => ({ ...deps, limits: { ...deps.limits, quoteMs: -60_000 } }),
  },
  "quote-for-later-has-expired": {
    fault: "expires_at of a quote with scheduled_for is three hours in the past",
    breaks: breaking(["scheduled_for in UTC", "scheduled_for with an offset"], "QUOTE-15"),
    mutate: alterQuote((quote, asked) =>
      asked.scheduled_for
        ? { ...quote, expires_at: shiftInstant(quote.expires_at ?? "", -180 * 60_000) }
        : quote,
    ),
  },
  "quote-costs-credit": {
    fault: "a quote consumes credit",
    breaks: [{ clause: "CREDIT-2" }],
    caughtBy: ["credit.quoted"],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const { deps, integrator } = call;
      await deps.transaction((tx) => deps.records.credit.add(tx, integrator.id, 1));
      return original(call);
    }),
  },
  "scheduled-quote-costs-credit": {
    fault: "a quote for a scheduled order consumes credit",
    breaks: [{ clause: "CREDIT-2" }],
    caughtBy: ["credit.quoted"],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const { deps, integrator, body } = call;
      const reply = await original(call);
      if (body.scheduled_for && reply.body.serviceable)
        await deps.transaction((tx) => deps.records.credit.add(tx, integrator.id, 1));
      return reply;
    }),
  },
};
