import * as fc from "fast-check";
import type { Fault } from "./fault.ts";

/** What the sandbox does to one order, or to one page of the list. */
export interface Scenario {
  readonly name: string;
  /** What the person sees happen, in words. */
  readonly title: string;
  /** What it happens to: an order from its first try on, or a page that is asked for with a cursor. */
  readonly target: "order" | "page";
  /** What the first, second, third … try meets; later ones go through. */
  readonly steps: readonly Fault[];
  /** When its turn comes: what heals by trying again is first, what ends in a refusal later. */
  readonly phase: 1 | 2 | 3;
  /** Whether a client may rightly end over it: it has a start of its own then. */
  readonly ends?: boolean;
}

const SERVER_ERROR = { kind: "error", status: 500, code: "SUNUCU_HATASI", says: "fault" } as const;
const OUT_OF_AREA = {
  kind: "error",
  status: 422,
  code: "HIZMET_DISI",
  says: "refusal",
  details: { road_km: 18.4, max_km: 12 },
} as const;

/** Longer than the first waits of the backoff, so that the two can be told apart. */
export const RETRY_AFTER_S = 6;

/** As many failures in a row that the waits between them reach a minute and stay there. */
const OUTAGE: readonly Fault[] = [
  SERVER_ERROR,
  { kind: "html", status: 502 },
  { kind: "html", status: 503 },
  SERVER_ERROR,
  { kind: "html", status: 504 },
  SERVER_ERROR,
  { kind: "html", status: 503 },
  SERVER_ERROR,
  { kind: "html", status: 503 },
];

/** Everything that can be played, by name. */
export const SCENARIOS = {
  calm: { title: "nothing is in the way", target: "order", steps: [], phase: 1 },
  "server-error": { title: "an unexpected error", target: "order", steps: [SERVER_ERROR], phase: 1 },
  "other-words": {
    title: "an unexpected error whose message sounds final",
    target: "order",
    steps: [{ ...SERVER_ERROR, says: "final" }],
    phase: 1,
  },
  "bad-gateway": {
    title: "a gateway's error page in HTML",
    target: "order",
    steps: [{ kind: "html", status: 502 }],
    phase: 1,
  },
  unavailable: { title: "a short outage", target: "order", steps: [{ kind: "html", status: 503 }], phase: 1 },
  reset: {
    title: "the connection is reset before the service sees the order",
    target: "order",
    steps: [{ kind: "reset" }],
    phase: 1,
  },
  "lost-answer": {
    title: "the order is taken, and the answer lost",
    target: "order",
    steps: [{ kind: "lost-answer" }],
    phase: 1,
  },
  "rate-limit": {
    title: "the rate limit is reached",
    target: "order",
    steps: [{ kind: "error", status: 429, code: "HIZ_SINIRI", says: "busy", retryAfter: RETRY_AFTER_S }],
    phase: 1,
  },
  "slow-answer": {
    title: "the answer takes its time",
    target: "order",
    steps: [{ kind: "slow", seconds: 5 }],
    phase: 1,
  },
  "expired-token": { title: "the token has expired", target: "order", steps: [{ kind: "expiry" }], phase: 1 },
  "out-of-area": {
    title: "the address lies outside the service area",
    target: "order",
    steps: [OUT_OF_AREA],
    phase: 2,
  },
  "out-of-area-in-other-words": {
    title: "the same, with a message that sounds as if it will pass",
    target: "order",
    steps: [{ ...OUT_OF_AREA, says: "passing" }],
    phase: 2,
  },
  "inactive-store": {
    title: "the store is suspended",
    target: "order",
    steps: [{ kind: "error", status: 409, code: "MAGAZA_PASIF", says: "refusal" }],
    phase: 2,
  },
  forbidden: {
    title: "the order is not for this credential",
    target: "order",
    steps: [{ kind: "error", status: 403, code: "YETKI_YOK", says: "refusal" }],
    phase: 2,
  },
  outage: {
    title: `an outage that lasts for ${OUTAGE.length} tries`,
    target: "order",
    steps: OUTAGE,
    phase: 3,
  },
  "closed-credential": {
    title: "the token is refused, and the next one too",
    target: "order",
    steps: [
      { kind: "expiry" },
      { kind: "error", status: 401, code: "OTURUM_GECERSIZ", says: "token" },
      { kind: "error", status: 401, code: "OTURUM_GECERSIZ", says: "token" },
    ],
    phase: 3,
    ends: true,
  },
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
} as const satisfies Readonly<Record<string, Omit<Scenario, "name">>>;

export type ScenarioName = keyof typeof SCENARIOS;

const all: readonly Scenario[] = Object.entries(SCENARIOS).map(([name, rest]) => ({ name, ...rest }));

export const scenarioNames: readonly string[] = all.map(({ name }) => name);

/** The scenarios of these names in the order in which they are played: phase by phase, shuffled by the seed within. */
export function playedBy(seed: number, names: readonly string[]): readonly Scenario[] {
  const chosen = all.filter(({ name }) => names.includes(name));
  const shuffled = fc.shuffledSubarray(chosen, { minLength: chosen.length });
  const [order = []] = fc.sample(shuffled, { seed, numRuns: 1 });
  return order.toSorted((a, b) => a.phase - b.phase);
}
