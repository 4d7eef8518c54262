import { wallClock } from "../../core/clock.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { isObject, parseJson } from "../../core/json.ts";
import { isSuccess } from "../../core/responses.ts";
import { RAW_BYTES_ADVICE, RECIPES, type Recipe, signedBy } from "../../core/signing/signature-recipes.ts";
import type { ResponsesContext } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { BlockingFailure } from "../session/blocking-failure.ts";
import { sampleEvent } from "../session/events.ts";
import type { Reply } from "../session/http-client.ts";
import { type WrongClock, wrongClockFromAcceptedRange, wrongClockFromRefusals } from "./clock-shift.ts";

/** The smallest clock difference in seconds to mention. */
const NOTABLE_SKEW_S = 5;

/**
 * How a wrong clock may explain that a current event was refused with 400. If the response has no Date header,
 * a clock is mentioned only if no event has been accepted yet.
 */
function clocks({ headers }: Reply, noneAccepted: boolean): string | undefined {
  const seconds = Math.round((Date.parse(headers.date ?? "") - wallClock()) / 1000);
  if (Number.isNaN(seconds)) {
    return noneAccepted ? "if the clocks differ by minutes, a fresh event looks stale" : undefined;
  }
  if (Math.abs(seconds) < NOTABLE_SKEW_S) return undefined;
  const where = seconds < 0 ? "behind" : "ahead of";
  return `its Date header is ${Math.abs(seconds)} s ${where} this machine's clock: if the clocks differ, a fresh event looks stale`;
}

/**
 * The usual cause of a response other than 2xx to a genuine event.
 * @param noneAccepted true if no event has been accepted yet. An accepted event proves that the secret is right
 */
function usualCause(reply: Reply, noneAccepted: boolean): string | undefined {
  const { status } = reply;
  if (status === 400) return clocks(reply, noneAccepted);
  if (status === 401 && noneAccepted) return "does the receiver have the same secret?";
  if (status === 403 && noneAccepted)
    return "does a login or CSRF protection come before the webhook handler?";
  if (status === 404 || status === 405) return "is --url the URL of the webhook endpoint?";
  if (status === 413) return "is the limit for bodies too low?";
  return status >= 300 && status <= 399 ? "the service doesn't follow redirects" : undefined;
}

/**
 * The result of a diagnosis; undefined if one of its requests fails, because the check of that request reports the
 * failure. Rethrows a failure that blocks other checks.
 */
export async function resultOrUndefined<Result>(
  runDiagnosis: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await runDiagnosis();
  } catch (error) {
    const isOthersFinding = error instanceof CheckFailure || error instanceof CheckSkipped;
    if (!isOthersFinding || error instanceof BlockingFailure) throw error;
    return undefined;
  }
}

/** Statuses that receivers use for forged events. A conforming receiver uses 401. */
const FORGERY_STATUSES: readonly number[] = [400, 401, 403];

/** True if the receiver accepts unusual white space, which shows that it verifies the received bytes. */
async function acceptsOddNotation(context: ResponsesContext): Promise<boolean> {
  const event = sampleEvent(context);
  const body = JSON.stringify(event).replace("{", "{   ");
  return isSuccess(await context.probe(context.attempt(event, { body }), {}));
}

/**
 * The wrong signing recipe that the receiver uses: the receiver accepts an event signed with the recipe, and
 * refuses the same signature for another event. Tries each recipe on the refused event, because some wrong
 * recipes give the right signature for other bodies.
 */
async function matchingRecipe(context: ResponsesContext, refused: Attempt): Promise<Recipe | undefined> {
  const timestamp = String(Math.floor(wallClock() / 1000));
  const attempt = signedWith(context.key, { ...refused, timestamp });
  const takes = async (made: Attempt, violates: string) => isSuccess(await context.probe(made, { violates }));
  const keepsNotation = await acceptsOddNotation(context);
  for (const recipe of RECIPES) {
    if (recipe.reserialises && keepsNotation) continue;
    const made = signedBy(recipe, attempt, context.secret);
    if (made === undefined || !(await takes({ ...attempt, ...made }, recipe.signed))) continue;
    const forged = { ...context.attempt(sampleEvent(context)), ...made };
    return (await takes(forged, "the signature is that of another event")) ? undefined : recipe;
  }
  return undefined;
}

/** The same text in all failures of a receiver that verifies other bytes than it received. */
const OTHER_BYTES =
  "the receiver doesn't verify the received bytes, but the body decoded to text, or parsed and serialised again";

