import { clause } from "../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../core/grading/expectations/each-element.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Event, largestEvent, sampleEvent } from "../session/events.ts";
import { expectAccepted, expectToVerifySignatures } from "./expectations.ts";

/** A text that changes with a wrong charset, with Unicode normalisation, or if it is split at line separators. */
const TRICKY_TEXT = "Çiğ köfte, ızgara “İçli” 🍢 — cafe\u0301 ﬁ \u2028\u00a0<acılı> & \ufffd";

const eventWithTrickyText = (context: ResponsesContext): Event =>
  sampleEvent(context, { notes: TRICKY_TEXT, cancel_reason: null });

const escapedAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The value with the members of its objects in reverse order, at every depth. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

const whiteSpace = receiverCheck({
  id: "bodies.white-space",
  title: "a body with white space around and between its members is accepted",
  clauses: [clause["RECV-20"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const text = (indent: number | string) => JSON.stringify(eventWithTrickyText(context), null, indent);
    const bodies = {
      "an indented body": text(2),
      "a body with tabs and Windows line ends": text("\t").replaceAll("\n", "\r\n"),
      "a body with an additional line end": `${text(0)}\n`,
      "a body with white space before it": ` \n${text(0)}`,
      "a body with spaces after its colons": text(1).replaceAll("\n", ""),
    };
    await context.each(casesFrom("JSON notations", bodies), async ([what, body]) => {
      await expectAccepted(context, context.attempt(eventWithTrickyText(context), { body }), what);
    });
  },
});

const memberOrder = receiverCheck({
  id: "bodies.order-of-members",
  title: "a body's members may be in any order",
  clauses: [clause["RECV-20"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const event = eventWithTrickyText(context);
    await expectAccepted(context, context.attempt(event), "a body in the usual order");
    const body = JSON.stringify(reversed({ ...event, id: eventWithTrickyText(context).id }));
    await expectAccepted(
      context,
      context.attempt(eventWithTrickyText(context), { body }),
      "a body in the opposite order",
    );
  },
});

const escapes = receiverCheck({
  id: "bodies.escapes",
  title: "a body's characters may be escaped wherever JSON allows it, or not at all",
  clauses: [clause["RECV-20"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const plain = () => JSON.stringify(eventWithTrickyText(context));
    const bodies = {
      "a body with non-ASCII characters": plain(),
      "a body in ASCII": escapedAscii(plain()),
      "a body with escaped slashes": plain().replaceAll("/", "\\/"),
      "a body with escaped ampersands and angle brackets": plain()
        .replaceAll("&", "\\u0026")
        .replaceAll("<", "\\u003C"),
    };
    await context.each(casesFrom("JSON notations", bodies), async ([what, body]) => {
      await expectAccepted(context, context.attempt(eventWithTrickyText(context), { body }), what);
    });
  },
});

const numberNotations = receiverCheck({
  id: "bodies.numbers",
  title: "a body's numbers may have any notation that JSON allows",
  clauses: [clause["RECV-20"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const written = (amount: string) =>
      JSON.stringify(sampleEvent(context)).replace(/"amount_due":[0-9.]+/, `"amount_due":${amount}`);
    const bodies = {
      "a body with 245.50": written("245.50"),
      "a body with 1.0": written("1.0"),
      "a body with an exponent": written("2.455E+2"),
    };
    await context.each(casesFrom("JSON notations", bodies), async ([what, body]) => {
      await expectAccepted(context, context.attempt(sampleEvent(context), { body }), what);
    });
  },
});

const nonAscii = receiverCheck({
  id: "bodies.letters",
  title: "a signature over the UTF-8 bytes of non-ASCII text is accepted",
  clauses: [clause["RECV-20"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await context.forEachUntilFailure(TRICKY_TEXT.split(" "), async (word) => {
      await expectAccepted(
        context,
        context.attempt(sampleEvent(context, { notes: word })),
        `a body with "${word}"`,
      );
    });
  },
});

/** Characters of two, three and four bytes in UTF-8. */
const CUT_CHARACTERS = { ş: "two bytes", "“": "three bytes", "🍢": "four bytes" } as const;

const twoPieces = receiverCheck({
  id: "bodies.in-pieces",
  title: "a body that arrives in two pieces, split within a character, is decoded after its bytes are joined",
  clauses: [clause["RECV-20"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await context.each(casesFrom("split characters", CUT_CHARACTERS), async ([letter, length]) => {
      const attempt = () => context.attempt(sampleEvent(context, { notes: letter }));
      await expectAccepted(context, attempt(), `a body with "${letter}" in one piece`);
      const cut = attempt();
      const { status } = await context.deliver({ ...cut, cutAt: cut.body.indexOf(letter) + 1 });
      if (isSuccess({ status })) return;
      throw new CheckFailure({
        subject: `the response to a body in two pieces, split within "${letter}" (${length})`,
        relation: "to answer",
        expected: "2xx",
        actual: status,
        note: "the same body in one piece was accepted: concatenate the bytes first, then decode them",
      });
    });
  },
});

const largestBody = receiverCheck({
  id: "bodies.largest",
  title: "the largest legal delivery is accepted: 200 items and the longest texts",
  clauses: [clause["RECV-33"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const attempt = context.attempt(largestEvent(context));
    context.note(`the body had ${attempt.body.length} bytes`);
    await expectAccepted(context, attempt, `a body of ${attempt.body.length} bytes`);
  },
});

export const bodiesChecks: readonly ReceiverCheck[] = [
  whiteSpace,
  memberOrder,
  escapes,
  numberNotations,
  nonAscii,
  twoPieces,
  largestBody,
];
