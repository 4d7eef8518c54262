import { jsonText } from "../../terminal/json-text.ts";
import type { Report } from "../model.ts";

/** Data as text of a JSON file. */
export const jsonFile = (data: unknown, indent?: number): string => `${jsonText(data, indent)}\n`;

/** report.json. The attestation contains its digest, so every byte counts. */
export const renderJson = (report: Report): string => jsonFile(report);
