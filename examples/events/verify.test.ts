import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { type CommandLine, type Language, leftOut } from "../testing/languages.ts";

const run = promisify(execFile);
const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Sample {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly body_base64: string;
}

const verifiers: readonly (readonly [Language, CommandLine])[] = [
  ["TypeScript", [process.execPath, path("verify.ts")]],
  ["Python", ["python3", path("verify.py")]],
  ["PHP", ["php", path("verify.php")]],
  ["Ruby", ["ruby", path("verify.rb")]],
];

/** Runs a verifier on the files. Returns its exit code and its output. */
async function verify([command, ...args]: CommandLine, files: readonly string[]) {
  return run(command, [...args, ...files]).then(
    ({ stdout }) => ({ code: 0, stdout: stdout.trim() }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout: stdout.trim() }),
  );
}

async function samplesOf(...flags: readonly string[]): Promise<readonly Sample[]> {
  const { stdout } = await run(process.execPath, [
    path("../../bin/source.js"),
    "samples",
    "--json",
    ...flags,
  ]);
  return JSON.parse(stdout);
}

let genuine: readonly Sample[] = [];
let stale: readonly Sample[] = [];
beforeAll(async () => {
  genuine = await samplesOf();
  stale = await samplesOf("--at", new Date(Date.now() - 310_000).toISOString());
});

const filesOf = (samples: readonly Sample[]): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), "events-"));
  return samples.map((sample, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(sample));
    return file;
  });
};

/** Returns the sample with this body. */
const withBody = (sample: Sample, body: string): Sample => ({
  ...sample,
  body,
  body_base64: Buffer.from(body).toString("base64"),
});
const withHeader = (sample: Sample, name: string, value: string): Sample => ({
  ...sample,
  headers: { ...sample.headers, [`webhook-${name}`]: value },
});

/** Returns events that a receiver must refuse, each for another reason. */
function forgeries(): readonly Sample[] {
  const [sample, another] = genuine;
  const [old] = stale;
  if (!sample || !another || !old) throw new Error("there are no samples");
  const later = String(Number(sample.headers["webhook-timestamp"]) + 1);
  return [
    withBody(sample, sample.body.replace("Ayşe", "Ayse")),
    withBody(sample, `${sample.body} `),
    withHeader(sample, "id", another.headers["webhook-id"] ?? ""),
    withHeader(sample, "timestamp", later),
    withHeader(sample, "signature", another.headers["webhook-signature"] ?? ""),
    { ...sample, secret: `whsec_${Buffer.from("another key, as long as needed").toString("base64")}` },
    old,
  ];
}

describe.each(verifiers)("in %s", (language, command) => {
  const why = leftOut(language);
  const note = why === undefined ? "" : ` (${why})`;

  test.skipIf(why !== undefined)(`all sixteen samples are genuine${note}`, async () => {
    const files = filesOf(genuine);
    expect(await verify(command, files)).toEqual({ code: 0, stdout: "16 genuine, 0 refused:" });
  });

  test.skipIf(why !== undefined)(`changed, wrongly signed and stale samples are refused${note}`, async () => {
    const [right = "", ...wrong] = filesOf([...genuine.slice(0, 1), ...forgeries()]);
    expect(await verify(command, [right, ...wrong])).toEqual({
      code: 1,
      stdout: `1 genuine, ${wrong.length} refused: ${wrong.join(" ")}`,
    });
  });
});
