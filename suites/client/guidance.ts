import type { GuidanceByGroup } from "../core/guidance.ts";

export const clientGuidance: GuidanceByGroup = {
  tokens: {
    why: "A client that gets a token for each call doubles its traffic, and stops once it has used its thirty tokens a minute.",
    causes: [
      "The token is stored in an object that is created for each request.",
      "The client trusts the machine's clock for the token's expiry, and doesn't handle a 401.",
      "A library sets the Authorization header with another scheme.",
    ],
  },
  bodies: {
    why: "The service refuses a body that isn't declared as JSON or is invalid: the order never reaches a courier.",
    causes: [
      "The client requests the token with a form, as for other OAuth services.",
      "Unknown fields are sent as empty text or null instead of being left out.",
    ],
  },
  times: {
    why: "A time without a zone is ambiguous, so the service refuses it.",
    causes: ["Local times are formatted without their zone."],
  },
  stores: {
    why: "The service needs the restaurant's location to choose couriers and to estimate times.",
    causes: ["The client knows only the restaurant's address, not its coordinates."],
  },
  orders: {
    why: "The key makes it safe to send an order again. Without its own key, an order is lost or delivered twice.",
    causes: [
      "The client creates a key for each request, not for each order.",
      "Unknown coordinates are stored and sent as 0.",
      "Amounts and quantities are text, or have too many decimal places.",
    ],
  },
  retries: {
    why: "Connections break and servers restart. An order that is sent again with its key is created once, even if the first response was lost.",
    causes: [
      "The library retries GET only, or only when a connection can't be opened.",
      "The JSON parser throws an error on a gateway's HTML page, outside the retry code.",
      "Each attempt builds a new request, with another key, time or number.",
      "The client ignores retry-after, or takes it for milliseconds.",
    ],
  },
  backoff: {
    why: "Thousands of clients that retry at the same time keep a recovering service down.",
    causes: [
      "The library retries with a fixed delay, or without one before the first retry.",
      "The delay doubles without a limit, so that an order waits for an hour after a short outage.",
      "The client doesn't multiply its waits by TIME_SCALE.",
    ],
  },
  refusals: {
    why: "A repeated request is refused again, counts towards the rate limit, and hides from the restaurant that somebody has to act.",
    causes: [
      "The client retries after every status other than 2xx.",
      "The client handles a 401 with a new token like the first 401.",
      "The client searches error messages for words, but the wording may change.",
    ],
  },
  "catch-up": {
    why: "The list is the only source for events that the receiver missed. If the client skips a page, the restaurant sees outdated deliveries.",
    causes: [
      "The client takes a short page for the last one.",
      "The cursor is a variable of the loop, so the first error loses it.",
      "IMLEC_GECERSIZ is treated like any other 400, so the client never reads the list again.",
    ],
  },
};
