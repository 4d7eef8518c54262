import { jsonText } from "../../terminal/json-text.ts";
import type { Report } from "../model.ts";

/** Data as a file of ours holds it. */
export const jsonFile = (data: unknown, indent?: number): string => `${jsonText(data, indent)}\n`;

/** report.json, which every other output is made of: byte for byte, as its digest is attested. */
export const renderJson = (report: Report): string => jsonFile(report);
