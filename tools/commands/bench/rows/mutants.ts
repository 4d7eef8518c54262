/** What it costs to try the checks on one mutant. */
import { mutants } from "../../../../suites/server/mutants/index.ts";
import { runCommand } from "../commands.ts";
import { type BenchRow, scaled } from "../row.ts";
import { spreadOf } from "../spread.ts";

const sampled = 40;

export const mutantsRow: BenchRow = {
  id: "mutants",
  how: "npm run mutants with mutants taken evenly from all of them: a fresh server, and the checks that name it",
  async run(settings) {
    const ids = Object.keys(mutants);
    const count = scaled(settings, sampled);
    const sample = Array.from({ length: count }, (_, n) => ids[Math.floor((n * ids.length) / count)] ?? "");
    const { stdout } = await runCommand(settings.folder, ["mutants", "--only", sample.join(",")]);
    const seconds = [...stdout.matchAll(/; (\d+) ms\)$/gm)].map(([, ms]) => Number(ms) / 1000);
    return [
      {
        title: "one mutant",
        unit: "s",
        spread: spreadOf(seconds),
        target: { is: "under", value: 1 },
        detail: `${seconds.length} of ${ids.length} mutants`,
      },
    ];
  },
};
