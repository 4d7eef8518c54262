import { pause, wallClock } from "../../core/clock.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import {
  creditOnDelivery,
  failedComesBack,
  handedOverAtPickup,
  offersUnseen,
  resolving,
  searchedAtOnce,
  searchReportedAgain,
} from "./lifecycle.ts";
import { slidingWindows, tokenBuckets } from "./limits.ts";
import { lastThirtyDays, limitsCut, longCursors } from "./lists.ts";
import { oldSecretsForRetries, ownMessageIds, unruly } from "./messages.ts";
import {
  activeStores,
  closesNoCredential,
  integratorsAlone,
  listsNoArea,
  plainCodes,
  takesNoPhotos,
} from "./never-done.ts";
import {
  closingTakesAMoment,
  codesOfOneForm,
  creditBackLater,
  cursorsInNumbers,
  longIdsRefused,
  namesOfThreeLetters,
  numbersForCursors,
  offeredAtOnce,
  offsetOfNothing,
  photosAsJpeg,
  reportedByField,
  roadUnknown,
  shownInItsOwnWay,
} from "./particulars.ts";
import {
  addressOnce,
  charsetRefused,
  customerRequired,
  notWhileUnderWay,
  oneTokenAtATime,
  otherChanges,
  otherQuotes,
  reasonRequired,
  withLeeway,
} from "./refusals.ts";
import {
  answerInstead,
  challenging,
  headersInTitleCase,
  inMicroseconds,
  inTurn,
  isCancellation,
  isPatch,
  isRotation,
  mapObjects,
  mapTexts,
  onJson,
  packed,
  resetAsInstant,
  tokenLimitOfTheAddress,
  unknownRoutesUncounted,
  withMore,
  withoutNulls,
  withoutZeros,
  wrapLists,
} from "./response-rewrites.ts";
import { otherSchedules } from "./schedules.ts";
import { shortSecrets, turkishStates } from "./strings.ts";
import type { Variant } from "./variant.ts";

const SLOW_MS = 300;

