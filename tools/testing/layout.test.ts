import { dirname } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../package.ts";
import { read, repositoryFiles } from "./documents.ts";
import { importGraphOf } from "./imports/import-graph.ts";

const files = repositoryFiles();

test.each(["reference-server", "sandbox", "suites", "tools"])(
  "%s holds a dozen files of its own at most",
  (folder) => {
    expect(files.filter((file) => dirname(file) === folder).length).toBeLessThanOrEqual(12);
  },
);

test("no folder holds more than two dozen files of its own", () => {
  const sizes = [...Map.groupBy(files, dirname)].map(([folder, own]) => ({ folder, size: own.length }));
  expect(sizes.length).toBeGreaterThan(50);
  expect(sizes.filter(({ size }) => size > 24)).toEqual([]);
});

const SOURCE = /\.(ts|js|mjs|css|html|sh|php|java|cs|py)$/;
const lengths = files
  .filter((file) => SOURCE.test(file) && !file.startsWith("openapi/generated/"))
  .map((file) => ({ file, lines: read(file).trimEnd().split("\n").length }));

test("no source file is longer than 400 lines", () => {
  expect(lengths.length).toBeGreaterThan(500);
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
});

test("half of the source files are shorter than 80 lines", () => {
  const short = lengths.filter(({ lines }) => lines < 80);
  expect(short.length / lengths.length).toBeGreaterThanOrEqual(0.5);
});

test("no script has the name of what a source is compiled to: in the package one would take the other's place", () => {
  expect(files.filter((file) => file.endsWith(".js") && files.includes(file.replace(/js$/, "ts")))).toEqual(
    [],
  );
});

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The folders above a path, the repository's own among them as an empty text. */
const foldersAbove = (path: string): readonly string[] => {
  const names = dirname(path).split("/");
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
};

/** What stands in a folder on the way to a path: a folder in it, or the file itself. */
const roomOf = (path: string, folder: string): string =>
  path.slice(folder === "" ? 0 : folder.length + 1).split("/")[0] ?? "";

/** For each folder which of the folders and files in it import which others. */
function arrowsByFolder(imports: readonly (readonly [string, string])[]): ReadonlyMap<string, Arrows> {
  const byFolder = new Map<string, Map<string, Set<string>>>();
  for (const [from, to] of imports) {
    for (const folder of foldersAbove(from).filter((above) => foldersAbove(to).includes(above))) {
      const [room, other] = [roomOf(from, folder), roomOf(to, folder)];
      if (room === other) continue;
      const arrows = byFolder.get(folder) ?? new Map<string, Set<string>>();
      byFolder.set(folder, arrows.set(room, (arrows.get(room) ?? new Set()).add(other)));
    }
  }
  return byFolder;
}

/** Rooms that no order of floors has a place for: what is left when those that need nothing above are taken away. */
function inCircles(arrows: Arrows): readonly string[] {
  const left = new Map([...arrows].map(([room, needed]) => [room, new Set(needed)]));
  for (;;) {
    const settled = [...left].filter(([, needed]) => [...needed].every((other) => !left.has(other)));
    if (settled.length === 0) return [...left.keys()].toSorted();
    for (const [room] of settled) left.delete(room);
  }
}

test("what stands in a folder stands on floors: nothing needs what needs it", async () => {
  const isTest = (path: string) => /\.test\.ts$|\/testing\//.test(path);
  const { modules } = await importGraphOf(packageFolder);
  const imports = modules
    .filter(({ source }) => !isTest(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved] as const));
  expect(imports.length).toBeGreaterThan(1000);
  const circles = [...arrowsByFolder(imports)]
    .map(([folder, arrows]) => ({ folder, rooms: inCircles(arrows) }))
    .filter(({ rooms }) => rooms.length > 0);
  expect(circles).toEqual([]);
});

test("a circle of rooms is seen", () => {
  const byFolder = arrowsByFolder([
    ["a/b/one.ts", "a/c/two.ts"],
    ["a/c/three.ts", "a/b/four.ts"],
    ["a/b/one.ts", "a/d.ts"],
  ]);
  expect(inCircles(byFolder.get("a") ?? new Map())).toEqual(["b", "c"]);
});
