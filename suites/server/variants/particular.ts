/** Small valid choices, each of which a check once reported as a fault. */
import { setTimeout as pause } from "node:timers/promises";
import { moveCourier } from "../../../reference-server/deliveries/courier-moves.ts";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { DomainError } from "../../../reference-server/errors.ts";
import { isObject } from "../../core/json.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import { findDelivery } from "../mutants/operators/deliveries.ts";
import { alterSchema } from "../mutants/operators/documents.ts";
import { emitEvent } from "../mutants/operators/events.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";

import { alterAddresses } from "../mutants/operators/webhooks.ts";
import { retryAfterSuccess } from "../mutants/webhooks/retries.ts";
import type { PassingResponse, Rewrite } from "./proxy.ts";
import { inSequence, mapObjects } from "./response-rewrites.ts";
import type { Variant } from "./variant.ts";

/** A URL library may decode an escaped slash in a query, where it is allowed (RFC 3986, 3.4). */
const unescapesSlashes = alterAddresses((url) => {
  const [whole, query = ""] = url.split("?");
  return query === "" ? url : `${whole}?${query.replaceAll("%2F", "/")}`;
});

/** RETRY-26: an event that was accepted at the first attempt is sent again, as after a crash. */
const repeatsAcceptedEvents = retryAfterSuccess((failures) => failures === 0, 10);

/** The delay of eventual effects. */
const LATER_MS = 1_500;

/** OPEN-108: a pairing code in the wrong format is an invalid body, not a wrong code. */
const fixedCodeFormat = replaceOperation("registerStore", (call, original) => {
  const { pairing_code } = call.body;
  const hasForm = pairing_code === undefined || pairing_code.length === call.deps.ids.pairingCode().length;
  if (!hasForm) throw new DomainError("DOGRULAMA", { field: "pairing_code", reason: "biçim" });
  return original(call);
});

const NAMES = ["name", "text", "neighborhood", "district", "city", "directions"];

/** OPEN-127: names and addresses need at least three letters. */
const minimumNameLength = (deps: Dependencies): Dependencies =>
  ["NewDelivery", "NewCustomer", "NewDropoff", "NewItem"].reduce(
    (made, name) =>
      alterSchema(name, ({ properties }) => {
        for (const key of NAMES) {
          const place = isObject(properties) ? properties[key] : undefined;
          if (isObject(place) && place.type === "string") place.minLength = 3;
        }
      })(made),
    deps,
  );

/** OPEN-184: the tokens of a closed credential remain valid for a short time. */
function closesCredentialsLater(deps: Dependencies): Dependencies {
  const closings = new Map<string, number>();
  return {
    ...deps,
    tokens: {
      ...deps.tokens,
      refusal(holder, now) {
        const { id, closed_at } = holder.integrator;
        if (closed_at === null) return deps.tokens.refusal(holder, now);
        const first = closings.get(id) ?? deps.clock.now();
        closings.set(id, first);
        const open = { ...holder, integrator: { id, closed_at: null } };
        return deps.tokens.refusal(deps.clock.now() < first + LATER_MS ? open : holder, now);
      },
    },
  };
}

/** OPEN-235: a cursor is a number. */
function numericCursors(deps: Dependencies): Dependencies {
  const given: string[] = [];
  return {
    ...deps,
    cursor: {
      encode: (place) => String(given.push(deps.cursor.encode(place))),
      decode: (text) => deps.cursor.decode(given[Number(text) - 1] ?? ""),
    },
  };
}

const showsNumericCursors: Rewrite = (response) => {
  if (!isObject(response.json) || typeof response.json.next_cursor !== "string") return;
  response.json = { ...response.json, next_cursor: Number(response.json.next_cursor) };
};

/** Each changed field is reported by its own event. */
const oneEventPerField = replaceOperation("updateDelivery", async (call, original) => {
  const changed = await original(call);
  const delivery = await findDelivery(call);
  const others = Object.keys(call.body).slice(1);
  for (const _ of others) if (delivery) await emitEvent(call.deps, delivery, "delivery.updated");
  return changed;
});

/** OPEN-82: a delivery that gets its location by a change is offered immediately. */
const offersImmediately = replaceOperation("updateDelivery", async (call, original, deps) => {
  const before = await findDelivery(call);
  const changed = await original(call);
  const after = await findDelivery(call);
  if (before?.status === "RECEIVED" && after?.status === "QUEUED") {
    await moveCourier(deps, after.id, { action: "offered" });
  }
  return changed;
});

/** Envelopes write UTC as a zero offset. Only times of responses must end in Z. */
const zeroOffsets = (deps: Dependencies): Dependencies => ({
  ...deps,
  envelopes: {
    ...deps.envelopes,
    make(...args) {
      const envelope = deps.envelopes.make(...args);
      return { ...envelope, timestamp: envelope.timestamp.replace("Z", "+00:00") };
    },
  },
});

/** Rounded to a metre, and stored in single precision. */
const coarse = (degrees: number | null | undefined) =>
  degrees && Math.fround(Math.round(degrees * 1e5) / 1e5);

/**
 * Districts from the map, coarse coordinates, sources in capitals, and an empty text for no
 * notes.
 */
const otherNotations = alterDelivery(({ dropoff, origin_channel, notes }) => ({
  dropoff: {
    ...dropoff,
    lat: coarse(dropoff.lat),
    lng: coarse(dropoff.lng),
    neighborhood: "Binbirdirek",
    district: "Fatih",
    city: "İstanbul",
  },
  origin_channel: origin_channel?.toUpperCase(),
  notes: notes ?? "",
}));

