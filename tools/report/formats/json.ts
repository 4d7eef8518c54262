import { jsonText } from "../../terminal/json-text.ts";
import type { Report } from "../model.ts";

/** The text of a JSON file with this data. */
export const jsonFile = (data: unknown, indent?: number): string => `${jsonText(data, indent)}\n`;

/** The contents of report.json. The attestation contains their digest, so they mustn't vary. */
export const renderJson = (report: Report): string => jsonFile(report);
