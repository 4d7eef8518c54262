import type { GuidanceByGroup } from "../core/guidance.ts";

export const receiverGuidance: GuidanceByGroup = {
  kinds: {
    why: "The service repeats a refused event for a day, then drops it. After five days of failures it closes the endpoint.",
    causes: [
      "A switch over event types throws an error by default, where it should do nothing.",
      "The receiver validates the body strictly, so a new field or status of the service breaks it.",
      "The receiver doesn't test whether data, courier or customer is null.",
    ],
  },
  bodies: {
    why: "The signature covers the bytes. A receiver that changes them before verification refuses genuine events, often only those with certain names or amounts.",
    causes: [
      "The framework parses the body, and the receiver serialises it again for the signature: use the raw body.",
      "The body is decoded with the wrong charset, trimmed, or normalised.",
      "Each chunk of the body is decoded as it arrives, so a character that is split between two chunks is lost: concatenate the bytes first.",
      "The framework's default limit for bodies is too low, so large orders get 413.",
    ],
  },
  signatures: {
    why: "Only the signature distinguishes a genuine event from a forged one. An attacker who bypasses it can mark orders as delivered.",
    causes: [
      "The receiver uses the secret as text, or with its prefix. The key is the decoded base64 after whsec_.",
      "Only the first signature is compared, or its version is ignored.",
      "A missing setting becomes an empty key, or the text undefined, instead of an error at the start.",
    ],
  },
  tampering: {
    why: "If an attacker can change the body, id or time of an old event, the signature protects nothing.",
    causes: [
      "The signed text is built from parsed values instead of the received headers and bytes.",
      "Verification is skipped for some event types, for large bodies, or for known events.",
      "The body is decoded to text first, as the standardwebhooks package does: all invalid bytes become the same character. Refuse a body that isn't UTF-8 first.",
    ],
  },
  headers: {
    why: "A request without the headers isn't an event. A 500 fills the error log; a 2xx accepts events from anybody.",
    causes: [
      "A missing header becomes an empty text, or the text undefined, and is verified like that.",
      "Header names are compared in one case, but proxies may change the case.",
      "The content type is compared as a whole, so one with a charset is refused.",
    ],
  },
  freshness: {
    why: "Without a maximum age, an attacker who once saw an event can replay it forever. With too low a maximum, genuine events are refused.",
    causes: [
      "The difference isn't taken as an absolute value, so all future timestamps are accepted, or none.",
      "A timestamp that isn't a number becomes NaN, for which every comparison is false, so it is accepted.",
      "The standardwebhooks package reads 123abc as 123: validate the header first.",
      "Milliseconds are mistaken for seconds, or local time for UTC; or the machine's clock is wrong.",
    ],
  },
  duplicates: {
    why: "Events arrive more than once, by design. A receiver that processes them twice bills or prints twice. One that drops too many loses orders.",
    causes: [
      "Known events are looked up and recorded in two steps, without a unique key or a transaction.",
      "Events are identified by body, signature or timestamp, which change with each attempt, or by delivery and event type, which occur again.",
      "Events are forgotten after some seconds, after some hundred others, or once their timestamp is stale, but attempts are up to ten hours apart. Remember them for more than 28 hours. A run is too short to detect a memory that ends after the run.",
      "The handler of one event type skips the test for duplicates, or a delivery's events are forgotten when it ends.",
      "The event is recorded before it is processed, or although it was refused, so its repeat is dropped.",
      "The event is queued and gets 202, but no worker retries after a failure, or two workers do.",
    ],
  },
  order: {
    why: "Events arrive out of order. A receiver that keeps the last one to arrive shows a delivered order as on its way.",
    causes: [
      "The last event to arrive wins, or the one with the latest timestamp. data.version orders events.",
      "The handler of one event type ignores the version, or compares states instead.",
      "Versions are compared as text, in which 9 comes after 10.",
      "The version is read and written in two steps, without a condition on the write.",
      "The receiver waits for each version in turn, but versions may be skipped.",
    ],
  },
  load: {
    why: "Orders peak at mealtimes. The service repeats events that get a late response, or none, which adds to the load.",
    causes: [
      "The event is processed before the response: store it, respond, and process it afterwards.",
      "One lock, or one database connection, serves all events.",
      "The queue drops events when it is full.",
    ],
  },
  survival: {
    why: "The URL is public. One request that crashes the process, or makes it hang, stops all events.",
    causes: [
      "A constant-time comparison throws an error if lengths differ, and nothing catches it.",
      "The header is split without a test whether all parts exist.",
      "The body is parsed before the signature is verified.",
    ],
  },
};
