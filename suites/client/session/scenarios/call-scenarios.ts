import { EXPIRED_TOKEN, htmlErrorPage, RATE_LIMIT, refusal, SERVER_ERROR } from "./fault.ts";
import type { Scenarios } from "./scenario.ts";

export const TOKEN_SCENARIOS = {
  "token-unavailable": {
    title: "a short outage instead of a token",
    target: "token",
    steps: [htmlErrorPage(503)],
    phase: 1,
  },
  "token-reset": {
    title: "the connection is reset before there is a token",
    target: "token",
    steps: [{ kind: "reset" }],
    phase: 1,
  },
  "token-rate-limit": {
    title: "the token endpoint's rate limit is reached",
    target: "token",
    steps: [RATE_LIMIT],
    phase: 1,
  },
} as const satisfies Scenarios;

export const STORE_SCENARIOS = {
  "store-unavailable": {
    title: "a gateway's error page instead of the store",
    target: "store",
    steps: [htmlErrorPage(502)],
    phase: 1,
  },
  "store-expired-token": {
    title: "the token has expired when the store is registered",
    target: "store",
    steps: [EXPIRED_TOKEN],
    phase: 1,
  },
  "store-refused": {
    title: "the pairing code is refused",
    target: "store",
    steps: [refusal(400, "ESLEME_KODU_GECERSIZ")],
    phase: 3,
    mayExit: true,
  },
} as const satisfies Scenarios;

export const QUOTE_SCENARIOS = {
  "quote-server-error": {
    title: "an unexpected error instead of a quote",
    target: "quote",
    steps: [SERVER_ERROR],
    phase: 1,
  },
  "quote-reset": {
    title: "the connection is reset before there is a quote",
    target: "quote",
    steps: [{ kind: "reset" }],
    phase: 1,
  },
  "quote-rate-limit": {
    title: "the rate limit is reached by a quote",
    target: "quote",
    steps: [RATE_LIMIT],
    phase: 1,
  },
  "quote-expired-token": {
    title: "the token has expired when a quote is requested",
    target: "quote",
    steps: [EXPIRED_TOKEN],
    phase: 1,
  },
  "quote-refused": {
    title: "a quote is refused",
    target: "quote",
    steps: [refusal(400, "DOGRULAMA", { field: "dropoff.lat", reason: "invalid" })],
    phase: 2,
  },
} as const satisfies Scenarios;

export const CHANGE_SCENARIOS = {
  "change-unavailable": {
    title: "a short outage instead of a change",
    target: "change",
    steps: [htmlErrorPage(503)],
    phase: 1,
  },
  "change-lost-response": {
    title: "a change is made, and the response lost",
    target: "change",
    steps: [{ kind: "lost-response" }],
    phase: 1,
  },
  "change-rate-limit": {
    title: "the rate limit is reached by a change",
    target: "change",
    steps: [RATE_LIMIT],
    phase: 1,
  },
  "change-expired-token": {
    title: "the token has expired when an order is changed",
    target: "change",
    steps: [EXPIRED_TOKEN],
    phase: 1,
  },
  "change-refused": {
    title: "the courier already has the package when an order is changed",
    target: "change",
    steps: [refusal(409, "KURYE_ALDI")],
    phase: 2,
  },
} as const satisfies Scenarios;

export const CANCELLATION_SCENARIOS = {
  "cancel-server-error": {
    title: "an unexpected error instead of a cancellation",
    target: "cancellation",
    steps: [SERVER_ERROR],
    phase: 1,
  },
  "cancel-lost-response": {
    title: "an order is cancelled, and the response lost",
    target: "cancellation",
    steps: [{ kind: "lost-response" }],
    phase: 1,
  },
  "cancel-rate-limit": {
    title: "the rate limit is reached by a cancellation",
    target: "cancellation",
    steps: [RATE_LIMIT],
    phase: 1,
  },
  "cancel-expired-token": {
    title: "the token has expired when an order is cancelled",
    target: "cancellation",
    steps: [EXPIRED_TOKEN],
    phase: 1,
  },
  "cancel-refused": {
    title: "the courier already has the package when an order is cancelled",
    target: "cancellation",
    steps: [refusal(409, "KURYE_ALDI")],
    phase: 2,
  },
} as const satisfies Scenarios;

export const PAGE_SCENARIOS = {
  "interrupted-page": {
    title: "the connection is cut while the client catches up",
    target: "page",
    steps: [{ kind: "reset" }],
    phase: 1,
  },
  "lost-cursor": {
    title: "the service can no longer read the cursor",
    target: "page",
    steps: [{ kind: "error", status: 400, code: "IMLEC_GECERSIZ", says: "cursor" }],
    phase: 2,
  },
  "page-unavailable": {
    title: "a short outage while the client catches up",
    target: "page",
    steps: [htmlErrorPage(503)],
    phase: 1,
  },
  "page-rate-limit": {
    title: "the rate limit is reached while the client catches up",
    target: "page",
    steps: [RATE_LIMIT],
    phase: 1,
  },
  "page-expired-token": {
    title: "the token expires while the client catches up",
    target: "page",
    steps: [EXPIRED_TOKEN],
    phase: 1,
  },
} as const satisfies Scenarios;
