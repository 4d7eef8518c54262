import { wallClock } from "../../core/clock.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import { alterEventData } from "../mutants/operators/envelopes.ts";
import {
  creditOnDelivery,
  failedIsReturned,
  geocodesChanges,
  geocodesLater,
  offersKeepStatus,
  receivedUntilSearch,
  reportsSearchAgain,
  searchesImmediately,
} from "./lifecycle.ts";
import { tokenBuckets } from "./limits.ts";
import {
  clampsLimit,
  cursorsThatOverlap,
  emptyFirstPages,
  laggingReplicas,
  lastThirtyDays,
  shortPages,
} from "./lists.ts";
import { lateAndTwice, ownMessageIds } from "./messages.ts";
import { modest, plain } from "./modest.ts";
import { ornate } from "./ornate.ts";
import { advancesClocksInTurn, clockBehind, particular } from "./particular.ts";
import {
  gzipped,
  headersInTitleCase,
  inMicroseconds,
  inSeconds,
  inSequence,
  isCancellation,
  isPatch,
  isReading,
  isRotation,
  mapObjects,
  mapTexts,
  onJson,
  replaceSuccess,
  resetAsInstant,
  tokenLimitOfTheAddress,
  withExtraMembers,
  withInterimResponse,
  withoutNulls,
  withoutZeros,
  wrapLists,
} from "./response-rewrites.ts";
import { slow } from "./slow.ts";
import { strict } from "./strict.ts";
import { shortSecrets, turkishStates } from "./strings.ts";
import type { Variant } from "./variant.ts";

export const variants: Readonly<Record<string, Variant>> = {
  terse: {
    choices: {
      "OPEN-8": "times in whole seconds have no fraction",
      "OPEN-26": "null members are left out, also in webhooks",
      "OPEN-35": "a cancelled delivery shows no courier",
      "OPEN-73": "the url of a photo is absolute",
      "OPEN-77": "a secret has 20 bytes in base64 without padding",
      "OPEN-79": "a bare array",
      "OPEN-82": "an offer doesn't change the status",
      "OPEN-111": "a bare array",
      "OPEN-136": "the first page of a list is empty, with has_more true",
      "OPEN-144": "a page begins with the last two items of the previous page",
      "OPEN-149": "PATCH and cancel are answered with 204",
      "OPEN-166": "a rotation is answered with 201",
      "OPEN-223": "limits are token buckets",
      "OPEN-225": "the token endpoint's headers show the limit of 300",
    },
    otherDifferences: ["connections are closed after each response", "header names are in title case"],
    warnings: [
      "courier.keys",
      "delivery-fields.complete",
      "delivery-fields.dropoff-complete",
      "emission.payment-and-loss",
      "quotes.all-fields",
      "subscriptions.all-fields",
    ],
    mutate: compose(
      alterEventData((data) => Object(mapObjects(data, withoutNulls))),
      tokenBuckets,
      cursorsThatOverlap,
      emptyFirstPages,
      offersKeepStatus,
      shortSecrets,
      alterDelivery(({ courier, cancelled_at }) => ({ courier: cancelled_at ? null : courier })),
      (deps) => ({
        ...deps,
        views: {
          ...deps.views,
          proof(proof) {
            const shown = deps.views.proof(proof);
            return { ...shown, url: `${deps.publicUrl()}${shown.url}` };
          },
        },
      }),
    ),
    rewrite: inSequence(
      wrapLists((items) => items),
      replaceSuccess(isPatch, 204, () => undefined),
      replaceSuccess(isCancellation, 204, () => undefined),
      replaceSuccess(isRotation, 201),
      onJson((json) => mapTexts(mapObjects(json, withoutNulls), withoutZeros)),
      tokenLimitOfTheAddress,
      (response) => {
        response.headers.connection = "close";
      },
      headersInTitleCase,
    ),
  },
  verbose: {
    choices: {
      "OPEN-8": "times have microseconds",
      "OPEN-16": "credit is deducted on delivery",
      "OPEN-22": "the search for a scheduled delivery's courier starts at once",
      "OPEN-27": "every object has additional members, which differ between responses, in another order",
      "OPEN-33": "each change raises the version by three",
      "OPEN-57": "every delivery has a PIN",
      "OPEN-60": "a quote is answered with 202",
      "OPEN-79": "a wrapper within a wrapper, with a count beside it",
      "OPEN-81": "the status strings are Turkish words",
      "OPEN-83":
        "an address that is resolved, at once or later, queues the delivery; a failed resolution is reported",
      "OPEN-84": "delivery.queued is sent in addition to delivery.updated",
      "OPEN-85": "a new address restarts the search",
      "OPEN-91": "a failed delivery is returned",
      "OPEN-111": "a wrapper within a wrapper, with a count beside it",
      "OPEN-133": "lists contain the last thirty days",
      "OPEN-135": "a limit out of range is set to the nearest valid one",
      "OPEN-149": "PATCH is answered with 200 and an acknowledgement, cancel with 202 and an empty object",
      "OPEN-190": "webhook-id differs between endpoints",
      "OPEN-198": "webhooks arrive late and out of order",
      "OPEN-201": "a scheduled delivery reports its search at its creation",
      "OPEN-221": "x-ratelimit-reset is a time with milliseconds",
    },
    otherDifferences: [
      "response bodies are compressed with gzip",
      "every event is sent twice",
      "an interim response 100 precedes each response",
    ],
    mutate: compose(
      lateAndTwice,
      ownMessageIds,
      creditOnDelivery,
      searchesImmediately,
      reportsSearchAgain,
      failedIsReturned,
      geocodesLater,
      geocodesChanges,
      lastThirtyDays,
      clampsLimit,
      turkishStates,
      alterDelivery(({ version, delivery_pin }) => ({
        version: 1 + (version - 1) * 3,
        pin_required: true,
        delivery_pin: delivery_pin ?? "4711",
      })),
    ),
    rewrite: inSequence(
      wrapLists((items) => ({ count: 3, result: { page: 1, records: items } })),
      replaceSuccess(isPatch, 200, () => ({ accepted: true })),
      replaceSuccess(isCancellation, 202, () => ({})),
      replaceSuccess(({ path }) => path === "/v1/quotes", 202),
      onJson((json) => mapTexts(mapObjects(json, withExtraMembers), inMicroseconds)),
      resetAsInstant(wallClock),
      gzipped,
      withInterimResponse(100),
    ),
  },
  strict,
  particular,
  modest,
  ornate,
  plain,
  unpunctual: {
    choices: {
      "OPEN-8": "times are in whole seconds in GET responses, and in milliseconds in responses to changes",
      "OPEN-22": "a scheduled delivery is RECEIVED until its search starts",
      "OPEN-136": "a page has at most forty deliveries, with has_more true",
      "OPEN-146": "lists alternate between two replicas, of which one lags",
    },
    otherDifferences: [
      "the clock is a minute behind",
      "the integrators' clocks are advanced one after another",
    ],
    mutate: compose(clockBehind, advancesClocksInTurn, shortPages, receivedUntilSearch, laggingReplicas),
    rewrite: onJson((json, response) => (isReading(response) ? mapTexts(json, inSeconds) : json)),
  },
  slow,
};
