import type { Report } from "./model.ts";

/** report.json, which every other output is made of: byte for byte, as its digest is attested. */
export const renderJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;
