import { clause } from "../../../openapi/generated/clauses.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Attempt, macOf } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";
import { expectAccepted, expectRefused } from "./expectations.ts";
import { REQUIRED_REJECTIONS } from "./required-rejections.ts";

/** The length of long header values in characters, below the usual limits of servers. */
const LONG_HEADER_CHARS = 3_000;

/**
 * Sends forged requests one at a time, so that a failure names the request that stops the receiver. The
 * receiver must refuse each request, and accept a genuine event after it.
 */
async function expectToSurvive(
  context: ResponsesContext,
  forged: readonly (readonly [what: string, forge: (attempt: Attempt) => Attempt])[],
): Promise<void> {
  const attempt = () => context.attempt(sampleEvent(context));
  const before = async () => void (await expectAccepted(context, attempt()));
  const steps = forged.map(([what, forge]) => async () => {
    await expectRefused(context, forge(attempt()), what, REQUIRED_REJECTIONS.unreadable);
    await expectAccepted(context, attempt(), `the next genuine event after a forged one (${what})`);
  });
  await context.forEachUntilFailure([before, ...steps], (step) => step());
}

/** Defines a check that the receiver survives each of these signatures. */
const survivalCheck = (
  facts: Pick<ReceiverCheck, "id" | "title">,
  signatures: Readonly<Record<string, (right: string) => string>>,
): ReceiverCheck =>
  receiverCheck({
    ...facts,
    clauses: [clause["RECV-28"]],
    exclusive: true,
    run: (context) =>
      expectToSurvive(
        context,
        Object.entries(signatures).map(([what, write]) => [
          `the signature is ${what}`,
          (attempt) => ({ ...attempt, signature: write(macOf(context.key, attempt)) }),
        ]),
      ),
  });

const bytes = (length: number): string => Buffer.alloc(length, 7).toString("base64");

const wrongLengths = survivalCheck(
  {
    id: "survival.lengths",
    title: "a signature of another length is refused, and the next event accepted",
  },
  {
    "zero bytes long": () => "v1,",
    "one byte long": () => `v1,${bytes(1)}`,
    "one byte too short": () => `v1,${bytes(31)}`,
    "one byte too long": () => `v1,${bytes(33)}`,
    "thousands of bytes long": () => `v1,${bytes(LONG_HEADER_CHARS / 2)}`,
    "cut off in the middle": (right) => `v1,${right.slice(0, 21)}`,
  },
);

const malformedSignatures = survivalCheck(
  {
    id: "survival.forms",
    title: "a malformed signature is refused, and the next event accepted",
  },
  {
    "a word": () => "signature",
    "a version alone": () => "v1",
    "a comma alone": () => ",",
    "commas alone": () => ",,,,",
    "a version without a number": () => `v,${bytes(32)}`,
    "no base64": () => "v1,%%%%!!!!####",
    "three parts": () => "v1,v1,AAAA",
    "a JSON object": () => '{"v1":"AAAA"}',
    "in the form of another scheme": () => `t=1,v1=${bytes(32)}`,
    "hundreds of empty entries": () => "v1, ".repeat(LONG_HEADER_CHARS / 4).trim(),
    "many versions": () => Array.from({ length: 300 }, (_, i) => `v${i + 2},AA`).join(" "),
  },
);

const nonAsciiSignatures = survivalCheck(
  {
    id: "survival.letters",
    title: "a signature with characters outside ASCII is refused, and the next event accepted",
  },
  {
    "in Latin-1": () => "v1,\xe7\xf6\xfc\xdf\xe9",
    "in UTF-8": () => `v1,${Buffer.from("imza ğüşç 🍢").toString("latin1")}`,
    "as many characters as a digest has": () => `v1,${"\xe9".repeat(44)}`,
    "as many characters as a digest has bytes": () => `v1,${"\xe9".repeat(32)}`,
    "correct except for one character": (right) => `v1,${right.slice(0, 20)}\xe9${right.slice(21)}`,
  },
);

const forgedBodies = receiverCheck({
  id: "survival.forged-bodies",
  title: "a forged request whose body isn't an event is refused, and the next event accepted",
  clauses: [clause["RECV-16"]],
  exclusive: true,
  run: (context) =>
    expectToSurvive(
      context,
      ["", "{", "null", "[]", '"text"', "\0", '{"type":7}', "id=1&type=x"].map((text) => [
        `the body is ${JSON.stringify(text)}, not the signed body`,
        (attempt) => ({ ...attempt, body: Buffer.from(text) }),
      ]),
    ),
});

/** Checks with untrusted input. The receiver must refuse the input and keep running. */
export const survivalChecks: readonly ReceiverCheck[] = [
  wrongLengths,
  malformedSignatures,
  nonAsciiSignatures,
  forgedBodies,
];
