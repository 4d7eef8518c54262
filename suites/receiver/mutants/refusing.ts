import {
  type Answer,
  type IncomingRequest,
  type ReceiverDependencies,
  TOLERANCE_S,
} from "../reference-receiver/dependencies.ts";
import { alterDependencies, type ReceiverMutant } from "./mutant.ts";

const statuses = (changed: Partial<ReceiverDependencies["statuses"]>): ReceiverMutant["mutate"] =>
  alterDependencies((right) => ({ statuses: { ...right.statuses, ...changed } }));

/** Replaces a missing header. */
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
const seconds = (read: (timestamp: string, right: number) => number): ReceiverMutant["mutate"] =>
  alterDependencies((right) => ({ seconds: (timestamp) => read(timestamp, right.seconds(timestamp)) }));

/** Responds differently to some signature headers. */
function where(meets: (signature: string) => boolean, otherwise: Answer): ReceiverMutant["mutate"] {
  return alterDependencies(({ refusal }) => ({
    refusal: (deps, request) =>
      meets(deps.header(request, "webhook-signature") ?? "") ? otherwise : refusal(deps, request),
  }));
}

/** Refuses all other content types first. */
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
    fault: "a bad signature is answered with 400",
    mutate: statuses({ forged: 400 }),
  },
  "refuses-forgeries-with-403": {
    fault: "a bad signature is answered with 403",
    mutate: statuses({ forged: 403 }),
  },
  "refuses-forgeries-with-200": {
    fault: "a bad signature is answered with 200, and the event dropped",
    mutate: statuses({ forged: 200 }),
  },
  "forged-is-500": {
    fault: "a bad signature is an exception that nobody catches",
    mutate: statuses({ forged: 500 }),
  },
  "refuses-missing-headers-with-401": {
    fault: "a missing header is answered with 401",
    mutate: statuses({ missing: 401 }),
  },
  "refuses-stale-with-401": {
    fault: "a stale timestamp is answered with 401",
    mutate: statuses({ stale: 401 }),
  },
  "fails-on-a-missing-header": {
    fault: "a missing header makes it fail",
    mutate: statuses({ missing: 500 }),
  },
  "takes-an-event-without-id": {
    fault: "a missing webhook-id reads as an empty one",
    mutate: alterDependencies(() => ({
      signed(deps, request) {
        const id = deps.header(request, "webhook-id") ?? "";
        const timestamp = deps.header(request, "webhook-timestamp");
        const signature = deps.header(request, "webhook-signature");
        return timestamp && signature ? { id, timestamp, signature, body: request.body } : undefined;
      },
    })),
  },
  "takes-an-event-without-timestamp": {
    fault: "a request without webhook-timestamp is fresh, and signed as undefined",
    mutate: alterDependencies((right) => ({
      ...readingMissing("webhook-timestamp", () => "undefined")(right),
      isStale: (sentAt, now) => !Number.isNaN(sentAt) && right.isStale(sentAt, now),
    })),
  },
  "reads-a-missing-timestamp-as-now": {
    fault: "a missing webhook-timestamp reads as the present time",
    mutate: readingMissing("webhook-timestamp", (deps) => String(deps.now())),
  },
  "takes-an-event-without-signature": {
    fault: "a request without webhook-signature is let through",
    mutate: alterDependencies((right) => ({
      ...readingMissing("webhook-signature", () => "none")(right),
      isGenuine: (deps, signed) => signed.signature === "none" || right.isGenuine(deps, signed),
    })),
  },
  "reads-header-names-as-written": {
    fault: "header names are found in lower case alone",
    mutate: alterDependencies(() => ({ header: rawHeader })),
  },
  "refuses-a-charset": {
    fault: "a content type that names a charset is refused with 415",
    mutate: ofContentType((type) => type === "application/json"),
  },
  "wants-a-charset": {
    fault: "a content type without a charset is refused with 415",
    mutate: ofContentType((type) => type.includes("charset")),
  },
  "takes-stale-timestamps": { fault: "the timestamp isn't looked at", mutate: stale(() => false) },
  "takes-timestamps-ahead": {
    fault: "a timestamp that lies ahead counts as fresh",
    mutate: stale((sentAt, now) => !(now - sentAt <= TOLERANCE_S)),
  },
  "takes-nothing-from-the-future": {
    fault: "a timestamp that lies ahead is refused at once",
    mutate: stale((sentAt, now) => !(now - sentAt <= TOLERANCE_S && sentAt <= now + 1)),
  },
  "takes-timestamps-of-285-seconds": {
    fault: "the tolerance is 285 seconds",
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= 285)),
  },
  "takes-timestamps-of-315-seconds": {
    fault: "the tolerance is 315 seconds",
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= 315)),
  },
  "takes-timestamps-of-an-hour": {
    fault: "the tolerance is an hour",
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= HOUR_S)),
  },
  "takes-timestamps-of-a-minute": {
    fault: "the tolerance is a minute",
    mutate: stale((sentAt, now) => !(Math.abs(now - sentAt) <= 60)),
  },
  "wraps-old-timestamps": {
    fault: "only the time of day is compared",
    mutate: stale((sentAt, now) => !(Math.abs((now % DAY_S) - (sentAt % DAY_S)) <= TOLERANCE_S)),
  },
  "takes-milliseconds-too": {
    fault: "a timestamp in milliseconds is read as well",
    mutate: seconds((timestamp, right) =>
      timestamp.length >= 13 ? Math.floor(Number(timestamp) / 1000) : right,
    ),
  },
  "accepts-non-numeric-timestamps": {
    fault: "what is no number isn't more than 300 seconds away",
    mutate: alterDependencies(() => ({
      seconds: Number,
      isStale: (sentAt, now) => Math.abs(now - sentAt) > TOLERANCE_S,
    })),
  },
  "takes-dates-too": {
    fault: "a timestamp may be written as a date",
    mutate: seconds((timestamp, right) =>
      timestamp.includes("T") ? Math.floor(Date.parse(timestamp) / 1000) : right,
    ),
  },
  "reads-timestamps-as-far-as-they-are-numbers": {
    fault: "what stands after a timestamp's digits isn't looked at",
    mutate: seconds((timestamp) => Number.parseInt(timestamp, 10)),
  },
  "answers-known-events-unseen": {
    fault: "an event that is known is answered with 2xx before anything else is looked at",
    mutate: alterDependencies(({ refusal, process }) => {
      const known = new Set<string>();
      return {
        refusal: (deps, request) =>
          known.has(deps.header(request, "webhook-id") ?? "") ? deps.statuses.taken : refusal(deps, request),
        process(deps, held, signed, event) {
          known.add(signed.id);
          return process(deps, held, signed, event);
        },
      };
    }),
  },
  "parses-before-it-checks": {
    fault: "the body is parsed before the signature is verified, and fails where it is no event",
    mutate: alterDependencies(({ refusal }) => ({
      refusal(deps, request) {
        deps.read(request.body).type.toString();
        return refusal(deps, request);
      },
    })),
  },
  "dies-on-signatures-of-another-length": {
    fault: "comparing digests of different lengths ends the process",
    mutate: where(ofAnotherLength, "die"),
  },
  "fails-on-signatures-of-another-length": {
    fault: "comparing digests of different lengths throws",
    mutate: where(ofAnotherLength, 500),
  },
  "fails-on-signatures-without-a-comma": {
    fault: "a signature without a comma throws",
    mutate: where(withoutComma, 500),
  },
  "dies-on-signatures-without-a-comma": {
    fault: "a signature without a comma ends the process",
    mutate: where(withoutComma, "die"),
  },
  "hangs-on-signatures-it-cannot-read": {
    fault: "a request whose signature can't be read is never answered",
    mutate: where(withoutComma, "silence"),
  },
  "dies-on-letters-outside-of-ascii": {
    fault: "a letter outside of ASCII in the signature ends the process",
    mutate: where(outsideOfAscii, "die"),
  },
  "fails-on-letters-outside-of-ascii": {
    fault: "a letter outside of ASCII in the signature throws",
    mutate: where(outsideOfAscii, 500),
  },
  "stays-broken-after-a-bad-signature": {
    fault: "after a signature of another length nothing is accepted any more",
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