/** Legal servers that aren't like the reference: each makes many choices otherwise at once. */
export const variants: Readonly<Record<string, Variant>> = {
  terse: {
    points: {
      "OPEN-8": "whole seconds have no fraction",
      "OPEN-26": "null members are left out",
      "OPEN-35": "a cancelled delivery shows no courier",
      "OPEN-73": "a photo's url is absolute",
      "OPEN-77": "a secret of 20 bytes, without padding",
      "OPEN-79": "a bare array",
      "OPEN-82": "an offer leaves the state as it is",
      "OPEN-111": "a bare array",
      "OPEN-149": "PATCH and cancel answer 204",
      "OPEN-166": "a rotation answers 201",
      "OPEN-220": "no rate headers on unknown routes",
      "OPEN-223": "token buckets",
      "OPEN-225": "the token endpoint shows the limit of 300",
    },
    besides: ["connections are closed after each answer", "header names are in title case"],
    warnings: [
      "courier.keys",
      "delivery-fields.all-there",
      "delivery-fields.dropoff-all-there",
      "limits.unknown-route",
      "quotes.all-fields",
      "subscriptions.all-fields",
    ],
    mutate: compose(
      tokenBuckets,
      offersUnseen,
      shortSecrets,
      alterDelivery(({ courier, cancelled_at }) => ({ courier: cancelled_at ? null : courier })),
      (parts) => ({
        ...parts,
        views: {
          ...parts.views,
          proof(proof) {
            const shown = parts.views.proof(proof);
            return { ...shown, url: `${parts.publicUrl()}${shown.url}` };
          },
        },
      }),
    ),
    rewrite: inTurn(
      wrapLists((items) => items),
      answerInstead(isPatch, 204, () => undefined),
      answerInstead(isCancellation, 204, () => undefined),
      answerInstead(isRotation, 201),
      onJson((json) => mapTexts(mapObjects(json, withoutNulls), withoutZeros)),
      unknownRoutesUncounted,
      tokenLimitOfTheAddress,
      (response) => {
        response.headers.connection = "close";
      },
      headersInTitleCase,
    ),
  },
  verbose: {
    points: {
      "OPEN-8": "microseconds",
      "OPEN-16": "credit is taken on delivery",
      "OPEN-22": "a scheduled order's courier is looked for at once",
      "OPEN-27": "further members everywhere, in another order",
      "OPEN-33": "versions rise by three",
      "OPEN-57": "every delivery has a PIN",
      "OPEN-60": "a quote answers 202",
      "OPEN-79": "a wrapper within a wrapper, with a count beside it",
      "OPEN-81": "Turkish words",
      "OPEN-83": "an order whose address is found is queued by itself; that nothing was found is told",
      "OPEN-84": "delivery.queued besides delivery.updated",
      "OPEN-85": "a new address begins the search anew",
      "OPEN-91": "what failed is taken back",
      "OPEN-111": "a wrapper within a wrapper, with a count beside it",
      "OPEN-133": "a list goes back thirty days",
      "OPEN-135": "limits are cut to their bounds",
      "OPEN-149": "PATCH answers 200 with a word of its own, cancel 202 with an empty object",
      "OPEN-190": "a message's id is the address's own",
      "OPEN-198": "webhooks come late and out of order",
      "OPEN-201": "a scheduled order reports its search at its opening",
      "OPEN-221": "x-ratelimit-reset is a point in time, to the millisecond",
    },
    besides: ["bodies are packed with gzip", "every event comes twice"],
    mutate: compose(
      unruly,
      ownMessageIds,
      creditOnDelivery,
      searchedAtOnce,
      searchReportedAgain,
      failedComesBack,
      resolving,
      lastThirtyDays,
      limitsCut,
      turkishStates,
      alterDelivery(({ version, delivery_pin }) => ({
        version: 1 + (version - 1) * 3,
        pin_required: true,
        delivery_pin: delivery_pin ?? "4711",
      })),
    ),
    rewrite: inTurn(
      wrapLists((items) => ({ count: 3, result: { page: 1, records: items } })),
      answerInstead(isPatch, 200, () => ({ accepted: true })),
      answerInstead(isCancellation, 202, () => ({})),
      answerInstead(({ path }) => path === "/v1/quotes", 202),
      onJson((json) => mapTexts(mapObjects(json, withMore), inMicroseconds)),
      resetAsInstant(wallClock),
      packed,
    ),
  },
  strict: {
    points: {
      "OPEN-1": "a charset makes another content type",
      "OPEN-2": "415 with an empty body",
      "OPEN-31": "a delivery with coordinates begins at version 2",
      "OPEN-46": "an order needs a customer",
      "OPEN-62": "a place abroad is too far",
      "OPEN-64": "no quotes for a suspended store",
      "OPEN-70": "the schedule stands once there is a fee",
      "OPEN-75": "closed addresses aren't listed",
      "OPEN-76": "an address fails from the end of an event's attempts on",
      "OPEN-89": "what was handed over is the courier's for ever",
      "OPEN-95": "the package is handed over when the courier comes",
      "OPEN-100": "a new token ends the ones before it",
      "OPEN-119": "a repeat of what is under way is refused",
      "OPEN-157": "a cancellation needs a reason",
      "OPEN-162": "an address can be subscribed once at a time",
      "OPEN-167": "a retry is signed with the secret of its first attempt",
      "OPEN-178": "one code for every token that isn't taken",
      "OPEN-183": "a challenge on 401",
      "OPEN-184": "a minute of leeway",
      "OPEN-187": "retries are rendered anew",
      "OPEN-191": "retries with jitter",
      "OPEN-194": "five days from the end of an event's attempts on",
      "OPEN-195": "a new subscription",
      "OPEN-223": "sliding windows",
    },
    besides: ["cursors of 500 characters"],
    warnings: [
      "authentication.expired-token-code",
      "authentication.malformed-token-code",
      "authentication.missing-token-code",
      "authentication.older-token",
      "content-type.charset",
      "courier.at-the-restaurant",
      "creation.required-fields-alone",
      "quotes.nowhere-reason",
      "subscriptions.rotation-signs-retries",
      "tracking.position-at-the-restaurant",
    ],
    mutate: compose(
      slidingWindows,
      longCursors,
      handedOverAtPickup,
      customerRequired,
      reasonRequired,
      addressOnce,
      otherQuotes,
      otherChanges,
      notWhileUnderWay,
      oneTokenAtATime,
      withLeeway,
      oldSecretsForRetries,
      otherSchedules,
      charsetRefused,
      alterDelivery(({ version }, { dropoff }) => ({
        version: dropoff.point === null ? version : version + 1,
      })),
    ),
    rewrite: inTurn(
      (response) => {
        if (response.status !== 415) return;
        response.json = undefined;
        response.bytes = Buffer.alloc(0);
      },
      (response) => {
        if (response.status !== 401 || response.path === "/oauth/token") return;
        response.json = { error: { code: "OTURUM_GECERSIZ", message: "Oturum geçersiz" } };
      },
      challenging,
    ),
  },
  particular: {
    points: {
      "OPEN-16": "credit is given back a moment after the cancellation",
      "OPEN-73": "a photo's url is written otherwise than its path",
      "OPEN-74": "photos are kept as JPEG",
      "OPEN-82": "what is located by a change is offered in the same breath",
      "OPEN-108": "a code that isn't of the form of codes is refused with DOGRULAMA",
      "OPEN-127": "names and addresses have three letters or more",
      "OPEN-130": "road_km is null where no road is known",
      "OPEN-235": "a cursor is a number",
      "OPEN-237": "districts as the map has them",
      "OPEN-236": "an identifier of 81 characters in a path is answered 400",
      "OPEN-184": "a credential is closed a moment later",
    },
    besides: [
      "coordinates to five decimals, sources in capitals, an empty text for no note",
      "an event for each changed field, and envelopes in UTC by an offset of nothing",
    ],
    warnings: ["delivery-fields.district"],
    // It moves couriers by itself, where nobody else is told: what its control interface refuses then isn't testable.
    leaves: ["models.life-with-a-courier"],
    mutate: compose(
      codesOfOneForm,
      namesOfThreeLetters,
      closingTakesAMoment,
      cursorsInNumbers,
      reportedByField,
      offeredAtOnce,
      offsetOfNothing,
      creditBackLater,
      shownInItsOwnWay,
    ),
    rewrite: inTurn(numbersForCursors, roadUnknown, photosAsJpeg, longIdsRefused),
  },
  modest: {
    points: { "OPEN-72": "no area is listed", "OPEN-182": "there are no credentials but integrators'" },
    besides: ["credentials and stores are never closed, pairing codes never expire, no photos are taken"],
    warnings: ["areas.every-store", "quotes.reasons"],
    without: [
      "closed-credentials",
      "other-credentials",
      "expiring-codes",
      "restaurant-codes",
      "inactive-stores",
      "delivery-areas",
      "proof-photos",
    ],
    mutate: compose(
      closesNoCredential,
      integratorsAlone,
      plainCodes,
      activeStores,
      listsNoArea,
      takesNoPhotos,
    ),
  },
  slow: {
    points: {},
    besides: [`every answer comes after ${SLOW_MS} ms`],
    claims: ["api"],
    // Their many requests in a row would take minutes, and show nothing of slowness that others don't.
    leaves: [
      "models.*",
      "creation.any-order",
      "creation-bounds.any-violation",
      "quotes.same-*",
      "limits.identity",
      "limits.other-identity",
    ],
    rewrite: () => pause(SLOW_MS),
  },
};
