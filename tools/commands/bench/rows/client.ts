/** What it takes to grade a client that has its waits cut to a twentieth. */
import { fileURLToPath } from "node:url";
import { runCommand } from "../commands.ts";
import { MOST_RUNS } from "../far-run.ts";
import type { BenchRow, BenchSettings } from "../row.ts";
import { spreadOf } from "../spread.ts";

const TIME_SCALE = 0.05;
const sample = fileURLToPath(new URL("../../../../examples/client/play.ts", import.meta.url));
/** A part of the scenarios is INCOMPLETE. */
const accepted = [0, 2];

async function runOnce({ folder, scale }: BenchSettings): Promise<number> {
  const some = scale < 1 ? ["--scenario", "calm"] : [];
  const flags = ["--time-scale", String(TIME_SCALE), "--seed", "1", "--quiet", ...some];
  const args = ["client", ...flags, "--", process.execPath, sample];
  return (await runCommand(folder, args, { accepted })).seconds;
}

export const clientRow: BenchRow = {
  id: "client",
  how: `the command on the sample client in TypeScript, --time-scale ${TIME_SCALE}`,
  async run(settings) {
    const seconds: number[] = [];
    for (let round = 0; round < Math.min(MOST_RUNS, settings.rounds); round += 1)
      seconds.push(await runOnce(settings));
    return [
      {
        title: "run on a client",
        unit: "s",
        spread: spreadOf(seconds),
        target: { is: "at most", value: 10 },
        detail: "start of the command included",
      },
    ];
  },
};
