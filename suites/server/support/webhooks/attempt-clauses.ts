import { clause } from "../../../../openapi/generated/clauses.ts";

/** The clauses about the time of the second attempt, and of the third to eighth attempts. */
export const SECOND_ATTEMPT_CLAUSE = clause["RETRY-10"];
export const LATER_ATTEMPT_CLAUSES = [
  clause["RETRY-11"],
  clause["RETRY-12"],
  clause["RETRY-13"],
  clause["RETRY-14"],
  clause["RETRY-15"],
  clause["RETRY-16"],
] as const;
