import { randomBytes } from "node:crypto";
import { clause } from "../../../openapi/generated/clauses.ts";
import type { ElementOf } from "../../core/contract/element-sets.ts";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { cases, casesFrom, ofSet } from "../../core/grading/expectations/each-element.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { deliveryId, eventsOfAllKinds, largestEvent, sampleEvent, testEvent } from "../session/events.ts";
import { expectAccepted, expectRefused } from "./expectations.ts";
import { REQUIRED_REJECTIONS } from "./required-rejections.ts";

/** The attempt with a text of its body replaced after signing. */
function withReplacedText(attempt: Attempt, from: string, to: string): Attempt {
  const text = attempt.body.toString();
  if (!text.includes(from)) throw new Error(`the body has no ${from}`);
  return { ...attempt, body: Buffer.from(text.replace(from, to)) };
}

const MARKER_WORD = "anlasilmazcasina";

/** The attempt with one changed letter in a string of its body. The body remains a valid event. */
function withOneLetterChanged(attempt: Attempt, at: number): Attempt {
  const body = Buffer.from(attempt.body);
  const place = body.indexOf(MARKER_WORD) + at;
  body[place] = body[place] === 0x78 ? 0x79 : 0x78;
  return { ...attempt, body };
}

const SPECIFIED_STATUSES: readonly string[] = ["ASSIGNED", "QUEUED"];

/** The first candidate that differs from the value. */
const otherThan = (value: string | undefined, candidates: readonly string[]): string =>
  candidates.find((candidate) => candidate !== value) ?? "";

/** A description of the change, the old text and the new text. */
type Change = readonly [what: string, from: string, to: string];

const changedParts = receiverCheck({
  id: "tampering.body",
  title: "a body that was changed after signing is refused with 401",
  clauses: [clause["RECV-17"]],
  async run(context) {
    const event = () =>
      sampleEvent(context, { notes: MARKER_WORD, version: 41, package_count: 2, prepaid: false });
    const attempt = () => context.attempt(event());
    await expectAccepted(context, attempt());
    const { type, data } = event();
    const otherStatus = otherThan(data?.status, SPECIFIED_STATUSES);
    const otherType = otherThan(type, [...context.eventTypes, ...DEFAULT_KINDS]);
    const changes: Readonly<Record<ElementOf<"changed-parts-of-a-body">, Change>> = {
      version: ["the version is raised", '"version":41', '"version":42'],
      status: ["the status is changed", `"status":"${data?.status}"`, `"status":"${otherStatus}"`],
      package_count: ["the number of packages is changed", '"package_count":2', '"package_count":9'],
      prepaid: ["the order is marked as paid", '"prepaid":false', '"prepaid":true'],
      type: ["the event type is changed", type, otherType],
      notes: ["the notes are removed", `"notes":"${MARKER_WORD}"`, '"notes":null'],
    };
    await context.each(ofSet("changed-parts-of-a-body"), (part) => {
      const [what, from, to] = changes[part];
      const forged = withReplacedText(attempt(), from, to);
      return expectRefused(context, forged, `in the signed body, ${what}`, REQUIRED_REJECTIONS.forged);
    });
  },
});

/** The number of random letters to change, in addition to the first letter and the last. */
const TRIED_LETTERS = 6;

const everyKind = receiverCheck({
  id: "tampering.any-kind",
  title: "an event of any type is refused with 401 when its signature doesn't match",
  clauses: [clause["RECV-16"]],
  async run(context) {
    const events = () => [...eventsOfAllKinds(context), testEvent()];
    const kinds = () => cases("event types", events(), ({ type }) => type);
    await context.each(kinds(), (event) => expectAccepted(context, context.attempt(event), event.type));
    await context.each(kinds(), async (event) => {
      context.recordCoverage(
        "listed-event-kinds",
        context.eventTypes.filter((kind) => kind === event.type),
        context.eventTypes,
      );
      const forged = signedWith(randomBytes(32), context.attempt(event));
      await expectRefused(
        context,
        forged,
        `${event.type} is signed with another key`,
        REQUIRED_REJECTIONS.forged,
      );
    });
  },
});

