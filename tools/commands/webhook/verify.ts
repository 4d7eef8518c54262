import { inUnits } from "../../../suites/core/durations.ts";
import { parseJson, textMember } from "../../../suites/core/json.ts";
import { RAW_BYTES_ADVICE, recipeOf } from "../../../suites/core/signing/signature-recipes.ts";
import { keyOf, type SignedParts, signatureOf } from "../../../suites/core/signing/webhook-signing.ts";
import type { Output } from "../../terminal/output.ts";
import type { VerifySettings } from "./settings.ts";

/** The specification's tolerance for old and future timestamps ("Request headers"). */
const TOLERANCE_S = 300;
const HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

interface Problem {
  readonly problem: string;
  readonly fix: string;
}

interface Verdict {
  readonly problem: Problem | undefined;
  /** Sentences that don't affect the result. */
  readonly notes: readonly string[];
}

/** @returns the exit code: 0 for a valid webhook, otherwise 1 */
export function verify(settings: VerifySettings, output: Output): number {
  const { problem, notes } = verdictOn(settings);
  const { headers, body } = settings.captured;
  const event = parseJson(body.toString("utf8"));
  const about = [textMember(event, "type"), textMember(event, "data", "external_ref")]
    .filter(Boolean)
    .join(" of ");
  output.data({ valid: problem === undefined, ...problem, notes, id: headers["webhook-id"] ?? null });
  output.result(
    [
      problem === undefined
        ? `valid: ${about || "an event"}, webhook-id ${headers["webhook-id"]}`
        : `invalid: ${problem.problem}\n  ${problem.fix}`,
      ...notes.map((note) => `  note: ${note}`),
    ].join("\n"),
  );
  return problem === undefined ? 0 : 1;
}

function verdictOn({ captured, secret, arrivedAt }: VerifySettings): Verdict {
  const { headers, body, isText } = captured;
  const missing = HEADERS.find((name) => !headers[name]);
  if (missing !== undefined) {
    return invalid(`the header ${missing} is missing`, `a webhook has the headers ${HEADERS.join(", ")}`);
  }
  const parts = { id: headers["webhook-id"], timestamp: headers["webhook-timestamp"], body };
  const received = headers["webhook-signature"] ?? "";
  const signed = bodiesOf(body, isText).find((candidate) =>
    matches(received, { ...parts, body: candidate.body }, secret),
  );
  if (signed === undefined) return { problem: signatureProblem(received, parts, secret), notes: [] };
  const { problem, note } = timeOf(parts.timestamp ?? "", arrivedAt);
  return { problem, notes: [signed.note, note].flatMap((one) => one ?? []) };
}

const invalid = (problem: string, fix: string): Verdict => ({ problem: { problem, fix }, notes: [] });

const matches = (received: string, parts: SignedParts, secret: string): boolean =>
  received.split(" ").includes(signatureOf(keyOf(secret), parts));

/** The body and, for a text file, the body without a trailing newline, which an editor may have added. */
function bodiesOf(body: Buffer, isText: boolean): readonly { body: Buffer; note?: string }[] {
  const [end = ""] = isText ? (/\r?\n$/.exec(body.toString("latin1")) ?? []) : [];
  if (end === "") return [{ body }];
  const note = "the file ends in a line break that isn't part of the signed body";
  return [{ body }, { body: body.subarray(0, -end.length), note }];
}

function signatureProblem(received: string, parts: SignedParts, secret: string): Problem {
  const recipe = recipeOf(received, parts, secret);
  if (recipe?.fix === RAW_BYTES_ADVICE) {
    return {
      problem: `the signature doesn't match this body: it is ${recipe.signed}`,
      fix: `If the sender is correct, the capture has changed the bytes: ${RAW_BYTES_ADVICE}.`,
    };
  }
  if (recipe !== undefined) {
    return { problem: `webhook-signature is wrong: it is ${recipe.signed}`, fix: `${recipe.fix}.` };
  }
  const entries = received.split(" ").filter((entry) => /^v1,[A-Za-z0-9+/]{43}=$/.test(entry));
  if (entries.length === 0) {
    return {
      problem: "webhook-signature has no entry of the form v1,<base64 of 32 bytes>",
      fix: `For these bytes it is ${signatureOf(keyOf(secret), parts)}.`,
    };
  }
  return {
    problem: "webhook-signature doesn't match the secret and the body, and no common mistake explains it",
    fix: "Is this the endpoint's secret after its last rotation, and is the body byte for byte as it was sent?",
  };
}

/**
 * The result for the webhook's timestamp. Only the time of arrival decides whether a webhook is too old, because a saved
 * webhook is usually verified later.
 */
function timeOf(
  timestamp: string,
  arrivedAt: number | undefined,
): { problem: Problem | undefined; note?: string } {
  if (!/^\d+$/.test(timestamp)) {
    const fix = "webhook-timestamp is a number of Unix seconds, only digits.";
    return { problem: { problem: `webhook-timestamp isn't a number: ${timestamp}`, fix } };
  }
  const age = Math.floor((arrivedAt ?? Date.now()) / 1000) - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_S) return { problem: undefined };
  if (Number(timestamp) > 1e11) {
    const fix = "webhook-timestamp must be in Unix seconds.";
    return { problem: { problem: "webhook-timestamp is in milliseconds", fix } };
  }
  const length = `${inUnits(Math.abs(age))} ${age > 0 ? "old" : "in the future"}`;
  const rule = `a receiver refuses more than ${TOLERANCE_S} s`;
  if (arrivedAt === undefined) return { problem: undefined, note: `the webhook is ${length}; ${rule}` };
  return { problem: { problem: `the webhook is stale: ${length} at its arrival`, fix: `${rule}.` } };
}
