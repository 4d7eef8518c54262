import type { Parts } from "../../reference-server/parts.ts";
import { pause, realNow } from "../target/clock.ts";
import {
  answerInstead,
  headersInTitleCase,
  inMicroseconds,
  inTurn,
  isCancellation,
  isPatch,
  mapObjects,
  mapTexts,
  onJson,
  resetAsInstant,
  withMore,
  withoutNulls,
  withoutZeros,
  wrapLists,
} from "./alterations.ts";
import { otherSchedules } from "./schedules.ts";
import type { Variant } from "./variant.ts";

/** Other words for the states whose strings aren't shown (OPEN-81). */
const TURKISH: Readonly<Record<string, string>> = {
  OFFERED: "TEKLIF_EDILDI",
  AT_PICKUP: "RESTORANDA",
  PICKED_UP: "TESLIM_ALINDI",
  EN_ROUTE: "YOLDA",
  ARRIVED: "KAPIDA",
  DELIVERED: "TESLIM_EDILDI",
  FAILED: "BASARISIZ",
  CANCELLED: "IPTAL",
  RETURNING: "IADE_YOLUNDA",
  RETURNED: "IADE",
};

/** The words of the query's status filter, as the server knows them. */
const ownWord = (status: string): string =>
  Object.keys(TURKISH).find((known) => TURKISH[known] === status) ?? status;

const withDeliveries = (
  parts: Parts,
  change: (shown: ReturnType<Parts["views"]["delivery"]>) => Partial<ReturnType<Parts["views"]["delivery"]>>,
): Parts => ({
  ...parts,
  views: {
    ...parts.views,
    delivery: (...args) => {
      const shown = parts.views.delivery(...args);
      return { ...shown, ...change(shown) };
    },
  },
});

/** A window that slides, in place of one that starts at the minute (OPEN-223); by the clock of whoever is limited. */
function slidingWindows(parts: Parts): Parts {
  const places: string[] = [];
  const seen: number[][] = [];
  return {
    ...parts,
    limiter: {
      ...parts.limiter,
      // In place of a number of requests the number of whose requests they are, since the time isn't known here.
      async count(key) {
        const identity = key.split(" ").slice(0, -1).join(" ");
        const place = places.indexOf(identity);
        return place < 0 ? places.push(identity) - 1 : place;
      },
    },
    standing: (limit, place, now) => {
      const recent = (seen[place] ?? []).filter((at) => at > now - limit.windowMs);
      recent.push(now);
      seen[place] = recent;
      return { ...parts.standing(limit, recent.length, now), resetSeconds: 60 };
    },
  };
}

const SLOW_MS = 300;
const LONGEST_DELAY_MS = 400;

/** Legal servers that aren't like the reference: each makes many choices otherwise at once. */
export const variants: Readonly<Record<string, Variant>> = {
  terse: {
    choices: [
      "bare arrays where no wrapper is shown",
      "PATCH and cancel answer 204 without a body",
      "null members are left out",
      "whole seconds without a fraction",
      "connections closed after each answer",
      "header names in title case",
    ],
    warnings: [
      "delivery-fields.all-there",
      "delivery-fields.dropoff-all-there",
      "quotes.all-fields",
      "subscriptions.all-fields",
      "courier.keys",
    ],
    alter: inTurn(
      wrapLists((items) => items),
      answerInstead(isPatch, 204, () => undefined),
      answerInstead(isCancellation, 204, () => undefined),
      onJson((json) => mapTexts(mapObjects(json, withoutNulls), withoutZeros)),
      (passing) => {
        passing.headers.connection = "close";
      },
      headersInTitleCase,
    ),
  },
  verbose: {
    choices: [
      "other wrappers, with a count beside the list",
      "PATCH and cancel answer 202 with an empty object, quotes 201",
      "further members everywhere, in another order",
      "microsecond times",
      "other status strings",
      "versions that jump",
      "the rate limit's reset as a point in time",
    ],
    mutate: (parts) => {
      const { deliveries } = parts.records;
      const shown = withDeliveries(parts, ({ status, version }) => ({
        status: TURKISH[status] ?? status,
        version: 1 + (version - 1) * 3,
      }));
      const page: typeof deliveries.page = (db, integratorId, query) =>
        deliveries.page(db, integratorId, { ...query, statuses: query.statuses?.map(ownWord) });
      return { ...shown, records: { ...shown.records, deliveries: { ...deliveries, page } } };
    },
    alter: inTurn(
      wrapLists((items) => ({ count: 3, records: items })),
      answerInstead(isPatch, 202, () => ({})),
      answerInstead(isCancellation, 202, () => ({})),
      answerInstead(({ path }) => path === "/v1/quotes", 201),
      onJson((json) => mapTexts(mapObjects(json, withMore), inMicroseconds)),
      resetAsInstant(realNow),
    ),
  },
  strict: {
    choices: [
      "other codes of the four for a token that isn't taken",
      "a sliding window for every limit",
      "cursors of 500 characters",
      "415 with an empty body",
    ],
    warnings: [
      "authentication.missing-token-code",
      "authentication.malformed-token-code",
      "authentication.expired-token-code",
    ],
    mutate: (parts) => ({
      ...slidingWindows(parts),
      cursor: {
        encode: (place) => `${parts.cursor.encode(place)}~`.padEnd(500, "0"),
        decode: (text) => parts.cursor.decode(text.split("~")[0] ?? ""),
      },
    }),
    alter: inTurn(
      (passing) => {
        if (passing.status !== 415) return;
        passing.json = undefined;
        passing.bytes = Buffer.alloc(0);
      },
      (passing) => {
        if (passing.status !== 401 || passing.path === "/oauth/token") return;
        passing.json = { error: { code: "OTURUM_GECERSIZ", message: "Oturum geçersiz" } };
      },
    ),
  },
  slow: {
    choices: [`every answer comes after ${SLOW_MS} ms`],
    claims: ["api"],
    alter: () => pause(SLOW_MS),
  },
  "other schedules": {
    choices: [
      "retries with jitter",
      "retries rendered anew",
      "failing_since from the last attempt on",
      "closed addresses aren't listed, and registering one again makes a new subscription",
    ],
    mutate: otherSchedules,
  },
  "unruly webhooks": {
    choices: ["webhooks come late, out of order, and twice"],
    mutate: (parts) => {
      let sent = 0;
      return {
        ...parts,
        transport: {
          ...parts.transport,
          async post(all, outgoing, signal) {
            sent += 1;
            // The first of two waits longer than the second.
            await pause(sent % 2 === 0 ? LONGEST_DELAY_MS / 4 : LONGEST_DELAY_MS);
            const answer = await parts.transport.post(all, outgoing, signal);
            await parts.transport.post(all, outgoing, signal);
            return answer;
          },
        },
      };
    },
  },
};
