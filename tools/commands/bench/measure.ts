/** The measurements, in sequence: concurrent ones would distort each other. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchRow, BenchSettings } from "./row.ts";
import { clientRow } from "./rows/client.ts";
import { conformRow, startRow } from "./rows/conform.ts";
import { credentialsRow } from "./rows/credentials.ts";
import { mutantsRow } from "./rows/mutants.ts";
import { pageRow } from "./rows/page.ts";
import { receiverRow } from "./rows/receiver.ts";
import { farRow, oneAddressRow, scheduleRow } from "./rows/schedule.ts";
import { postgresServing, sqliteServing } from "./rows/serving.ts";
import { webhooksRow } from "./rows/webhooks.ts";
import type { Measurement } from "./table.ts";

export const benchRows: readonly BenchRow[] = [
  conformRow,
  scheduleRow,
  farRow,
  oneAddressRow,
  credentialsRow,
  receiverRow,
  clientRow,
  sqliteServing,
  postgresServing,
  startRow,
  pageRow,
  webhooksRow,
  mutantsRow,
];

/** Runs these rows; tells each as it is there. */
export async function measure(
  rows: readonly BenchRow[],
  settings: Omit<BenchSettings, "folder">,
  tell: (measured: Measurement) => void,
): Promise<readonly Measurement[]> {
  const whole = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const all: Measurement[] = [];
    for (const row of rows) {
      const folder = join(whole, row.id);
      mkdirSync(folder);
      const result = await row.run({ ...settings, folder });
      const missing = typeof result === "string" ? result : undefined;
      const figures = typeof result === "string" ? [] : result;
      const measured = { row: row.id, how: row.how, figures, missing };
      tell(measured);
      all.push(measured);
      rmSync(folder, { recursive: true });
    }
    return all;
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}
