import { clause } from "../../../../openapi/generated/clauses.ts";

/** The clauses of the second and of later attempts, in order. */
export const OF_SECOND = clause["RETRY-10"];
export const OF_LATER = [
  clause["RETRY-11"],
  clause["RETRY-12"],
  clause["RETRY-13"],
  clause["RETRY-14"],
  clause["RETRY-15"],
  clause["RETRY-16"],
] as const;
