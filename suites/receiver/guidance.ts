import type { GuidanceByGroup } from "../core/guidance.ts";

export const receiverGuidance: GuidanceByGroup = {
  kinds: {
    why: "What a receiver refuses is sent again for a day and then lost, and after five days of it the address is closed.",
    causes: [
      "A switch over the kinds ends in an error where it should end in doing nothing.",
      "The body is validated strictly, so that a new field or status of the service stops the receiver.",
      "data, courier or customer is read without a look at whether it is null.",
    ],
  },
  bodies: {
    why: "The signature is over the bytes: a receiver that rewrites them before it verifies refuses genuine events, often only those with certain names or amounts.",
    causes: [
      "A framework's JSON parser took the body, and it is serialised again for the signature: take the raw body.",
      "The body is read as text in another charset, trimmed, or normalised.",
      "Each piece of the body is decoded as it arrives, so that a letter which is cut between two is lost: put bytes together.",
      "The limit for bodies is the framework's default, and large orders are answered with 413.",
    ],
  },
  signatures: {
    why: "Only the signature distinguishes a genuine event from a forged one. An attacker who bypasses it can mark orders as delivered.",
    causes: [
      "The secret is used as text, or with its prefix: the key is the base64 after whsec_, decoded.",
      "Only the first signature is read, or the version before it isn't looked at.",
      "A missing setting turns into an empty key, or into the text undefined, instead of an error at the start.",
    ],
  },
  tampering: {
    why: "An old event that can be altered, or given another id or time, is as good as a forged one.",
    causes: [
      "What is signed is put together from parsed values, and not from the headers and bytes that came.",
      "Verification is skipped for some kinds, for large bodies, or for what was seen before.",
      "The body is decoded to text before, as by the standardwebhooks package: bytes that are no character all become the same one. Refuse what isn't UTF-8 first.",
    ],
  },
  headers: {
    why: "A request without its headers is no event; an answer of 500 to it fills the error log, one of 2xx lets anybody in.",
    causes: [
      "A missing header becomes an empty text, or the text undefined, and is signed as such.",
      "Headers are looked up in one spelling, though proxies write them in another.",
      "The content type is compared as a text, so that a charset after it makes it another.",
    ],
  },
  freshness: {
    why: "Without a maximum age, an attacker who once saw an event can replay it forever. With too low a maximum, genuine events are refused.",
    causes: [
      "The difference isn't taken as an absolute value, so that the future is fresh, or never is.",
      "What is no number compares as neither older nor newer, and passes.",
      "The library for Standard Webhooks reads 123abc as 123: test the header's form first.",
      "Milliseconds are mixed up with seconds, or local time with UTC; or the machine's clock is off.",
    ],
  },
  duplicates: {
    why: "Events come more than once, by design. Who processes them twice bills, prints or alarms twice; who drops too much loses orders.",
    causes: [
      "Known events are looked up and noted in two steps, without a unique key or a transaction.",
      "They are known by body, signature or timestamp, all of which change from try to try, or by delivery and kind, which come again.",
      "They are forgotten after some seconds, after some hundred others, or once their timestamp is stale, though tries lie up to ten hours apart. A run repeats events no later than it lasts itself, the first one at its end: what is forgotten later by the clock isn't found, so keep them for as long as tries come, 28 hours and more.",
      "The handler of one kind goes past the look for duplicates, or a delivery's events are forgotten when it ends.",
      "The event is noted before it is processed, or though it was refused, and its repeat dropped.",
      "It is queued and answered with 202, and no worker tries again when processing fails; or two do.",
    ],
  },
  order: {
    why: "Events overtake each other. Who goes by arrival shows a delivered order as on its way.",
    causes: [
      "The last event to arrive wins, or the one with the latest timestamp: data.version is what orders them.",
      "The handler of one kind writes without a look at the version, or states are compared in its place.",
      "Versions are compared as text, so that 9 is more than 10.",
      "The version is read and written in two steps, without a condition on the write.",
      "Each version is waited for in turn, though versions may be left out.",
    ],
  },
  load: {
    why: "Meals are ordered at the same hour: what is answered late, or not, comes again and adds to the load.",
    causes: [
      "The work is done before the answer: note the event, answer, and work afterwards.",
      "One lock, or one database connection, serves all events.",
      "Events are put into a queue that drops what it can't hold.",
    ],
  },
  survival: {
    why: "The address is public. One request that stops the process, or makes it hang, stops all deliveries.",
    causes: [
      "A constant-time comparison throws where lengths differ, and nobody catches it.",
      "The header is taken apart without a look at whether all parts are there.",
      "The body is parsed before the signature is verified.",
    ],
  },
};
