import {
  type Answer,
  type IncomingRequest,
  type ReceiverDependencies,
  TOLERANCE_S,
} from "../reference-receiver/dependencies.ts";
import { alterDependencies, type ReceiverMutant } from "./mutant.ts";

const statuses = (changed: Partial<ReceiverDependencies["statuses"]>): ReceiverMutant["mutate"] =>
  alterDependencies((original) => ({ statuses: { ...original.statuses, ...changed } }));

/** Reads a missing header as another value. */
const readingMissing = (
  missing: string,
  read: (deps: ReceiverDependencies) => string,
): ReceiverMutant["mutate"] =>
  alterDependencies(({ signed }) => ({
    signed: (deps, request) =>
      signed(
        {
          ...deps,
          header: (incoming, name) =>
            deps.header(incoming, name) ?? (name === missing ? read(deps) : undefined),
        },
        request,
      ),
  }));

const stale = (isStale: ReceiverDependencies["isStale"]): ReceiverMutant["mutate"] =>
  alterDependencies(() => ({ isStale }));
const seconds = (read: (timestamp: string, original: number) => number): ReceiverMutant["mutate"] =>
  alterDependencies((original) => ({ seconds: (timestamp) => read(timestamp, original.seconds(timestamp)) }));

function answeringIf(meets: (signature: string) => boolean, otherwise: Answer): ReceiverMutant["mutate"] {
  return alterDependencies(({ refusal }) => ({
    refusal: (deps, request) =>
      meets(deps.header(request, "webhook-signature") ?? "") ? otherwise : refusal(deps, request),
  }));
}

/** Refuses events whose content type isn't accepted by `fits`. */
export const ofContentType = (fits: (type: string) => boolean): ReceiverMutant["mutate"] =>
  alterDependencies(({ refusal }) => ({
    refusal: (deps, request) =>
      fits(deps.header(request, "content-type") ?? "") ? refusal(deps, request) : 415,
  }));

const DIGEST_BYTES = 32;
const ofAnotherLength = (header: string): boolean =>
  header
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .some((entry) => Buffer.from(entry.slice(3), "base64").length !== DIGEST_BYTES);
const outsideOfAscii = (header: string): boolean => /[^\0-\x7f]/.test(header);
const withoutComma = (header: string): boolean => header !== "" && !header.includes(",");

