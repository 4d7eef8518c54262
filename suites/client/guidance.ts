import type { GuidanceByGroup } from "../core/guidance.ts";

export const clientGuidance: GuidanceByGroup = {
  tokens: {
    why: "A client that gets a token for each call doubles its traffic, and stands still when thirty tokens a minute are gone.",
    causes: [
      "The token is kept in an object that is made anew for each request.",
      "Expiry is reckoned on the machine's clock alone, and a 401 in spite of it isn't expected.",
      "The Authorization header is set by a library that writes another scheme.",
    ],
  },
  bodies: {
    why: "What isn't declared as JSON, or doesn't fit the schema, is refused: an order that never reaches a courier.",
    causes: [
      "The token is asked for with a form, as with other OAuth services.",
      "Fields are sent as empty text or null where they should be left out.",
    ],
  },
  times: {
    why: "A time without a zone is another hour for a service that runs elsewhere, and is refused.",
    causes: ["Local times are formatted by hand, or by a type that has no zone."],
  },
  stores: {
    why: "Couriers are chosen and times are estimated by where the restaurant stands.",
    causes: ["The till knows the restaurant's address only, and nobody looked the point up."],
  },
  orders: {
    why: "The key is what makes it safe to send an order again; without one of its own, an order is lost or delivered twice.",
    causes: [
      "The key is made where the request is sent, and not where the order is.",
      "Coordinates that aren't known are stored as 0 and sent as they are stored.",
      "Amounts and quantities are text, or come with all the places of a division.",
    ],
  },
  retries: {
    why: "Connections break and servers restart in the dinner rush; an order that is sent again with its key arrives once, whatever happened to the answer.",
    causes: [
      "The library retries GET only, or only when a connection can't be opened.",
      "A gateway's HTML page makes the JSON parser throw, past the retry.",
      "The request is built anew for each try: another key, another time, another number.",
      "retry-after isn't read, or read as milliseconds.",
    ],
  },
  backoff: {
    why: "Thousands of tills that try again at once keep a service down that was about to recover.",
    causes: [
      "The library's retry has a fixed delay, or none before its first repetition.",
      "The delay doubles without a limit, so that an order waits for an hour after a short outage.",
      "Waits aren't multiplied by TIME_SCALE, where a run asks for it.",
    ],
  },
  refusals: {
    why: "A refusal that is repeated stays a refusal, costs the limit, and hides from the restaurant that somebody has to act.",
    causes: [
      "Everything outside 2xx is retried alike.",
      "A 401 is handled in a loop, without remembering that a new token was tried.",
      "Messages are searched for words, and words change.",
    ],
  },
  "catch-up": {
    why: "What a receiver missed is found here, and only here: a page that isn't read is a delivery that never changes on the screen.",
    causes: [
      "The end is guessed from a page that is shorter than asked for.",
      "The cursor is kept in memory for the loop alone, and lost with the first error.",
      "IMLEC_GECERSIZ is treated as any 400, and catching up never starts again.",
    ],
  },
};