/** OPEN-130: the details of HIZMET_DISI have no road distance. */
const hidesRoad: Rewrite = (response) => {
  const { json, status } = response;
  if (status !== 422 || !isObject(json) || !isObject(json.error) || !isObject(json.error.details)) return;
  response.json = { error: { ...json.error, details: { ...json.error.details, road_km: null } } };
};

const isProofResponse = ({ path }: PassingResponse) => path.includes("/proofs");
/** A URL with a percent-encoded last letter. */
const withEncodedLetter = (url: string) =>
  url.replace(/[^/]$/, (last) => `%${last.charCodeAt(0).toString(16)}`);

/** OPEN-73, OPEN-74: photos are converted to JPEG, have no place, and their URLs use another notation than their paths. */
const photosAsJpeg: Rewrite = (response) => {
  if (!isProofResponse(response)) return;
  if (response.headers["content-type"]?.startsWith("image/")) response.headers["content-type"] = "Image/JPEG";
  response.json = mapObjects(response.json, (one) =>
    typeof one.mime === "string" && typeof one.url === "string"
      ? { ...one, mime: "image/jpeg", url: withEncodedLetter(one.url), lat: null, lng: null }
      : one,
  );
};

/** A store id in a path that is too long is an invalid request. */
const longIdsRefused: Rewrite = (response) => {
  const [, id] = /^\/v1\/stores\/([^/]{81,})$/.exec(response.path) ?? [];
  if (id === undefined || response.status !== 404) return;
  response.status = 400;
  response.json = { error: { code: "DOGRULAMA", message: "Geçersiz kimlik", details: { field: "id" } } };
};

/** OPEN-112: an escaped slash in a path counts as a slash, so the path is unknown. */
const slashesRefused: Rewrite = (response) => {
  if (!/^\/v1\/stores\/.*%2f/i.test(response.path)) return;
  response.status = 404;
  response.json = { error: { code: "BULUNAMADI", message: "Kayıt bulunamadı" } };
};

/** A clock error at which receivers still accept webhooks, with a margin for latency. */
const BEHIND_MS = 60_000;

/** The service's clock is a minute behind. */
export const clockBehind = (deps: Dependencies): Dependencies => ({
  ...deps,
  clock: { ...deps.clock, now: () => deps.clock.now() - BEHIND_MS },
});

/** OPEN-16: the credit of a cancelled delivery is refunded a little later. */
const refundsLater = (deps: Dependencies): Dependencies => ({
  ...deps,
  credit: { ...deps.credit, cancelling: () => 0 },
  async emit(all, tx, delivery, kind) {
    await deps.emit(all, tx, delivery, kind);
    if (kind !== "delivery.cancelled") return;
    const back = deps.credit.cancelling(delivery);
    void pause(LATER_MS, undefined, { ref: false })
      .then(() => all.transaction((later) => all.records.credit.add(later, delivery.integrator_id, back)))
      // The server may have stopped.
      .catch(() => {});
  },
});

/** The clocks of all integrators are advanced one after another, and run while they wait. */
export const advancesClocksInTurn = (deps: Dependencies): Dependencies => {
  let before: Promise<unknown> = Promise.resolve();
  const { advanceClock } = deps.controlOperations;
  const sequentially: typeof advanceClock = (call) => {
    const move = before.then(() => advanceClock(call));
    before = move.catch(() => {});
    return move;
  };
  return { ...deps, controlOperations: { ...deps.controlOperations, advanceClock: sequentially } };
};

/** "At most once per 30 seconds" allows fewer positions. */
const fewPositions = (deps: Dependencies): Dependencies => ({
  ...deps,
  eventRules: { ...deps.eventRules, reportsPosition: (_limits, sinceLastMs) => sinceLastMs >= 45_000 },
});

/** A service with unusual formats and delays. */
export const particular: Variant = {
  choices: {
    "OPEN-16": "credit is refunded shortly after the cancellation",
    "OPEN-73": "a photo's url has another notation than the requested path, and its coordinates are null",
    "OPEN-74": "photos are converted to JPEG",
    "OPEN-82": "a delivery that gets coordinates by a change is offered at once",
    "OPEN-108": "a pairing code in the wrong format is refused with DOGRULAMA",
    "OPEN-112": "an encoded slash in a path is refused, although identifiers may contain one",
    "OPEN-127": "names and addresses need at least three letters",
    "OPEN-130": "road_km is null if no road length is known",
    "OPEN-235": "a cursor is a number",
    "OPEN-237": "districts are shown as the map has them",
    "OPEN-236": "an identifier of 81 characters in a path is answered with 400",
    "OPEN-184": "tokens of a closed credential are refused after a short delay",
  },
  otherDifferences: [
    "coordinates have five decimals, origin_channel is in capitals, and missing notes are an empty text",
    "each changed field has its own event, and envelope times end in +00:00",
    "an event that was accepted at once is sent again",
    "an encoded slash in a webhook URL's query is sent unencoded",
    "couriers' positions are reported at most every 45 seconds",
  ],
  warnings: ["delivery-fields.district", "proofs.all-fields"],
  // The couriers move by themselves, so the control interface refuses some actions, and checks are skipped.
  excludedChecks: ["models.life-with-a-courier"],
  mutate: compose(
    fixedCodeFormat,
    minimumNameLength,
    closesCredentialsLater,
    numericCursors,
    oneEventPerField,
    offersImmediately,
    zeroOffsets,
    refundsLater,
    otherNotations,
    repeatsAcceptedEvents,
    unescapesSlashes,
    fewPositions,
  ),
  rewrite: inSequence(showsNumericCursors, hidesRoad, photosAsJpeg, longIdsRefused, slashesRefused),
};
