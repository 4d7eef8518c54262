import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseJson, textMember } from "../../../suites/core/json.ts";
import { makeFolder } from "../../folder.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { writeFileAtomically } from "../../whole-file.ts";
import { type Sample, sampleOf } from "./sample.ts";
import { playScenario } from "./scenario.ts";
import type { SamplesSettings } from "./settings.ts";

/**
 * Writes a signed event of each kind as `delivery.created.json` and so on, or prints them with --json.
 * @throws UsageError if a file can't be written, or would replace a file that isn't a sample
 */
export async function writeSamples(settings: SamplesSettings, output: Output): Promise<void> {
  const { folder, secret, at, seed } = settings;
  const events = await playScenario(at, seed);
  const samples = events.map((event) => sampleOf(event, secret, at));
  if (output.json) return output.data(samples);
  const files = samples.map((sample) => ({ sample, file: join(resolve(folder), `${sample.type}.json`) }));
  // All existing files are checked before the first file is written.
  for (const { sample, file } of files) expectReplaceable(file, sample);
  try {
    makeFolder(resolve(folder));
    for (const { sample, file } of files) writeFileAtomically(file, `${JSON.stringify(sample, null, 2)}\n`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unwritable";
    throw new UsageError(`--out ${folder} isn't writable (${code}): give another folder`);
  }
  for (const { type } of samples) output.line(join(folder, `${type}.json`));
  const when = new Date(at).toISOString().replace(".000", "");
  output.result(
    `${samples.length} events in ${folder}, sent at ${when}: receivers accept them until five minutes later`,
  );
}

/** Only an earlier sample may be replaced. */
function expectReplaceable(file: string, { type }: Sample): void {
  if (!existsSync(file)) return;
  const before = parseJson(readFileSync(file, "utf8"));
  const isSample = textMember(before, "type") === type && textMember(before, "body_base64") !== undefined;
  if (isSample) return;
  throw new UsageError(
    `${file} wasn't written by this command: move it away, or give another folder with --out`,
  );
}
