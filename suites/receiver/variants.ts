import { isUtf8 } from "node:buffer";
import { Webhook } from "standardwebhooks";
import { pause } from "../core/clock.ts";
import type { EventKind } from "../core/contract/event-kinds.ts";
import { alterDependencies } from "./mutants/mutant.ts";
import { ofContentType } from "./mutants/refusing.ts";
import { applyEvent, type ReceiverDependencies, TOLERANCE_S } from "./reference-receiver/dependencies.ts";
import { withQueue } from "./reference-receiver/queue.ts";
import type { Statuses } from "./session/statuses.ts";
import { strictReceivers } from "./variants/strict.ts";
import type { ReceiverVariant } from "./variants/variant.ts";

const READABLE = /^(v\w+,[A-Za-z0-9+/]+={0,2}( |$))+$/;
const inUrls = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Milliseconds by which the first event is delayed. */
const WARM_UP_MS = 700;
/** Milliseconds between the response and the effect. */
const LATER_MS = 40;
/** Milliseconds between a worker's first and second attempt. */
const RETRY_MS = 300;
/** Milliseconds for which a worker is down while many events wait. */
const AWAY_MS = 6_500;
const MANY = 40;

const OWN_STATUSES: Statuses = {
  offered: "TEKLIF",
  at_pickup: "RESTORANDA",
  picked_up: "ALINDI",
  en_route: "YOLDA",
  arrived: "KAPIDA",
  delivered: "TESLIM",
  failed: "BASARISIZ",
  cancelled: "IPTAL",
  returning: "DONUYOR",
  returned: "IADE",
};

/** The final event types, after which a point of sale closes an order. */
const ENDS: readonly EventKind[] = ["delivery.delivered", "delivery.failed", "delivery.cancelled"];

/** Verifies an event with the Standard Webhooks package. */
export const verifiedByPackage =
  (secret: string): ReceiverDependencies["isGenuine"] =>
  (_, { id, timestamp, signature, body }) => {
    const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
    try {
      new Webhook(secret).verify(body.toString(), headers);
      return true;
    } catch {
      return false;
    }
  };

