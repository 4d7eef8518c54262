import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import control from "../../openapi/generated/control.json" with { type: "json" };
import { checks } from "../../suites/server/checks/index.ts";
import { packageFolder } from "../package.ts";
import { documents, read } from "./documents.ts";

/** The ids that GitHub gives a document's headings. */
const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^```.*?^```/gms, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

interface Link {
  readonly document: string;
  readonly file: string;
  readonly anchor: string | undefined;
}

const links: readonly Link[] = documents.flatMap((document) =>
  [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = "", anchor]) => ({
    document,
    file: path === "" ? document : join(dirname(document), path),
    anchor,
  })),
);

test("each relative link in the documents leads to a file in the repository", () => {
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ file }) => !existsSync(join(packageFolder, file)))).toEqual([]);
});

test("each link to a part of a document leads to a heading", () => {
  const toHeadings = links.flatMap(({ file, anchor }) => (anchor === undefined ? [] : [{ file, anchor }]));
  expect(toHeadings.length).toBeGreaterThan(0);
  expect(toHeadings.filter(({ file, anchor }) => !anchorsOf(read(file)).includes(anchor))).toEqual([]);
});

test("the guide to the control interface describes exactly its operations", () => {
  const offered = Object.values(control.paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => ("operationId" in operation ? operation.operationId : [])),
  );
  const told = [...read("docs/control-interface.md").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect([...told].sort()).toEqual([...offered].sort());
});

test("each check that the documents name exists", () => {
  const ids = checks.map(({ id }) => id);
  const groups = new Set(ids.map((id) => id.split(".")[0]));
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/--(?:only|skip|explain) '?([a-z][a-z-]*)\.([a-z*-]+)/g)].map(
      ([, group, name]) => ({
        document,
        group,
        id: `${group}.${name}`,
      }),
    ),
  );
  const placeholders = ["group.check-id"];
  expect(named.length).toBeGreaterThan(0);
  expect(
    named.filter(
      ({ group, id }) =>
        !placeholders.includes(id) && !(id.endsWith(".*") ? groups.has(group) : ids.includes(id)),
    ),
  ).toEqual([]);
});