const changedByte = receiverCheck({
  id: "tampering.one-byte",
  title: "a body with one changed byte is refused with 401, at any position",
  clauses: [clause["RECV-17"]],
  async run(context) {
    const largest = () => largestEvent(context);
    const places = {
      beginning: () => {
        const event = sampleEvent(context, { notes: null });
        const { data } = event;
        const external_ref = `${MARKER_WORD}-${data?.external_ref}`;
        return context.attempt({ ...event, data: data && { ...data, external_ref } });
      },
      middle: () => {
        const event = largest();
        const { data } = event;
        const items = data?.items?.map((item, i) => (i === 100 ? { ...item, name: MARKER_WORD } : item));
        return context.attempt({ ...event, data: data && { ...data, items: items ?? [] } });
      },
      end: () => {
        const event = largest();
        const { data } = event;
        // Changes the last string of the delivery. The string is a documented member, because receivers may
        // refuse additional members (RECV-34 is a SHOULD).
        const body = JSON.stringify({ ...event, data: { ...data, notes: undefined } });
        return context.attempt(event, { body: body.replace(/\}\}$/, `,"notes":"${MARKER_WORD}"}}`) });
      },
    };
    await context.forEachUntilFailure(Object.entries(places), async ([place, attempt]) => {
      await expectAccepted(context, attempt(), `an event with a word at the ${place}`);
      const tried = [
        0,
        MARKER_WORD.length - 1,
        ...Array.from({ length: TRIED_LETTERS }, () => context.random(MARKER_WORD.length)),
      ];
      await context.forEachUntilFailure(tried, async (at) => {
        const faulty = withOneLetterChanged(attempt(), at);
        await expectRefused(
          context,
          faulty,
          `one letter near the ${place} of the body was changed`,
          REQUIRED_REJECTIONS.forged,
        );
      });
    });
  },
});

const whiteSpace = receiverCheck({
  id: "tampering.white-space",
  title: "a body with white space added or removed after signing is refused with 401",
  clauses: [clause["RECV-17"]],
  async run(context) {
    const event = sampleEvent(context, { notes: "two words" });
    const attempt = () => context.attempt(event, { body: JSON.stringify(event, null, 1) });
    await expectAccepted(context, attempt());
    const edits: Readonly<Record<string, (text: string) => string>> = {
      "a line end was added after it": (text) => `${text}\n`,
      "a space was added before it": (text) => ` ${text}`,
      "its line ends were removed": (text) => text.replaceAll("\n", ""),
      "its line ends were replaced by others": (text) => text.replaceAll("\n", "\r\n"),
      "a space in a text was doubled": (text) => text.replace("two words", "two  words"),
    };
    await context.each(casesFrom("changes of white space", edits), async ([what, edit]) => {
      const signed = attempt();
      const faulty = { ...signed, body: Buffer.from(edit(signed.body.toString())) };
      await expectRefused(
        context,
        faulty,
        `the body was signed, and then ${what}`,
        REQUIRED_REJECTIONS.forged,
      );
    });
  },
});

const BYTE_INSTEAD_OF_EF = 0xf0;

/**
 * The Standard Webhooks package decodes its payload before verification, so decoding doesn't make a receiver
 * insecure.
 */
const DECODED =
  "the receiver decodes the body to text before it verifies it, as the standardwebhooks package does: first refuse a body that isn't UTF-8, in Node with `if (!isUtf8(body)) return refuse(400)`, or verify the bytes. Both need the raw bytes of the request, not the framework's string";

const MARK_REMOVED =
  "the byte order mark is removed before the body is verified, as Request.text() and TextDecoder do: verify the received bytes";

const undecodableBytes = receiverCheck({
  id: "tampering.unreadable-bytes",
  title:
    "a body with bytes changed so that a decoder reads the same text is refused with 401 (400 if unreadable)",
  clauses: [clause["RECV-44"]],
  async run(context) {
    const attempt = context.attempt(sampleEvent(context, { notes: "unreadable: \ufffd" }));
    await expectAccepted(context, context.attempt(sampleEvent(context, { notes: "unreadable: \ufffd" })));
    const body = Buffer.from(attempt.body);
    // EF BF BD is U+FFFD. F0 BF BD is an incomplete character, which lenient decoders also read as U+FFFD.
    body[body.indexOf("\ufffd")] = BYTE_INSTEAD_OF_EF;
    await expectRefused(
      context,
      { ...attempt, body },
      "a byte of the signed body was changed to one that isn't valid UTF-8",
      REQUIRED_REJECTIONS.unreadable,
      DECODED,
    );
    const plain = context.attempt(sampleEvent(context));
    await expectRefused(
      context,
      { ...plain, body: Buffer.concat([Buffer.from("\ufeff"), plain.body]) },
      "a byte order mark was added before the signed body",
      REQUIRED_REJECTIONS.unreadable,
      MARK_REMOVED,
    );
  },
});

