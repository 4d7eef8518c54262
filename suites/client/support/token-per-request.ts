import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Evidence } from "../session/evidence.ts";

const FAULT = "the client gets a new token for each request";

/** The minimum number of requests for a conclusion, and the maximum part of them that shares a token. */
const MIN_REQUESTS = 5;
const MAX_SHARED = 0.1;

function hasTokenPerRequest({ authorised }: Evidence): boolean {
  const tokens = authorised.flatMap(({ token }) => token ?? []);
  return tokens.length >= MIN_REQUESTS && new Set(tokens).size >= (1 - MAX_SHARED) * tokens.length;
}

/** Runs an assertion. If the client gets a new token for each request, the failure names that as its cause. */
export function attributeToTokens(evidence: Evidence, expectation: () => void): void {
  try {
    expectation();
  } catch (error) {
    if (!(error instanceof CheckFailure) || !hasTokenPerRequest(evidence)) throw error;
    throw new CheckFailure(error.mismatch, { ...error, fault: FAULT });
  }
}
