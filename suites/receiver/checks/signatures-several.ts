import { randomBytes } from "node:crypto";
import { clause } from "../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../core/grading/expectations/each-element.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Attempt, macOf } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";
import { expectAccepted, expectRefused, expectToVerifySignatures } from "./expectations.ts";
import { REQUIRED_REJECTIONS } from "./required-rejections.ts";

const newAttempt = (context: ResponsesContext): Attempt => context.attempt(sampleEvent(context));
/** The attempt's correct signature in base64. */
const correctMac = (context: ResponsesContext, attempt: Attempt): string => macOf(context.key, attempt);
/** An invalid signature in the correct form. */
const wrongSignature = (version = "v1"): string => `${version},${randomBytes(32).toString("base64")}`;

const several = receiverCheck({
  id: "signatures.several",
  title: "one matching signature among several is enough, in any position",
  clauses: [clause["RECV-12"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const lists: Readonly<Record<string, (right: string) => string[]>> = {
      "first of two": (right) => [right, wrongSignature()],
      "last of two": (right) => [wrongSignature(), right],
      "in the middle of five": (right) => [
        wrongSignature(),
        wrongSignature(),
        right,
        wrongSignature(),
        wrongSignature(),
      ],
      "last of six": (right) => [
        wrongSignature(),
        wrongSignature(),
        wrongSignature(),
        wrongSignature(),
        wrongSignature(),
        right,
      ],
      "listed twice": (right) => [right, right],
    };
    await context.each(casesFrom("lists of signatures", lists), async ([where, list]) => {
      const attempt = newAttempt(context);
      const signature = list(`v1,${correctMac(context, attempt)}`).join(" ");
      await expectAccepted(
        context,
        { ...attempt, signature },
        `an event whose matching signature is ${where}`,
      );
    });
  },
});

const severalWrong = receiverCheck({
  id: "signatures.several-wrong",
  title: "a list without a matching signature is refused with 401",
  clauses: [clause["RECV-13"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const twice = wrongSignature();
    await context.forEachUntilFailure(
      [
        [wrongSignature(), wrongSignature()],
        [twice, twice],
        Array.from({ length: 8 }, () => wrongSignature()),
      ],
      async (signatures) => {
        const attempt = { ...newAttempt(context), signature: signatures.join(" ") };
        await expectRefused(
          context,
          attempt,
          `${signatures.length} signatures, none of which matches`,
          REQUIRED_REJECTIONS.forged,
        );
      },
    );
  },
});

const unknownBeside = receiverCheck({
  id: "signatures.with-unknown-versions",
  title: "entries of unknown versions are ignored if a signature matches",
  clauses: [clause["RECV-14"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const asymmetric = `v1a,${randomBytes(64).toString("base64")}`;
    const lists: Readonly<Record<string, (right: string) => string[]>> = {
      "a v1a entry before the matching signature": (right) => [asymmetric, right],
      "a v1a entry after the matching signature": (right) => [right, asymmetric],
      "v2 and v0 entries around the matching signature": (right) => [
        wrongSignature("v2"),
        right,
        wrongSignature("v0"),
      ],
      "an entry with parameters before the matching signature": (right) => ["v3,keyid=7,digest=AAAA", right],
    };
    await context.each(casesFrom("lists of signatures", lists), async ([what, list]) => {
      const attempt = newAttempt(context);
      const signature = list(`v1,${correctMac(context, attempt)}`).join(" ");
      await expectAccepted(context, { ...attempt, signature }, `an event with ${what}`);
    });
  },
});

const unknownAlone = receiverCheck({
  id: "signatures.other-versions-alone",
  title: "the correct digest with another version, or without one, is refused",
  clauses: [clause["RECV-15"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    await context.forEachUntilFailure(["v2,", "v0,", "v1a,", "v10,", "x,", ""], async (prefix) => {
      const attempt = newAttempt(context);
      const signature = `${prefix}${correctMac(context, attempt)}`;
      const what = prefix === "" ? "without a version" : `under ${prefix.slice(0, -1)}`;
      await expectRefused(
        context,
        { ...attempt, signature },
        `the correct digest, ${what}`,
        REQUIRED_REJECTIONS.unreadable,
      );
    });
  },
});

export const severalSignaturesChecks: readonly ReceiverCheck[] = [
  several,
  severalWrong,
  unknownBeside,
  unknownAlone,
];
