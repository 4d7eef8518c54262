import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { durationsFile, keepDurations, readDurations } from "./last-durations.ts";

const folder = () => mkdtempSync(join(tmpdir(), "durations-"));
const ended = (id: string, duration_ms: number, status = "passed") => ({ id, status, duration_ms });

test.each([
  [
    { XDG_CACHE_HOME: "/cache", HOME: "/home/me" },
    "linux",
    join("/cache", "courier-conform", "durations.json"),
  ],
  [{ HOME: "/home/me" }, "linux", join("/home/me", ".cache", "courier-conform", "durations.json")],
  [
    { HOME: "/home/me" },
    "darwin",
    join("/home/me", "Library", "Caches", "courier-conform", "durations.json"),
  ],
  [{ LOCALAPPDATA: "/local" }, "win32", join("/local", "courier-conform", "durations.json")],
  [{}, "linux", undefined],
] as const)("the file is in the cache folder of %o on %s", (environment, platform, file) => {
  expect(durationsFile(environment, platform)).toBe(file);
});

test("checks that passed are kept, beside those of earlier runs", () => {
  const file = join(folder(), "not", "there", "durations.json");
  keepDurations(file, { a: 1, b: 2 }, [ended("b", 20), ended("c", 30), ended("a", 99_000, "failed")]);
  expect(readDurations(file)).toEqual({ a: 1, b: 20, c: 30 });
});

test("a file that is broken or missing gives none, and one that can't be written is left out", () => {
  const file = join(folder(), "durations.json");
  expect(readDurations(file)).toEqual({});
  writeFileSync(file, "{");
  expect(readDurations(file)).toEqual({});
  writeFileSync(file, '{ "a": 1, "b": "long" }');
  expect(readDurations(file)).toEqual({ a: 1 });
  expect(() => keepDurations(join(file, "below-a-file"), {}, [ended("a", 1)])).not.toThrow();
});