const rawHeader = ({ rawHeaders }: IncomingRequest, name: string): string | undefined => {
  const at = rawHeaders.findIndex((text, i) => i % 2 === 0 && text === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
};

const HOUR_S = 3_600;
const DAY_S = 86_400;

export const refusingMutants = {
  "refuses-forgeries-with-400": {
    fault: "an invalid signature gets 400",
    caughtBy: ["signatures.other-keys"],
    mutate: statuses({ forged: 400 }),
  },
  "refuses-forgeries-with-403": {
    fault: "an invalid signature gets 403",
    caughtBy: ["signatures.other-keys"],
    mutate: statuses({ forged: 403 }),
  },
  "refuses-forgeries-with-200": {
    fault: "an event with an invalid signature gets 200 and is dropped",
    caughtBy: ["signatures.other-keys"],
    mutate: statuses({ forged: 200 }),
  },
  "refuses-forgeries-with-500": {
    fault: "an invalid signature gets 500",
    caughtBy: ["signatures.other-keys"],
    mutate: statuses({ forged: 500 }),
  },
  "refuses-missing-headers-with-401": {
    fault: "a missing header gets 401",
    caughtBy: ["headers.id-missing", "headers.signature-missing", "headers.timestamp-missing"],
    mutate: statuses({ missing: 401 }),
  },
  "refuses-stale-with-401": {
    fault: "a stale timestamp gets 401",
    caughtBy: ["freshness.old"],
    mutate: statuses({ stale: 401 }),
  },
  "fails-on-a-missing-header": {
    fault: "a missing header gets 500",
    caughtBy: ["headers.id-missing", "headers.signature-missing", "headers.timestamp-missing"],
    mutate: statuses({ missing: 500 }),
  },
  "accepts-an-event-without-id": {
    fault: "a missing webhook-id reads as an empty one",
    caughtBy: ["headers.id-missing"],
    mutate: alterDependencies(() => ({
      signed(deps, request) {
        const id = deps.header(request, "webhook-id") ?? "";
        const timestamp = deps.header(request, "webhook-timestamp");
        const signature = deps.header(request, "webhook-signature");
        return timestamp && signature ? { id, timestamp, signature, body: request.body } : undefined;
      },
    })),
  },
  "accepts-an-event-without-timestamp": {
    fault: "a missing webhook-timestamp reads as the text undefined, and counts as fresh",
    caughtBy: ["headers.timestamp-missing"],
    mutate: alterDependencies((original) => ({
      ...readingMissing("webhook-timestamp", () => "undefined")(original),
      isStale: (sentAt, now) => !Number.isNaN(sentAt) && original.isStale(sentAt, now),
    })),
  },
  "reads-a-missing-timestamp-as-now": {
    fault: "a missing webhook-timestamp reads as the present time",
    caughtBy: ["headers.timestamp-missing"],
    mutate: readingMissing("webhook-timestamp", (deps) => String(deps.now())),
  },
  "accepts-an-event-without-signature": {
    fault: "a request without webhook-signature is accepted",
    caughtBy: ["headers.signature-missing"],
    mutate: alterDependencies((original) => ({
      ...readingMissing("webhook-signature", () => "none")(original),
      isGenuine: (deps, signed) => signed.signature === "none" || original.isGenuine(deps, signed),
    })),
  },
  "reads-only-lower-case-header-names": {
    fault: "header names are only recognised in lower case",
    caughtBy: ["headers.any-case"],
    mutate: alterDependencies(() => ({ header: rawHeader })),
  },
  "refuses-a-charset": {
    fault: "a content type that names a charset is refused with 415",
    caughtBy: ["headers.content-type"],
    mutate: ofContentType((type) => type === "application/json"),
  },
  "requires-a-charset": {
    fault: "a content type without a charset is refused with 415",
    caughtBy: ["headers.content-type"],
    mutate: ofContentType((type) => type.includes("charset")),
  },
  "accepts-stale-timestamps": {
    fault: "the timestamp is ignored",
    caughtBy: ["freshness.future", "freshness.known-events", "freshness.old", "freshness.other-units"],
    mutate: stale(() => false),
  },
  "accepts-future-timestamps": {
    fault: "any timestamp in the future counts as fresh",
    caughtBy: ["freshness.future"],
    mutate: stale((sentAt, now) => !(now - sentAt <= TOLERANCE_S)),
  },
  "refuses-all-future-timestamps": {
    fault: "any timestamp in the future is refused",
    caughtBy: ["freshness.not-so-far-ahead"],
    mutate: stale((sentAt, now) => !(now - sentAt <= TOLERANCE_S && sentAt <= now + 1)),
  },
  "accepts-timestamps-of-285-seconds": {
    fault: "the tolerance is 285 seconds",
    caughtBy: ["freshness.not-so-far-ahead", "freshness.not-so-old"],
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= 285)),
  },
  "accepts-timestamps-of-315-seconds": {
    fault: "the tolerance is 315 seconds",
    caughtBy: ["freshness.future", "freshness.old"],
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= 315)),
  },
  "accepts-timestamps-of-an-hour": {
    fault: "the tolerance is an hour",
    caughtBy: ["freshness.future", "freshness.old"],
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= HOUR_S)),
  },
  "accepts-timestamps-of-a-minute": {
    fault: "the tolerance is a minute",
    caughtBy: ["freshness.not-so-far-ahead", "freshness.not-so-old"],
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= 60)),
  },
  "compares-only-the-time-of-day": {
    fault: "only the time of day is compared",
    caughtBy: ["freshness.old"],
    mutate: stale((sentAt, now) => !(Math.abs((now % DAY_S) - (sentAt % DAY_S)) <= TOLERANCE_S)),
  },
  "accepts-milliseconds-too": {
    fault: "a timestamp in milliseconds is accepted too",
    caughtBy: ["freshness.other-units"],
    mutate: seconds((timestamp, original) =>
      timestamp.length >= 13 ? Math.floor(Number(timestamp) / 1000) : original,
    ),
  },
  "accepts-non-numeric-timestamps": {
    fault: "a timestamp that isn't a number counts as fresh",
    caughtBy: ["freshness.no-number"],
    mutate: alterDependencies(() => ({
      seconds: Number,
      isStale: (sentAt, now) => Math.abs(now - sentAt) > TOLERANCE_S,
    })),
  },
  "accepts-dates-too": {
    fault: "a timestamp that is a date is accepted too",
    caughtBy: ["freshness.no-number"],
    mutate: seconds((timestamp, original) =>
      timestamp.includes("T") ? Math.floor(Date.parse(timestamp) / 1000) : original,
    ),
  },
  "ignores-characters-after-timestamp-digits": {
    fault: "characters after the timestamp's digits are ignored",
    caughtBy: ["freshness.no-number"],
    mutate: seconds((timestamp) => Number.parseInt(timestamp, 10)),
  },
  "answers-known-events-unverified": {
    fault: "a known event gets 2xx before anything is verified",
    caughtBy: ["freshness.known-events"],
    mutate: alterDependencies(({ refusal, process }) => {
      const known = new Set<string>();
      return {
        refusal: (deps, request) =>
          known.has(deps.header(request, "webhook-id") ?? "")
            ? deps.statuses.accepted
            : refusal(deps, request),
        process(deps, state, signed, event) {
          known.add(signed.id);
          return process(deps, state, signed, event);
        },
      };
    }),
  },
  "parses-before-verifying": {
    fault: "the body is parsed before the signature is verified, so invalid JSON gets 500",
    caughtBy: ["survival.forged-bodies"],
    mutate: alterDependencies(({ refusal }) => ({
      refusal(deps, request) {
        deps.read(request.body).type.toString();
        return refusal(deps, request);
      },
    })),
  },
  "exits-on-signatures-of-another-length": {
    fault: "a digest of a different length ends the process",
    caughtBy: ["survival.lengths"],
    mutate: answeringIf(ofAnotherLength, "die"),
  },
  "fails-on-signatures-of-another-length": {
    fault: "a digest of a different length gets 500",
    caughtBy: ["survival.lengths"],
    mutate: answeringIf(ofAnotherLength, 500),
  },
  "fails-on-signatures-without-a-comma": {
    fault: "a signature without a comma gets 500",
    caughtBy: ["survival.forms"],
    mutate: answeringIf(withoutComma, 500),
  },
  "exits-on-signatures-without-a-comma": {
    fault: "a signature without a comma ends the process",
    caughtBy: ["survival.forms"],
    mutate: answeringIf(withoutComma, "die"),
  },
  "hangs-on-malformed-signatures": {
    fault: "a malformed signature gets no response",
    caughtBy: ["survival.forms"],
    mutate: answeringIf(withoutComma, "silence"),
  },
  "exits-on-non-ascii-signatures": {
    fault: "a non-ASCII character in the signature ends the process",
    caughtBy: ["survival.letters"],
    mutate: answeringIf(outsideOfAscii, "die"),
  },
  "fails-on-non-ascii-signatures": {
    fault: "a non-ASCII character in the signature gets 500",
    caughtBy: ["survival.letters"],
    mutate: answeringIf(outsideOfAscii, 500),
  },
  "stays-broken-after-a-bad-signature": {
    fault: "after a signature of another length, every event is refused",
    caughtBy: ["survival.lengths"],
    mutate: alterDependencies(({ refusal }) => {
      let broken = false;
      return {
        refusal(deps, request) {
          const answer = refusal(deps, request);
          if (broken) return deps.statuses.forged;
          broken = ofAnotherLength(deps.header(request, "webhook-signature") ?? "");
          return answer;
        },
      };
    }),
  },
} satisfies Record<string, ReceiverMutant>;
