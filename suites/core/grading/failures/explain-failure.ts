import { truncate } from "../../exchange.ts";
import { textOf } from "../../json.ts";
import { type MachineError, machineErrorOf, openFilesExhausted } from "../../machine-error.ts";
import type { Redactor } from "../../text/redact.ts";
import { type Clean, shownValue, withoutBreaks } from "../../text/shown-value.ts";
import { isOfAuxiliaryStep } from "../expectations/auxiliary-step.ts";
import { elementsOfFailure } from "../expectations/each-element.ts";
import { expectationKind } from "../expectations/expectation-kind.ts";
import type { Cases, Outcome } from "../outcome.ts";
import { type Comparable, comparable } from "./comparable.ts";
import { CheckFailure, CheckSkipped, NO_ANSWER, NoResponse, SetUpFailure, UNREADABLE } from "./failure.ts";
import { differingField, expectedValue, type Mismatch, mismatchText } from "./mismatch.ts";

/** A check's outcome without the measurements that every check has. */
export type PartialOutcome = Pick<Outcome, "status"> & Partial<Outcome>;

/** An explained outcome, with the expected value as data. The data may contain secrets, so it isn't reported. */
export type Explanation = PartialOutcome & { readonly expectedData?: Comparable };

/** The evidence of a finding, with secrets already redacted. */
export interface Evidence extends Pick<Outcome, "curl" | "exchanges" | "operation" | "steps" | "webhooks"> {
  /** Text appended to the message. */
  readonly hint?: string;
  readonly fault?: string;
}

/** True if an error is a finding about the target: it broke a rule or didn't respond. */
export const isFinding = (error: unknown): error is CheckFailure | NoResponse =>
  error instanceof CheckFailure || error instanceof NoResponse;

/**
 * Classifies an error: a finding about the target, a missing prerequisite, a fault of the suite, or a lack of
 * resources on this machine.
 */
export function explainFailure(
  error: unknown,
  redact: Redactor,
  evidence: (finding: Error) => Evidence,
): Explanation {
  const machine = machineErrorOf(error) ?? (isFinding(error) ? openFilesExhausted() : undefined);
  if (machine) return machineEnd(machine);
  if (error instanceof CheckSkipped) return skipped(error, redact);
  if (!isFinding(error)) return { status: "errored", message: redact.text(faultLine(error)) };
  const { hint, fault: evident, ...shown } = evidence(error);
  const clean = (text: string) => redact.body(text);
  const mismatch = { ...error.mismatch, note: joined(error.mismatch.note, hint) };
  const elements = elementsOfFailure(error);
  const fault = (error instanceof CheckFailure ? error.fault : undefined) ?? evident;
  const kind = expectationKind(error);
  return {
    status: "failed",
    ...reported(mismatch, clean),
    ...(mismatch.expected !== undefined && { expectedData: comparable(mismatch.expected) }),
    ...(kind !== "value" && { kind }),
    ...(elements && { at: redact.text(elements.at), cases: reportedCases(elements.cases, redact) }),
    ...(error instanceof SetUpFailure && { set_up: true as const }),
    ...(isOfAuxiliaryStep(error) && { auxiliary: true as const }),
    ...(fault !== undefined && { fault: redact.text(fault) }),
    ...(error instanceof NoResponse && { actual: error.exchange.isUnreadable ? UNREADABLE : NO_ANSWER }),
    ...shown,
  };
}

/** The outcome after this machine ran out of a resource, which may cause any failure. */
export const machineEnd = ({ code, message }: MachineError): PartialOutcome => ({
  status: "errored",
  message,
  machine_error: code,
});

function reportedCases({ failed, held, not_reached }: Cases, redact: Redactor): Cases {
  const named = (names: readonly string[]) => names.map((name) => redact.text(name));
  return { failed: named(failed), held: named(held), not_reached: named(not_reached) };
}

const skipped = ({ message, reason }: CheckSkipped, redact: Redactor): PartialOutcome => ({
  status: "not_verified",
  message: redact.text(message),
  ...(reason && { skip: reason }),
});

const joined = (...notes: readonly (string | undefined)[]): string | undefined =>
  notes.filter((note) => note !== undefined).join(": ") || undefined;

/** A mismatch for reports: redacted and cut. */
function reported(mismatch: Mismatch, clean: Clean): Partial<Outcome> {
  const { subject, field = differingField(mismatch, clean), relation, actual, violates } = mismatch;
  const expected = expectedValue(mismatch);
  const value = (shown: unknown) => truncate(shownValue(shown, clean), clean);
  return {
    message: mismatchText(mismatch, clean),
    subject: withoutBreaks(clean(subject)),
    ...(field !== undefined && { field }),
    relation,
    ...(expected !== undefined && { expected: value(expected) }),
    ...(actual !== undefined && { actual: value(actual) }),
    ...(violates !== undefined && { violates: clean(violates) }),
  };
}

/** A fault of the suite in one line, with the place of the throw. */
export function faultLine(error: unknown): string {
  const place = error instanceof Error ? (error.stack?.split("\n")[1]?.trim() ?? "") : "";
  return `${error instanceof Error ? error : textOf(error)} ${place}`.trim();
}
