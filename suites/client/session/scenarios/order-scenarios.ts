import {
  EXPIRED_TOKEN,
  type Fault,
  htmlErrorPage,
  RATE_LIMIT,
  refusal,
  SERVER_ERROR,
  tokenRefusal,
} from "./fault.ts";
import type { Scenarios } from "./scenario.ts";

const OUT_OF_AREA = refusal(422, "HIZMET_DISI", { road_km: 18.4, max_km: 12 });

/** Enough consecutive failures for the client's wait to reach its maximum, a minute. */
const OUTAGE: readonly Fault[] = [
  SERVER_ERROR,
  htmlErrorPage(502),
  htmlErrorPage(503),
  SERVER_ERROR,
  htmlErrorPage(504),
  SERVER_ERROR,
  htmlErrorPage(503),
  SERVER_ERROR,
  htmlErrorPage(503),
];

/**
 * Enough consecutive failures to show the client's waits, even if a library sends the first retry by itself.
 */
const RESETS: readonly Fault[] = Array.from({ length: 4 }, () => ({ kind: "reset" }));

/** The number of failures that gives three waits, which show whether they grow. */
const FAILURES_TO_SHOW_GROWTH = 3;

const pages = (status: 502 | 503): readonly Fault[] =>
  Array.from({ length: FAILURES_TO_SHOW_GROWTH }, () => htmlErrorPage(status));

export const ORDER_SCENARIOS = {
  calm: { title: "no fault", target: "order", steps: [], phase: 1 },
  "server-error": { title: "an unexpected error", target: "order", steps: [SERVER_ERROR], phase: 1 },
  "other-words": {
    title: "an unexpected error whose message sounds final",
    target: "order",
    steps: [{ ...SERVER_ERROR, says: "final" }],
    phase: 1,
  },
  "bad-gateway": {
    title: `a gateway's error page in HTML, ${FAILURES_TO_SHOW_GROWTH} times`,
    target: "order",
    steps: pages(502),
    phase: 1,
  },
  unavailable: {
    title: `a short outage that lasts for ${FAILURES_TO_SHOW_GROWTH} attempts`,
    target: "order",
    steps: pages(503),
    phase: 1,
  },
  reset: {
    title: `the connection is reset ${RESETS.length} times before the service sees the order`,
    target: "order",
    steps: RESETS,
    phase: 1,
  },
  "lost-response": {
    title: "the order is accepted, and the response lost",
    target: "order",
    steps: [{ kind: "lost-response" }],
    phase: 1,
  },
  "rate-limit": {
    title: "the rate limit is reached",
    target: "order",
    steps: [RATE_LIMIT],
    phase: 1,
  },
  "slow-response": {
    title: "the response is slow",
    target: "order",
    steps: [{ kind: "slow", seconds: 5 }],
    phase: 1,
  },
  "expired-token": { title: "the token has expired", target: "order", steps: [EXPIRED_TOKEN], phase: 1 },
  "missing-token": {
    title: "the token is reported as missing",
    target: "order",
    steps: [tokenRefusal("KIMLIK_YOK")],
    phase: 1,
  },
  "malformed-token": {
    title: "the token is reported as malformed",
    target: "order",
    steps: [tokenRefusal("GECERSIZ")],
    phase: 1,
  },
  "ended-session": {
    title: "the token's session is over",
    target: "order",
    steps: [tokenRefusal("OTURUM_GECERSIZ")],
    phase: 1,
  },
  "out-of-area": {
    title: "the address is outside the service area",
    target: "order",
    steps: [OUT_OF_AREA],
    phase: 2,
  },
  "out-of-area-in-other-words": {
    title: "the address is outside the service area, with a message that sounds temporary",
    target: "order",
    steps: [{ ...OUT_OF_AREA, says: "passing" }],
    phase: 2,
  },
  "inactive-store": {
    title: "the store is suspended",
    target: "order",
    steps: [refusal(409, "MAGAZA_PASIF")],
    phase: 2,
  },
  forbidden: {
    title: "the credential may not create orders",
    target: "order",
    steps: [refusal(403, "YETKI_YOK")],
    phase: 2,
  },
  "invalid-order": {
    title: "the order is invalid against the schema",
    target: "order",
    steps: [refusal(400, "DOGRULAMA", { field: "dropoff.text", reason: "invalid" })],
    phase: 2,
  },
  "unknown-store": {
    title: "the store isn't found",
    target: "order",
    steps: [refusal(404, "MAGAZA_YOK")],
    phase: 2,
  },
  "taken-reference": {
    title: "the store already has an order with this number",
    target: "order",
    steps: [{ kind: "taken-reference" }],
    phase: 2,
  },
  gone: {
    title: "the resource no longer exists",
    target: "order",
    steps: [refusal(410, "TAKIP_KAPANDI")],
    phase: 2,
  },
  "unsupported-type": {
    title: "the content type isn't accepted",
    target: "order",
    steps: [refusal(415, "ICERIK_TURU")],
    phase: 2,
  },
  outage: {
    title: `an outage that lasts for up to ${OUTAGE.length} attempts`,
    target: "order",
    steps: OUTAGE,
    phase: 3,
    isLong: true,
  },
  "closed-credential": {
    title: "the token is refused, and the next one too",
    target: "order",
    steps: [
      EXPIRED_TOKEN,
      { kind: "error", status: 401, code: "OTURUM_GECERSIZ", says: "token" },
      { kind: "error", status: 401, code: "OTURUM_GECERSIZ", says: "token" },
    ],
    phase: 3,
    mayExit: true,
  },
} as const satisfies Scenarios;
