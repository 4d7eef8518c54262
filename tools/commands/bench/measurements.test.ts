import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measurements } from "./bench.ts";

test.each(measurements)(
  "$id is measured",
  async ({ run }) => {
    const folder = mkdtempSync(join(tmpdir(), "bench-"));
    const figures = await run({ iterations: 1, scale: 0.002, folder });
    const values = figures.flatMap((figure) => figure.values);
    expect(values).not.toEqual([]);
    expect(values.filter((value) => !Number.isFinite(value))).toEqual([]);
  },
  180_000,
);
