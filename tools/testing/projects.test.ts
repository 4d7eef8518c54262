import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesOfProjects, LONGEST, SHORTENS_QUICK_RUNS } from "./projects.ts";

const filesOf = (mode: string) => [...filesOfProjects(mode).values()].flat();

test("a quick run and --mode rest together run every file, and mutants in both", () => {
  const [quick, rest] = [filesOf("quick"), filesOf("rest")];
  expect([...new Set([...quick, ...rest])].toSorted()).toEqual(filesOf("test").toSorted());
  const inBoth = quick.filter((file) => rest.includes(file));
  expect(inBoth).toEqual(expect.arrayContaining([...(filesOfProjects("test").get("mutants") ?? [])]));
});

test("the files that start first exist", () => {
  expect(filesOf("test")).toEqual(expect.arrayContaining([...LONGEST]));
});

test("--mode rest knows every function that shortens a quick run", () => {
  const modules = globSync("{suites,tools,reference-server,sandbox}/**/*.ts").filter(
    (file) => !file.endsWith(".test.ts") && !file.endsWith("/scope.ts"),
  );
  const registered = modules.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const shortens = text.replaceAll(/^import .*/gm, "").match(SHORTENS_QUICK_RUNS) !== null;
    const exported = [...text.matchAll(/^export (?:async )?(?:function|const) (test\w+)/gm)];
    return shortens && file !== "tools/testing/projects.ts"
      ? [[file, ...exported.map(([, name]) => name)]]
      : [];
  });
  expect(registered).not.toEqual([]);
  for (const [file, ...names] of registered) {
    expect(names, file).toEqual([expect.stringMatching(SHORTENS_QUICK_RUNS)]);
  }
});