/** Conforming receivers that differ from the reference receiver. */
export const receiverVariants: Readonly<Record<string, ReceiverVariant>> = {
  talkative: {
    choices: ["answers 200 with a web page", "refuses with a body of JSON"],
    mutate: alterDependencies(({ statuses }) => ({ statuses: { ...statuses, accepted: 200 } })),
    options: {
      write: (response, status) =>
        void (status === 200
          ? response.writeHead(200, { "content-type": "text/html" }).end("<p>Merhaba</p>".repeat(20_000))
          : response.writeHead(status, { "content-type": "application/json" }).end('{"error":"no"}')),
    },
  },
  "processes-after-responding": {
    choices: ["answers 202 and processes the event afterwards", "answers 503 if processing fails"],
    mutate: alterDependencies(({ statuses }) => ({
      statuses: { ...statuses, accepted: 202, failed: 503 },
      async process(deps, state, signed, event) {
        const { memory, statuses: own } = deps;
        const key = memory.key(signed, event);
        if (memory.has(key)) return own.accepted;
        if (state.failNext) {
          state.failNext = false;
          return own.failed;
        }
        memory.add(key, 0);
        setTimeout(() => applyEvent(deps, state, signed, event), LATER_MS);
        return own.accepted;
      },
    })),
  },
  queues: {
    choices: ["queues an event and answers 202; its worker retries a failed event after a while"],
    mutate: alterDependencies((original) =>
      withQueue(original, { workMs: () => 1, onFailure: (tryAgain) => void setTimeout(tryAgain, RETRY_MS) }),
    ),
  },
  "queues-and-tries-again-at-once": {
    choices: [
      "queues an event and answers 202; its worker retries a failed event immediately, and counts failures",
    ],
    mutate: alterDependencies((original) =>
      withQueue(original, { workMs: () => 0, onFailure: (tryAgain) => tryAgain(), reportsFailures: true }),
    ),
  },
  "queues-and-pauses": {
    choices: ["queues an event and answers 202; its worker stops for some seconds while many events wait"],
    mutate: alterDependencies((original) => {
      let restarted = false;
      const workMs = (waiting: number) => {
        const away = waiting > MANY && !restarted;
        restarted ||= away;
        return away ? AWAY_MS : 1;
      };
      return withQueue(original, { workMs, onFailure: (tryAgain) => void setTimeout(tryAgain, RETRY_MS) });
    }),
  },
  "answers-409-if-processing-fails": {
    choices: ["answers 409 if processing fails"],
    mutate: alterDependencies(({ statuses }) => ({ statuses: { ...statuses, failed: 409 } })),
  },
  "retries-after-answering-500": {
    choices: ["answers 500 if processing fails, retries by itself, and drops the repeat"],
    mutate: alterDependencies(({ process, memory }) => ({
      process(deps, state, signed, event) {
        if (!state.failNext) return process(deps, state, signed, event);
        state.failNext = false;
        memory.add(memory.key(signed, event), 0);
        setTimeout(() => applyEvent(deps, state, signed, event), LATER_MS);
        return Promise.resolve(deps.statuses.failed);
      },
    })),
  },
  "keeps-no-deliveries": {
    choices: ["processes each event and stores no deliveries"],
    mutate: alterDependencies(() => ({ next: (_, __, offered) => offered })),
    options: { holdsDeliveries: false },
    without: ["stored-deliveries"],
  },
  "refuses-kinds-it-does-not-list": {
    choices: ["subscribes to the final events of a delivery, and refuses all other event types"],
    warnings: ["kinds.courier-location", "kinds.unknown"],
    eventTypes: ENDS,
    without: ["other-event-types"],
    mutate: alterDependencies(() => ({
      objection: ({ type }) =>
        type === "webhook.test" || ENDS.some((kind) => kind === type) ? undefined : 422,
    })),
  },
  "hangs-up-on-kinds-it-does-not-list": {
    choices: [
      "subscribes to the final events of a delivery, and closes the connection on all other event types",
    ],
    warnings: ["kinds.courier-location", "kinds.unknown"],
    eventTypes: ENDS,
    without: ["other-event-types"],
    mutate: alterDependencies(() => ({
      objection: ({ type }) =>
        type === "webhook.test" || ENDS.some((kind) => kind === type) ? undefined : "close",
    })),
  },
  "ignores-kinds-it-does-not-list": {
    choices: ["subscribes to one event type; all others get 204 and change nothing"],
    warnings: ["order.equal-versions"],
    eventTypes: ["delivery.delivered"],
    without: ["other-event-types"],
    mutate: alterDependencies(({ process, statuses }) => ({
      process: (deps, state, signed, event) =>
        event.type === "delivery.delivered"
          ? process(deps, state, signed, event)
          : Promise.resolve(statuses.accepted),
    })),
  },
  "closes-connections": {
    choices: ["closes the connection after each response"],
    options: { prepare: (response) => void response.setHeader("connection", "close") },
  },
  "drops-idle-connections": {
    choices: ["closes idle connections soon after a response"],
    options: {
      prepare(response) {
        const { socket } = response;
        response.once("finish", () => setTimeout(() => socket?.destroy(), 3));
      },
    },
  },
  "signature-first": {
    choices: ["verifies the signature before it looks at the time", "accepts timestamps up to 305 s old"],
    mutate: alterDependencies(({ isGenuine }) => ({
      isStale: (sentAt, now) => !(Math.abs(now - sentAt) <= TOLERANCE_S + 5),
      refusal(deps, request) {
        const signed = deps.signed(deps, request);
        if (!signed) return 400;
        if (!isGenuine(deps, signed)) return 401;
        return deps.isStale(deps.seconds(signed.timestamp), deps.now()) ? 400 : undefined;
      },
    })),
  },
  "unreadable-is-400": {
    choices: [
      "refuses malformed signatures with 400",
      "refuses a body that isn't JSON with 400, without verification",
    ],
    mutate: alterDependencies(({ refusal }) => ({
      refusal(deps, request) {
        const signature = deps.header(request, "webhook-signature");
        if (signature !== undefined && !READABLE.test(signature) && !signature.includes("keyid")) return 400;
        try {
          if (!deps.read(request.body).type.startsWith("")) return 400;
        } catch {
          return 400;
        }
        return refusal(deps, request);
      },
    })),
  },
  "unreadable-is-401": {
    choices: ["refuses empty headers and malformed timestamps with 401"],
    mutate: alterDependencies(({ refusal }) => ({
      refusal(deps, request) {
        const values = ["id", "timestamp", "signature"].map((name) =>
          deps.header(request, `webhook-${name}`),
        );
        const timestamp = values[1];
        if (values.includes("") && !values.includes(undefined)) return 401;
        return timestamp !== undefined && Number.isNaN(deps.seconds(timestamp)) && !values.includes(undefined)
          ? 401
          : refusal(deps, request);
      },
    })),
  },
  "accepts-only-specified-statuses": {
    choices: ["refuses every status whose string the specification doesn't give"],
    warnings: ["kinds.unknown-statuses"],
    mutate: alterDependencies(() => ({
      objection: ({ data }) =>
        data && !["RECEIVED", "QUEUED", "ASSIGNED"].includes(data.status) ? 422 : undefined,
    })),
  },
  "accepts-only-its-services-statuses": {
    choices: [
      "refuses every status that its service doesn't have, or that doesn't match the event type",
      "refuses amounts with more than two non-zero decimals",
    ],
    warnings: ["kinds.unknown-statuses"],
    statuses: OWN_STATUSES,
    mutate: alterDependencies(({ refusal }) => ({
      refusal: (deps, request) =>
        refusal(deps, request) ??
        (/"amount_due":\d+\.\d\d\d*[1-9][,}]/.test(request.body.toString()) ? 422 : undefined),
      objection({ type, data }) {
        if (!data || type === "delivery.courier_location") return undefined;
        const fitting = OWN_STATUSES[type.replace("delivery.", "")] ?? "RECEIVED QUEUED ASSIGNED";
        return fitting.split(" ").includes(data.status) ? undefined : 422;
      },
    })),
  },
  "refuses-charsets": {
    choices: ["refuses a content type that names a charset"],
    warnings: ["headers.content-type"],
    mutate: ofContentType((type) => type === "application/json"),
  },
  "requires-charsets": {
    choices: ["refuses a content type that names no charset"],
    warnings: ["headers.content-type"],
    mutate: ofContentType((type) => /^application\/json; ?charset=utf-8$/i.test(type)),
  },
  "verifies-with-the-package": {
    choices: ["refuses a body that isn't UTF-8, then passes its text to the standardwebhooks package"],
    mutate: alterDependencies(({ refusal, secret }) => ({
      refusal: (deps, request) => (isUtf8(request.body) ? refusal(deps, request) : 400),
      isGenuine: verifiedByPackage(secret),
    })),
  },
  "verifies-as-the-package-is-documented": {
    choices: [
      "passes body and headers to the standardwebhooks package without validating them first, as the svix package does",
    ],
    warnings: ["freshness.more-than-was-signed", "tampering.unreadable-bytes"],
    mutate: alterDependencies(({ secret }) => ({
      seconds: (timestamp) => Number.parseInt(timestamp, 10),
      isGenuine: verifiedByPackage(secret),
    })),
  },
  lenient: {
    choices: [
      "accepts base64 without padding, base64url, and hex",
      "ignores characters after a signature's padding",
      "accepts timestamps with a plus sign or decimals",
    ],
    mutate: alterDependencies(({ same }) => ({
      same: (given, expected) =>
        same(inUrls(given.replace(/=.*$/, "")), inUrls(expected)) ||
        same(given, Buffer.from(expected, "base64").toString("hex")),
      seconds: (timestamp) => (/^\+?\d{1,12}(\.\d+)?$/.test(timestamp) ? Number(timestamp) : Number.NaN),
    })),
  },
  "slow-at-first": {
    choices: ["is slow at its first event", "takes a while for each event"],
    mutate: alterDependencies(({ receive }) => {
      let first = true;
      return {
        async receive(deps, state, request) {
          const delay = first ? WARM_UP_MS : 5;
          first = false;
          await pause(delay);
          return receive(deps, state, request);
        },
      };
    }),
  },
  "stores-its-own-statuses": {
    choices: ["stores its own status strings", "counts outdated events and test events as processed"],
    query: "?channel=courier&branch=7",
    mutate: alterDependencies(({ process, next }) => ({
      next(kept, delivery, offered) {
        const status = `K-${offered.status.toLowerCase()}`;
        const result = next(kept, delivery, { ...offered, status });
        return result === kept && kept ? { ...kept } : result;
      },
      async process(deps, state, signed, event) {
        const answer = await process(deps, state, signed, event);
        if (!event.data) state.processed.set(signed.id, 1);
        return answer;
      },
    })),
  },
  "one-after-the-other": {
    choices: ["processes events one after another"],
    mutate: alterDependencies(({ process }) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        process(deps, state, signed, event) {
          const mine = last.then(async () => {
            await pause(1);
            return process(deps, state, signed, event);
          });
          last = mine;
          return mine;
        },
      };
    }),
  },
  ...strictReceivers,
};
