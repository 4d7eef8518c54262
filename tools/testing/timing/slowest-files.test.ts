import { expect, test } from "vitest";
import { slowestFiles } from "./slowest-files.ts";

test("the ten slowest files are listed, slowest first, with the CPU time of their threads", () => {
  const files = Array.from({ length: 12 }, (_, n) => ({
    file: `${n}.test.ts`,
    ms: 1000 * n,
    processorMs: 250 * n,
  }));
  const lines = slowestFiles(files);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("   11.0 s     2.8 s  11.test.ts");
  expect(lines[9]).toBe("    2.0 s     0.5 s  2.test.ts");
});
