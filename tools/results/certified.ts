import type { Report, ReportedCheck } from "../report/model.ts";

/** The levels with the verdict CONFORMANT, from least to most demanding. */
export const certifiedLevels = ({ levels }: Report): readonly string[] =>
  Object.entries(levels)
    .filter(([, { verdict }]) => verdict === "CONFORMANT")
    .map(([level]) => level);

/** The failed checks, including known failures and, with --as-of, failures of newer checks. */
export const openFailures = ({ checks }: Report): readonly ReportedCheck[] =>
  checks.filter(({ status }) => ["failed", "known_failure", "coming_failure"].includes(status));
