import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { codeBlocks, codeSpans, documents, read } from "./documents.ts";
import { callCli, commandNames } from "./processes/cli-in-process.ts";

/** Compares the command lines in the documents with the program's commands and flags. */
const flagsOf = (text: string): string[] =>
  [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = ""]) => flag);
/** The help of a command and of its subcommands. */
async function helpOf(command: string): Promise<string> {
  const { stdout } = await callCli([command, "--help"]);
  const [, below = ""] = stdout.split("\nCommands:\n");
  const names = [...below.matchAll(/^ {2}([a-z]+) (?!.*display help)/gm)].map(([, name = ""]) => name);
  const helps = await Promise.all(names.map((name) => callCli([command, name, "--help"])));
  return [stdout, ...helps.map((help) => help.stdout)].join("\n");
}
const commands = await commandNames();
const flags: ReadonlyMap<string, readonly string[]> = new Map(
  await Promise.all(commands.map(async (command) => [command, flagsOf(await helpOf(command))] as const)),
);
const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts;

interface CommandLine {
  readonly document: string;
  readonly line: string;
  readonly command: string;
  /** The flags of the program, without those of a command that the program runs. */
  readonly flags: readonly string[];
}

/** The code in a document: inline code and code blocks, in which continued lines are joined. */
const codeOf = (markdown: string): readonly string[] =>
  [
    ...codeBlocks(markdown).flatMap((block) =>
      block
        .replaceAll(/\\\n\s*/g, "")
        .replaceAll(/\n +(?=--)/g, " ")
        .split("\n"),
    ),
    ...codeSpans(markdown),
  ].map((line) => line.replace(/\s#\s.*$/, ""));

const CALL =
  /(?:npm run (?:--silent )?(?<script>[a-z]+)(?: --)?|npx (?:--yes )?courier-conform(?:@\S+)? (?<command>[a-z]+))(?<rest>[^|&)]*)/g;

const commandLines = (document: string, code: string): readonly CommandLine[] =>
  [...code.matchAll(CALL)].map(({ groups = {} }) => {
    const [own = ""] = (groups.rest ?? "").split(" -- ");
    return {
      document,
      line: code.trim(),
      command: groups.command ?? groups.script ?? "",
      flags: [...own.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => flag),
    };
  });

const allCommandLines = documents.flatMap((document) =>
  codeOf(read(document)).flatMap((code) => commandLines(document, code)),
);

test("the documents have command lines for exactly the existing commands", () => {
  const named = new Set(allCommandLines.map(({ command }) => command));
  expect([...named]).toEqual(expect.arrayContaining(["conform", "receiver", "client", "serve", "mutants"]));
  expect(
    allCommandLines.filter(({ command }) => !commands.includes(command) && !(command in scripts)),
  ).toEqual([]);
});

test("each folder in tools/commands is a command, and is in a document", () => {
  const folders = readdirSync(new URL("../commands", import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual(commands.filter((command) => command !== "complete").toSorted());
  const named = new Set(allCommandLines.map(({ command }) => command));
  expect(folders.filter((command) => !named.has(command))).toEqual([]);
});

test("each flag in a command line is in the command's help", () => {
  const unknown = allCommandLines.filter(
    ({ command, flags: given }) => !given.every((flag) => flags.get(command)?.includes(flag) ?? false),
  );
  expect(unknown).toEqual([]);
});

/** Flags of other programs that the documents mention. */
const FOREIGN_FLAGS = ["--env-file"];

test("each flag in a sentence is a flag of a command", () => {
  const known = [...FOREIGN_FLAGS, ...[...flags.values()].flat()];
  const spoken = documents.flatMap((document) =>
    codeOf(read(document))
      .filter((code) => /^--[a-z]/.test(code))
      .map((code) => ({ document, flag: /^--[a-z-]+/.exec(code)?.[0] ?? "" })),
  );
  expect(spoken.length).toBeGreaterThan(10);
  expect(spoken.filter(({ flag }) => !known.includes(flag))).toEqual([]);
});

test("each package script with a command's name runs that command", () => {
  const called = Object.values(scripts).flatMap((script) => /tools\/cli\.ts (\w+)/.exec(script)?.[1] ?? []);
  expect(called.filter((command) => !commands.includes(command))).toEqual([]);
});

test("the action's flags are those of the commands that it runs", () => {
  const { runs }: { runs: { steps: { id?: string; run?: string }[] } } = parse(read("action.yml"));
  const script = runs.steps.find(({ id }) => id === "run")?.run ?? "";
  const known = ["conform", "receiver", "client"].flatMap((command) => flags.get(command) ?? []);
  const given = [...script.matchAll(/(?:add |arguments\+?=\()(--[a-z-]+)/g)].map(([, flag = ""]) => flag);
  expect(given.length).toBeGreaterThan(5);
  expect(given.filter((flag) => !known.includes(flag))).toEqual([]);
});

test("the pipeline examples are valid YAML, and use only existing inputs of the action", () => {
  const { inputs }: { inputs: Record<string, unknown> } = parse(read("action.yml"));
  const blocks = [...read("docs/ci.md").matchAll(/```yaml\n(.*?)```/gs)].map(([, block = ""]) => block);
  expect(blocks.flatMap((block) => parseAllDocuments(block).flatMap(({ errors }) => errors))).toEqual([]);
  const given = blocks.flatMap((block) =>
    [...block.matchAll(/^( *)(?:- )?uses: \S+\/courier-conform.*\n(?:\1 *(?!uses).*\n)*/gm)].flatMap(
      ([step]) =>
        [...(/with:\n((?: {10}.*\n)+)/.exec(step)?.[1] ?? "").matchAll(/^ {10}([a-z-]+):/gm)].map(
          ([, name = ""]) => name,
        ),
    ),
  );
  expect(given).toEqual(expect.arrayContaining(["url", "image", "args"]));
  expect(given.filter((name) => !(name in inputs))).toEqual([]);
});
