import type { Report, ReportedCheck } from "../report/model.ts";

/** The levels that a run found conformant, from the least demanding to the most. */
export const certifiedLevels = ({ levels }: Report): readonly string[] =>
  Object.entries(levels)
    .filter(([, { verdict }]) => verdict === "CONFORMANT")
    .map(([level]) => level);

/** What failed, whether it counts, is known of, or is coming. */
export const openFailures = ({ checks }: Report): readonly ReportedCheck[] =>
  checks.filter(({ status }) => ["failed", "known_failure", "coming_failure"].includes(status));
