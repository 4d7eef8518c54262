import { clause } from "../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../core/grading/expectations/each-element.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";
import { expectAccepted, expectRefused, expectToVerifySignatures } from "./expectations.ts";
import { REQUIRED_REJECTIONS } from "./required-rejections.ts";

const newAttempt = (context: ResponsesContext): Attempt => context.attempt(sampleEvent(context));

/**
 * Asserts that the receiver refuses signatures over texts such as `undefined`, which some languages read for a missing
 * header.
 */
async function expectSubstitutesRefused(
  context: ResponsesContext,
  name: "id" | "timestamp",
  substitutes: readonly string[],
): Promise<void> {
  await context.forEachUntilFailure(substitutes, async (read) => {
    const signed = signedWith(context.key, { ...newAttempt(context), [name]: read });
    await expectRefused(
      context,
      { ...signed, [name]: undefined },
      `webhook-${name} is missing, and the signature was made with "${read}" instead`,
      REQUIRED_REJECTIONS.unreadable,
    );
  });
  const empty = signedWith(context.key, { ...newAttempt(context), [name]: "" });
  await expectRefused(context, empty, `webhook-${name} is empty`, REQUIRED_REJECTIONS.unreadable);
}

const missingId = receiverCheck({
  id: "headers.id-missing",
  title: "a request without webhook-id is refused with 400",
  clauses: [clause["RECV-25"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    await expectRefused(
      context,
      { ...newAttempt(context), id: undefined },
      "webhook-id is missing",
      REQUIRED_REJECTIONS.incomplete,
    );
    await expectSubstitutesRefused(context, "id", ["", "undefined", "null"]);
  },
});

const missingTimestamp = receiverCheck({
  id: "headers.timestamp-missing",
  title: "a request without webhook-timestamp is refused with 400",
  clauses: [clause["RECV-26"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const missing = { ...newAttempt(context), timestamp: undefined };
    await expectRefused(context, missing, "webhook-timestamp is missing", REQUIRED_REJECTIONS.incomplete);
    await expectSubstitutesRefused(context, "timestamp", ["", "undefined", "0", "NaN"]);
  },
});

const missingSignature = receiverCheck({
  id: "headers.signature-missing",
  title: "a request without webhook-signature is refused with 400",
  clauses: [clause["RECV-27"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const missing = { ...newAttempt(context), signature: undefined };
    await expectRefused(context, missing, "webhook-signature is missing", REQUIRED_REJECTIONS.incomplete);
    await expectRefused(
      context,
      { ...newAttempt(context), signature: "" },
      "webhook-signature is empty",
      REQUIRED_REJECTIONS.unreadable,
    );
    await expectRefused(
      context,
      { ...missing, id: undefined, timestamp: undefined },
      "all three headers are missing",
      REQUIRED_REJECTIONS.incomplete,
    );
  },
});

const headerNameNotations: Readonly<Record<string, (name: string) => string>> = {
  "in capitals": (name) => name.toUpperCase(),
  "with capitals at the beginning of words": (name) =>
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  "with a capital at the beginning": (name) => `W${name.slice(1)}`,
};

const anyCase = receiverCheck({
  id: "headers.any-case",
  title: "header names are case-insensitive",
  clauses: [clause["RECV-39"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await context.each(casesFrom("notations of header names", headerNameNotations), async ([how, write]) => {
      await expectAccepted(context, newAttempt(context), `an event whose headers' names are written ${how}`, {
        names: write,
      });
    });
  },
});

const contentType = receiverCheck({
  id: "headers.content-type",
  title: "an event is accepted whether its content type names a charset or not",
  clauses: [clause["RECV-41"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await context.forEachUntilFailure(
      ["application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8"],
      async (contentType) => {
        await expectAccepted(context, newAttempt(context), `an event of content type ${contentType}`, {
          contentType,
        });
      },
    );
  },
});

export const headersChecks: readonly ReceiverCheck[] = [
  missingId,
  missingTimestamp,
  missingSignature,
  anyCase,
  contentType,
];
