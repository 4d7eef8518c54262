import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Evidence } from "../session/evidence.ts";

const TOKEN_PER_REQUEST = "the client gets a new token for each request";

/** The minimum number of requests for a conclusion. */
const MIN_REQUESTS = 5;
/** The maximum fraction of requests that share a token. */
const MAX_SHARED = 0.1;

function hasTokenPerRequest({ authorised }: Evidence): boolean {
  const tokens = authorised.flatMap(({ token }) => token ?? []);
  return tokens.length >= MIN_REQUESTS && new Set(tokens).size >= (1 - MAX_SHARED) * tokens.length;
}

/** Runs an assertion. If the client gets a new token for each request, the failure names that as its cause. */
export function explainByTokenPerRequest(evidence: Evidence, expectation: () => void): void {
  try {
    expectation();
  } catch (error) {
    if (!(error instanceof CheckFailure) || !hasTokenPerRequest(evidence)) throw error;
    throw new CheckFailure(error.mismatch, { ...error, fault: TOKEN_PER_REQUEST });
  }
}
