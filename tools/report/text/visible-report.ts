import { visible } from "../../../suites/core/text/visible-text.ts";
import type { Report } from "../model.ts";

/** The report with control characters made visible, for formats that don't escape them. */
export function visibleReport(report: Report): Report {
  const shown: Report = JSON.parse(JSON.stringify(report), (_, value: unknown) =>
    typeof value === "string" ? visible(value) : value,
  );
  return shown;
}