const changedLength = receiverCheck({
  id: "tampering.length",
  title: "a body that was cut or extended after signing is refused with 401, or with 400 if unreadable",
  clauses: [clause["RECV-17"]],
  async run(context) {
    const event = () => context.attempt(sampleEvent(context));
    await expectAccepted(context, event());
    const edits: Readonly<Record<string, (body: Buffer) => Buffer>> = {
      "its last byte was cut off": (body) => body.subarray(0, -1),
      "its second half was cut off": (body) => body.subarray(0, body.length / 2),
      "all of it was cut off": () => Buffer.alloc(0),
      "another object follows it": (body) => Buffer.concat([body, Buffer.from("{}")]),
      "a zero byte follows it": (body) => Buffer.concat([body, Buffer.alloc(1)]),
    };
    await context.each(casesFrom("changes of the length", edits), async ([what, edit]) => {
      const signed = event();
      const faulty = { ...signed, body: edit(signed.body) };
      await expectRefused(
        context,
        faulty,
        `the body was signed, and then ${what}`,
        REQUIRED_REJECTIONS.unreadable,
      );
    });
  },
});

/** The attempt with one changed digit in its webhook-id. */
const withChangedId = (attempt: Attempt): Attempt => ({
  ...attempt,
  id: attempt.id?.replace(/[0-9a-f]$/, (digit) => (digit === "a" ? "b" : "a")),
});

const id = receiverCheck({
  id: "tampering.id",
  title: "a webhook-id other than the signed one is refused with 401",
  clauses: [clause["RECV-18"]],
  async run(context) {
    await expectAccepted(context, context.attempt(sampleEvent(context)));
    const faults: Readonly<Record<string, (attempt: Attempt) => Attempt>> = {
      "one digit of the webhook-id was changed": withChangedId,
      "the webhook-id is another event's": (attempt) => ({ ...attempt, id: sampleEvent(context).id }),
      "the webhook-id was changed to capitals": (attempt) => ({ ...attempt, id: attempt.id?.toUpperCase() }),
    };
    await context.each(casesFrom("changes of the webhook-id", faults), async ([what, change]) => {
      const event = { ...sampleEvent(context), id: `ab${sampleEvent(context).id.slice(2)}` };
      await expectRefused(
        context,
        change(context.attempt(event)),
        `after signing, ${what}`,
        REQUIRED_REJECTIONS.forged,
      );
    });
  },
});

const withShiftedTimestamp = (attempt: Attempt, seconds: number): Attempt => ({
  ...attempt,
  timestamp: String(Number(attempt.timestamp) + seconds),
});

const changedTimestamp = receiverCheck({
  id: "tampering.timestamp",
  title: "a fresh webhook-timestamp other than the signed one is refused with 401",
  clauses: [clause["RECV-19"]],
  async run(context) {
    const attempt = (age = 0) => context.attempt(sampleEvent(context), { age });
    await expectAccepted(context, attempt());
    await context.forEachUntilFailure([1, -1, 2, -2, 60, -60], async (seconds) => {
      await expectRefused(
        context,
        withShiftedTimestamp(attempt(), seconds),
        `the webhook-timestamp was moved by ${seconds} s after signing`,
        REQUIRED_REJECTIONS.forged,
      );
    });
    await expectRefused(
      context,
      withShiftedTimestamp(attempt(3_600), 3_600),
      "an hour-old attempt was given a fresh webhook-timestamp",
      REQUIRED_REJECTIONS.forged,
    );
  },
});

/** Asserts that the receiver refuses valid signatures of other content. */
async function expectSwappedSignatureRefused(context: ResponsesContext): Promise<void> {
  const genuine = context.attempt(sampleEvent(context));
  await expectAccepted(context, genuine);
  const other = context.attempt(sampleEvent(context));
  await expectRefused(
    context,
    { ...other, signature: genuine.signature },
    "the signature is that of another event, which was accepted just before",
    REQUIRED_REJECTIONS.forged,
  );
}

const otherSignatures = receiverCheck({
  id: "tampering.signature-of-another",
  title: "a signature of another event, or of another attempt, is refused with 401",
  clauses: [clause["RECV-16"]],
  async run(context) {
    await expectSwappedSignatureRefused(context);
    const event = sampleEvent(context);
    await expectAccepted(context, context.attempt(event));
    await expectRefused(
      context,
      { ...context.attempt(event), signature: context.attempt(sampleEvent(context)).signature },
      "a known event is sent again with the signature of another event",
      REQUIRED_REJECTIONS.forged,
    );
    const forged = context.attempt(event);
    await expectRefused(
      context,
      withReplacedText(forged, deliveryId(event), deliveryId(sampleEvent(context))),
      "a known event is sent again with another delivery in its body",
      REQUIRED_REJECTIONS.forged,
    );
  },
});

export const tamperingChecks: readonly ReceiverCheck[] = [
  changedParts,
  everyKind,
  changedByte,
  whiteSpace,
  undecodableBytes,
  changedLength,
  id,
  changedTimestamp,
  otherSignatures,
];