/** The value without characters that JSON can encode in several ways. */
function inPlainAscii(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/[^\w .:+-]/g, "");
  if (Array.isArray(value)) return value.map(inPlainAscii);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inPlainAscii(one)]));
}

/** True if the receiver accepts the refused event in a plain encoding, which shows that the encoding was the cause. */
async function acceptsPlainEncoding(context: ResponsesContext, refused: Attempt): Promise<boolean> {
  const value = parseJson(refused.body.toString());
  if (value === undefined) return false;
  // The other body is sent in one piece.
  const { cutAt: _, ...rest } = refused;
  const body = Buffer.from(JSON.stringify(inPlainAscii(value)));
  if (body.equals(refused.body)) return false;
  const plain = signedWith(context.key, { ...rest, body });
  return (await resultOrUndefined(async () => isSuccess(await context.probe(plain, {})))) ?? false;
}

/** After this many further refused events, the receiver counts as one that refuses all events. */
const OTHERS = 2;
/** A signature without `+` and `/`, which a receiver may decode wrongly. */
const PLAIN = /^v1,[A-Za-z0-9]+=$/;

async function refusesOthers(context: ResponsesContext): Promise<boolean> {
  for (let i = 0; i < OTHERS; i += 1) {
    const attempt = attemptSigned(context, PLAIN);
    if (isSuccess(await context.probe(attempt, {}))) return false;
  }
  return true;
}

/** Creates events until one has a signature of this form. */
export function attemptSigned(context: ResponsesContext, signature: RegExp): Attempt {
  for (;;) {
    const attempt = context.attempt(sampleEvent(context));
    if (signature.test(attempt.signature ?? "")) return attempt;
  }
}

interface Diagnosis {
  /** True if no event has been accepted yet. An accepted event proves that the secret is right. */
  readonly noneAccepted: boolean;
  readonly recipe: Recipe | undefined;
  readonly verifiesRewrittenBody: boolean;
  readonly clock: WrongClock | undefined;
}

/**
 * Diagnoses a response other than 2xx to a genuine event. Names a wrong recipe or clock if the receiver accepts
 * events that match it. If the receiver accepts no genuine event at all, the failure blocks all checks that
 * depend on an accepted event.
 */
export async function refusalOf(
  context: ResponsesContext,
  attempt: Attempt,
  reply: Reply,
  what: string,
): Promise<CheckFailure> {
  const found = await diagnose(context, attempt, reply);
  const { noneAccepted, recipe, verifiesRewrittenBody, clock } = found;
  const { status } = reply;
  const mismatch: Mismatch = {
    subject: what,
    relation: "to answer",
    expected: "2xx",
    actual: status,
    note: causeOf(reply, found),
  };
  const blocks =
    noneAccepted && (recipe !== undefined || clock !== undefined || (await refusesOthers(context)));
  if (blocks) return new BlockingFailure("responses", mismatch);
  const fault = verifiesRewrittenBody ? OTHER_BYTES : clock?.fault;
  return new CheckFailure(mismatch, { fault });
}

async function diagnose(context: ResponsesContext, attempt: Attempt, reply: Reply): Promise<Diagnosis> {
  const noneAccepted = !context.hasAcceptedAny;
  const { status } = reply;
  const signedAsUsual = attempt.signature === signedWith(context.key, attempt).signature;
  const maySeemForged = FORGERY_STATUSES.includes(status) && signedAsUsual;
  const recipe = maySeemForged ? await resultOrUndefined(() => matchingRecipe(context, attempt)) : undefined;
  const maySeemStale = maySeemForged && recipe === undefined;
  const clock = maySeemStale
    ? await resultOrUndefined(() =>
        noneAccepted ? wrongClockFromRefusals(context) : wrongClockFromAcceptedRange(context, attempt),
      )
    : undefined;
  const verifiesRewrittenBody = recipe
    ? recipe.reserialises === true
    : clock === undefined &&
      status === 401 &&
      signedAsUsual &&
      (await acceptsPlainEncoding(context, attempt));
  return { noneAccepted, recipe, verifiesRewrittenBody, clock };
}

function causeOf(
  reply: Reply,
  { noneAccepted, recipe, verifiesRewrittenBody, clock }: Diagnosis,
): string | undefined {
  if (recipe) return `the receiver accepts events that are ${recipe.signed} (${recipe.fix})`;
  if (clock) return `${clock.fault}, ${clock.fix}`;
  if (verifiesRewrittenBody)
    return `the same event in plain ASCII without escapes is accepted, so ${OTHER_BYTES} (${RAW_BYTES_ADVICE})`;
  return usualCause(reply, noneAccepted);
}
