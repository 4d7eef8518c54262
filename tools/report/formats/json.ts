import { visible } from "../../../suites/core/text/visible-text.ts";
import type { Report } from "../model.ts";

/**
 * Data as a file of ours holds it: what a target wrote acts on nothing that shows the file, and is the same data.
 * @param indent of each level, in spaces; with none it stands on one line
 */
export const jsonFile = (data: unknown, indent = 2): string =>
  `${visible(JSON.stringify(data, null, indent))}\n`;

/** report.json, which every other output is made of: byte for byte, as its digest is attested. */
export const renderJson = (report: Report): string => jsonFile(report);
